import type { City } from "#tests/simulation/oracle/city";
import { sql } from "#tests/support/light";
import type { Town } from "./town";

/** What a restore brings back, parents first. */
const RECORDS = [
  "areas",
  "hubs",
  "devices",
  "device_groups",
  "group_devices",
  "calendars",
  "schedules",
  "policies",
  "permits",
  "closures",
  "settings",
];
const LOGS: [string, string][] = [
  ["scheduler_events", "ts"],
  ["device_events", "created_at"],
  ["connectivity_logs", "created_at"],
];

type Row = Record<string, string | number | null>;
type Backup = { city: City; at: string; rows: Map<string, Row[]> };

/** Now and then somebody makes a backup of D1, or brings the last one back: records, logs and version are old, the epoch is new. */
export class Backups {
  #last: Backup | null = null;
  #epochs = 1;

  constructor(readonly town: Town) {}

  async happen(): Promise<void> {
    const { town } = this;
    if (!town.isSaving || town.world.now < town.world.down_until) return;
    if (this.#last === null || town.chance.is(0.5)) return this.#backUp();
    return this.#restore(this.#last);
  }

  async #backUp(): Promise<void> {
    const { world, city } = this.town;
    await world.wire.drain();
    const rows = new Map<string, Row[]>();
    for (const table of RECORDS) {
      const { results } = await sql(`SELECT * FROM ${table} WHERE org_id = ?`, world.org_id).all<Row>();
      rows.set(table, results);
    }
    this.#last = { city, at: this.town.iso(), rows };
    this.town.oracle.desk.trace.note(null, `D1 is backed up at version ${city.version}`);
  }

  async #restore({ city, at, rows }: Backup): Promise<void> {
    const { town } = this;
    const { world, oracle } = town;
    const { org_id } = world;
    this.#epochs += 1;
    const epoch = String(this.#epochs);
    oracle.desk.trace.note(null, `D1 is restored to version ${city.version}, epoch ${epoch}`);
    // D1 cancels what is under way when it is restored.
    world.wire.cutOff();
    await world.wire.drain([
      ...[...RECORDS].toReversed().map((table) => sql(`DELETE FROM ${table} WHERE org_id = ?`, org_id)),
      ...[...rows].flatMap(([table, all]) => all.map((row) => insert(table, row))),
      ...LOGS.map(([table, ts]) => sql(`DELETE FROM ${table} WHERE org_id = ? AND ${ts} > ?`, org_id, at)),
      sql("DELETE FROM changes WHERE org_id = ? AND version > ?", org_id, city.version),
      sql("UPDATE organizations SET config_version = ?, epoch = ? WHERE id = ?", city.version, epoch, org_id),
    ]);
    const { results } = await sql("SELECT id FROM scheduler_events WHERE org_id = ?", org_id).all<{ id: string }>();
    oracle.restored(results.map(({ id }) => id));
    town.city = { ...city, epoch, restored_at: world.now };
    world.wire.changed();
    town.install();
    oracle.committedToD1(town.city);
    await world.sync();
  }
}

function insert(table: string, row: Row): D1PreparedStatement {
  const names = Object.keys(row);
  const places = names.map(() => "?").join(", ");
  return sql(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`, ...Object.values(row));
}
