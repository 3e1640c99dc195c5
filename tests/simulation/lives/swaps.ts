import { sql } from "#tests/support/light";
import type { CityLimit, CityTarget } from "#tests/simulation/oracle/city";
import { leaveGroup, regroup, swapGroup } from "./groups";
import { givePermit, newPolicy } from "./limits";
import { moveLight } from "./places";
import { editSchedule } from "./plans";
import { newGuardrails } from "./settings";
import { plain, toggleOne } from "./toggles";
import { HOUR, MINUTE, SECOND, SWEEP_EVERY, type Town } from "./town";

/**
 * A light burns by a permit, and then one thing takes another's place: the permit, its group, the type of its area, the place
 * of the light. The engine hears of it at once, or hours later of all with one pull.
 */
export async function swap(town: Town): Promise<void> {
  const { chance, world } = town;
  const id = town.anyGroup();
  const [device] = town.city.groups.get(id ?? "")?.members.keys() ?? [];
  if (id === undefined || device === undefined || !town.isSaving) return regroup(town);
  const area = town.city.devices.get(device)?.area ?? "";
  const target = chance.pick<CityTarget>([
    { kind: "device", id: device },
    { kind: "group", id },
    { kind: "area", id: area },
  ]);
  await givePermit(town, target, chance.int(1, 16) * 15 * MINUTE);
  if (chance.is(0.5)) await newPolicy(town, { scope: "group", id });
  await toggleOne(town, device, plain("on"));
  await town.pass(chance.int(0, 90) * MINUTE);
  const away = chance.is(0.7) ? chance.int(20, 5 * 60) * MINUTE : 0;
  if (away > 0) {
    world.die(away);
    world.sweepAfter(away + chance.int(0, SWEEP_EVERY));
  }
  for (let n = chance.int(2, 5); n > 0; n -= 1) {
    await chance.pick([
      swapPermit,
      swapPermit,
      swapGroups,
      retype,
      leaveGroup,
      moveLights,
      newGuardrails,
      editSchedule,
    ])(town);
    await town.pass(chance.int(0, Math.min(HOUR, away / 4 + 20 * SECOND)));
  }
}

/** One that has begun is deleted, also where it is over, and mostly another takes its place in the same moment. */
async function swapPermit(town: Town): Promise<void> {
  const { chance, world, city } = town;
  const isRecent = ({ from, to }: CityLimit) => from <= world.now && to > world.now - 24 * HOUR;
  // With its light the database has dropped the permit, too.
  const begun = [...city.permits].filter(([, permit]) => isRecent(permit) && town.isThere(permit.target));
  const [id, permit] = begun[chance.int(0, Math.max(0, begun.length - 1))] ?? [];
  if (id === undefined || permit === undefined) return;
  const goes = { id, statement: sql("DELETE FROM permits WHERE id = ?", id) };
  if (chance.is(0.4)) {
    const permits = new Map(city.permits);
    permits.delete(id);
    return town.change([goes.statement], { permits });
  }
  await givePermit(town, chance.is(0.7) ? permit.target : town.anyTarget(), chance.int(1, 12) * 15 * MINUTE, goes);
}

async function swapGroups(town: Town): Promise<void> {
  const id = town.anyGroup();
  if (id !== undefined) await swapGroup(town, id);
}

function moveLights(town: Town): Promise<void> {
  return moveLight(town);
}

/** An area becomes of another type, whose policy its lights obey from then on. */
export async function retype(town: Town): Promise<void> {
  const id = town.anyArea();
  const area = town.city.areas.get(id);
  if (!area) return;
  const type = area.type === "park" ? "path" : "park";
  const { now } = town.world;
  const statement = sql("UPDATE areas SET type = ?, updated_at = ? WHERE id = ?", type, town.iso(), id);
  const areas = new Map(town.city.areas).set(id, { ...area, type, changed_at: now, written_at: now });
  await town.change([statement], { areas });
}
