import type { City } from "#tests/simulation/oracle/city";
import { numberOf } from "#tests/simulation/oracle/knowledge";
import { bringBack, dumpOf, type Dump } from "#tests/support/backup-of";
import { sql } from "#tests/support/light";
import type { Town } from "./town";

type Backup = { city: City; dump: Dump };

/**
 * Now and then somebody makes a backup of the city, or brings the last one back, as the operator's door does: records are
 * old, the epoch is new, and the logs and what the engine remembers go on.
 */
export class Backups {
  #last: Backup | null = null;

  constructor(readonly town: Town) {}

  async happen(): Promise<void> {
    const { town } = this;
    if (!town.isSaving || town.world.now < town.world.down_until) return;
    if (this.#last === null || town.chance.is(0.5)) return this.#backUp();
    if (isReached(town, this.#last.city)) return this.#restore(this.#last);
  }

  async #backUp(): Promise<void> {
    const { world, city } = this.town;
    this.#last = { city, dump: await dumpOf(world) };
    this.town.oracle.desk.trace.note(null, `the city is backed up at version ${city.version}`);
  }

  async #restore({ city, dump }: Backup): Promise<void> {
    const { town } = this;
    const { world, oracle } = town;
    const epoch = String(numberOf(town.city.epoch) + 1);
    oracle.desk.trace.note(null, `the city of version ${city.version} is restored as epoch ${epoch}`);
    await world.wire.drain();
    await bringBack(dump, world.now, epoch);
    await noteRestored(town, city, epoch);
  }
}

/** Whether nobody is cut off from a lamp that he reaches now: see `newMode`. */
function isReached(town: Town, { mode, devices }: City): boolean {
  return mode !== "local" || town.city.mode === "local" || [...devices.values()].every(({ hub }) => hub !== null);
}

/** D1 has the city of a backup, as another epoch: the oracle knows, and the engine is told. */
export async function noteRestored(town: Town, city: City, epoch: string): Promise<void> {
  const { world, oracle } = town;
  const { org_id } = world;
  const { results } = await sql("SELECT id FROM scheduler_events WHERE org_id = ?", org_id).all<{ id: string }>();
  const head = await sql("SELECT config_version, active FROM organizations WHERE id = ?", org_id).first<{
    config_version: number;
    active: number;
  }>();
  oracle.restored(results.map(({ id }) => id));
  // Whether the organization is active is no record of its own, and stays as it is.
  const isServed = head?.active === 1;
  town.city = { ...city, epoch, version: head?.config_version ?? 0, isServed, restored_at: world.now };
  world.wire.changed();
  town.install();
  oracle.committedToD1(town.city);
  await world.sync();
}
