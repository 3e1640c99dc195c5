import { edgeAfter } from "#tests/simulation/oracle/catch-up";
import { regroup } from "./groups";
import { newLimit } from "./limits";
import { newCalendar, skipNight } from "./nights";
import { newPlace } from "./places";
import { addSchedule, cancelSchedule, editSchedule } from "./plans";
import { rebuild } from "./rebuild";
import { newGuardrails } from "./settings";
import { toggleSome } from "./toggles";
import { HOUR, type Town } from "./town";

/** How far from the instant itself somebody saves or presses (ms). */
const BESIDE = [-1_000, -130, -1, 0, 0, 1, 130, 1_000] as const;

/**
 * Somebody changes something, or two things, in the very second in which something begins or ends for a light. What they
 * change is mostly not that light's, which costs nothing.
 */
export async function changeAtAnInstant(town: Town): Promise<void> {
  const { chance, world, oracle } = town;
  const books = [...oracle.desk.books.values()];
  const wanted = books.filter(({ want }) => want === "on");
  const some = wanted.length > 0 && chance.is(0.7) ? wanted : books;
  const book = some[chance.int(0, Math.max(0, some.length - 1))];
  if (!book) return;
  const edge = edgeAfter(book, oracle.desk.known, world.clock) - world.skew_ms + chance.pick(BESIDE);
  if (edge > world.now + 6 * HOUR) return;
  await town.pass(Math.max(0, edge - world.now));
  await change(town);
  if (chance.is(0.3)) await change(town);
}

function change(town: Town): Promise<void> {
  return town.chance.pick([
    addSchedule,
    cancelSchedule,
    editSchedule,
    editSchedule,
    skipNight,
    newCalendar,
    newLimit,
    newLimit,
    newGuardrails,
    regroup,
    newPlace,
    rebuild,
    toggleSome,
    toggleSome,
  ])(town);
}
