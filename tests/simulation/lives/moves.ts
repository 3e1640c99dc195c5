import { sql } from "#tests/support/light";
import { moveLight } from "./places";
import { rebuildLight } from "./rebuild";
import { testSwitchOf } from "./testers";
import { plain, toggleOne } from "./toggles";
import { SECOND, type Town } from "./town";

/** A light is moved to another hub while a toggle or a test of it is under way, is asked for again there, and may come back. */
export async function moveUnderWay(town: Town): Promise<void> {
  const { chance, city } = town;
  const id = town.anyDevice();
  const first = city.devices.get(id)?.hub ?? null;
  const others = [...city.hubs].filter((hub) => hub !== first);
  const other = others[chance.int(0, Math.max(0, others.length - 1))];
  if (other === undefined) return;
  await askFor(town, id);
  await town.pass(chance.int(0, 6 * SECOND));
  await moveTo(town, id, other);
  await town.pass(chance.int(0, 6 * SECOND));
  if (chance.is(0.6)) await askFor(town, id);
  if (chance.is(0.4)) return;
  await town.pass(chance.int(0, 10 * SECOND));
  await moveTo(town, id, first);
}

async function askFor(town: Town, device: string): Promise<void> {
  const { chance } = town;
  if (chance.is(0.5)) return toggleOne(town, device, plain(chance.is(0.7) ? "on" : "off"));
  testSwitchOf(town, device, chance.is(0.7) ? "on" : "off");
  await town.world.calm();
}

async function moveTo(town: Town, id: string, hub: string | null): Promise<void> {
  const device = town.city.devices.get(id);
  if (!device || (hub !== null && !town.city.hubs.has(hub))) return;
  const devices = new Map(town.city.devices).set(id, { ...device, hub, changed_at: town.world.now });
  const statement = sql("UPDATE devices SET hub_id = ?, updated_at = ? WHERE id = ?", hub, town.iso(), id);
  await town.change([statement], { devices });
}

/**
 * A light is deleted, made anew, gets another lamp or place while a toggle or a test of it is under way. The vendor's lamps are
 * listed once a minute, and one that is newer than its list is refused.
 */
export async function rebuildUnderWay(town: Town): Promise<void> {
  const { chance, lamps } = town;
  if (lamps.mode !== "mock") return moveUnderWay(town);
  const id = town.anyDevice();
  await askFor(town, id);
  await town.pass(chance.pick([chance.int(0, 200), chance.int(0, 12 * SECOND), chance.int(0, 60 * SECOND)]));
  if (chance.is(0.25)) return moveLight(town, id);
  await rebuildLight(town, id);
}
