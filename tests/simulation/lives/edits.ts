import type { CityTarget } from "#tests/simulation/oracle/city";
import { leaveGroup } from "./groups";
import { newLimit } from "./limits";
import { newCalendar, skipNight } from "./nights";
import { closeArea, moveCity, moveLight, movePlace } from "./places";
import { anyTimes, book, editSchedule, retarget } from "./plans";
import { newGuardrails } from "./settings";
import { retype } from "./swaps";
import { byClock } from "./times";
import { toggleOne, toggleSome } from "./toggles";
import { HOUR, MINUTE, SECOND, SWEEP_EVERY, type Town } from "./town";

/**
 * A light burns by a person's ON with an end and by bookings, mostly for longer than each of them alone might; then what it
 * belongs to is edited, one thing after the other. The engine hears of it at once, or hours later of all with one pull.
 */
export async function edit(town: Town): Promise<void> {
  const { chance, world } = town;
  if (!town.isSaving) return toggleSome(town);
  const light = town.anyDevice();
  const until = world.now + chance.int(2, 10) * HOUR;
  if (chance.is(0.7)) await toggleOne(town, light, { action: "on", until, isEmergency: false });
  for (let n = chance.int(1, 3); n > 0; n -= 1) {
    await town.pass(chance.int(1, 100) * MINUTE);
    await bookNow(town, light);
  }
  await town.pass(chance.int(0, 150) * MINUTE);
  const away = chance.is(0.4) ? chance.int(20, 4 * 60) * MINUTE : 0;
  if (away > 0) {
    world.die(away);
    world.sweepAfter(away + chance.int(0, SWEEP_EVERY));
  }
  for (let n = chance.int(1, 4); n > 0; n -= 1) {
    await chance.pick([
      editSchedule,
      editSchedule,
      (one: Town) => retarget(one, light),
      (one: Town) => retarget(one, light),
      (one: Town) => moveLight(one, light),
      (one: Town) => movePlace(one, one.city.devices.get(light)?.area),
      (one: Town) => movePlace(one, one.city.devices.get(light)?.area),
      moveCity,
      newCalendar,
      skipNight,
      retype,
      leaveGroup,
      closeArea,
      newLimit,
      newGuardrails,
    ])(town);
    await town.pass(chance.int(0, Math.min(HOUR, away / 4 + 20 * SECOND)));
  }
}

/** For the light, or one of all that it belongs to; it begins about now, or by the sun. */
async function bookNow(town: Town, light: string): Promise<void> {
  const { chance, city, world } = town;
  const groups = [...city.groups].filter(([, { members }]) => members.has(light));
  const target = chance.pick<CityTarget>([
    { kind: "device", id: light },
    { kind: "device", id: light },
    { kind: "area", id: city.devices.get(light)?.area ?? "" },
    ...groups.map(([id]): CityTarget => ({ kind: "group", id })),
  ]);
  const { zone } = city.rules;
  const start = world.now + chance.int(-30, 30) * MINUTE;
  const times = byClock(start, start + chance.int(1, 16) * 30 * MINUTE);
  await book(town, target, chance.is(0.3) ? anyTimes(town, target, zone) : times, zone);
}
