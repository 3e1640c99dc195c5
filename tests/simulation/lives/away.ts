import { leaveGroup, regroup } from "./groups";
import { newLimit, newPolicy } from "./limits";
import { moveLight } from "./places";
import { newGuardrails } from "./settings";
import { plain, toggleOne } from "./toggles";
import { HOUR, MINUTE, SECOND, SWEEP_EVERY, type Town } from "./town";

/**
 * The engine is away for hours, and hears of several changes with one pull: what limits a light that somebody has lit, the
 * city's limits, a group that it leaves or joins, and all that took the place of these.
 */
export async function changeWhileAway(town: Town): Promise<void> {
  const { chance, world } = town;
  const id = town.anyGroup();
  const [device] = town.city.groups.get(id ?? "")?.members.keys() ?? [];
  if (id === undefined || device === undefined || !town.isSaving) return regroup(town);
  await newPolicy(town, { scope: "group", id });
  await toggleOne(town, device, plain("on"));
  await town.pass(chance.int(0, 20 * SECOND));
  const away = chance.int(20, 5 * 60) * MINUTE;
  world.die(away);
  world.sweepAfter(away + chance.int(0, SWEEP_EVERY));
  for (let n = chance.int(2, 4); n > 0; n -= 1) {
    await town.pass(chance.int(0, Math.min(HOUR, away / 4)));
    await chance.pick([leaveGroup, leaveGroup, newGuardrails, newGuardrails, newPolicy, regroup, newLimit, moveLight])(
      town,
    );
  }
}
