import { sql } from "#tests/support/light";
import { newPlace } from "./places";
import { cancelSchedule, editSchedule } from "./plans";
import { newGuardrails } from "./settings";
import { anyToggle, plain, toggleLights } from "./toggles";
import { SECOND, type Town } from "./town";

/**
 * Two people switch all lights of a place, or of the city, on and off in turns, each by the screen as it was a moment ago,
 * and a third one goes on editing the plan meanwhile.
 */
export async function contend(town: Town): Promise<void> {
  const { chance, city } = town;
  const all = [...city.devices.keys()];
  const some = chance.is(0.4) ? all : town.lightsOf({ kind: "area", id: town.anyArea() });
  // Where each reading moves the clock, those for many lights would add up to more than a change may wait.
  const lights = town.world.reading_ms > 0 ? some.slice(0, 4) : some;
  const first = chance.int(0, 1);
  for (let n = chance.int(2, 6); n > 0; n -= 1) {
    await toggleLights(town, lights, chance.is(0.8) ? plain(n % 2 === first ? "on" : "off") : anyToggle(town));
    for (let edits = chance.int(0, 3); edits > 0; edits -= 1) {
      await town.pass(chance.int(0, SECOND));
      await chance.pick([editSchedule, editSchedule, cancelSchedule, newGuardrails, newPlace])(town);
    }
    await town.pass(chance.int(0, 4 * SECOND));
  }
}

/** A hub is taken down with its lights on, and they are given another at once, or a moment after it is gone. */
export async function replaceHub(town: Town): Promise<void> {
  const { chance, city } = town;
  const [old] = [...city.hubs].slice(chance.int(0, Math.max(0, city.hubs.size - 1)));
  const lights = [...city.devices].filter(([, { hub }]) => hub === old).map(([id]) => id);
  if (old === undefined || lights.length === 0) return;
  if (chance.is(0.5)) await toggleLights(town, lights, plain("on"));
  await town.pass(chance.int(0, 5 * SECOND));
  if (chance.is(0.5)) return give(town, lights, { old, fresh: town.name("h") });
  await give(town, lights, { old, fresh: null });
  await town.pass(chance.int(0, 90 * SECOND));
  await give(town, lights, { old: null, fresh: town.name("h") });
}

/** An old hub goes, and the lights, those that are there still, get a fresh one; null: none does. */
async function give(town: Town, lights: string[], hub: { old: string | null; fresh: string | null }): Promise<void> {
  const { old, fresh } = hub;
  const changed_at = town.world.now;
  const devices = new Map(town.city.devices);
  const there = lights.flatMap((id) => {
    const device = devices.get(id);
    return device ? [[id, { ...device, hub: fresh, changed_at }] as const] : [];
  });
  for (const [id, device] of there) devices.set(id, device);
  const hubs = new Set(town.city.hubs);
  if (old !== null) hubs.delete(old);
  if (fresh !== null) hubs.add(fresh);
  const move = "UPDATE devices SET hub_id = ?, updated_at = ? WHERE id = ?";
  const statements = [
    ...(fresh === null ? [] : [town.insertHub(fresh), ...there.map(([id]) => sql(move, fresh, town.iso(), id))]),
    ...(old === null ? [] : [sql("DELETE FROM hubs WHERE id = ?", old)]),
  ];
  await town.change(statements, { devices, hubs });
}
