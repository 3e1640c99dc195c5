import { litUntil } from "./lamp-spans";
import type { PlannedLamp } from "./standing-plan";
import { MINUTE_MS } from "#domain/time/units";

/** How much later than the planned end a lamp's own timer puts it out. */
const GRACE_MIN = 5;

type Lamp = Pick<PlannedLamp, "on" | "dark" | "max_on_ms">;

/** Until when the plan lights the lamp at `at` (epoch ms); null where it does not. After its end a plan lights nothing. */
export function plannedUntil(lamp: Lamp, expires: number, at: number): number | null {
  const end = at < expires ? litUntil(lamp, at) : null;
  return end === null ? null : Math.min(end, expires);
}

/**
 * What edges between two instants, after `since` and up to `now` (epoch ms), ask for: only the last of them counts. `on`
 * where the lamp is to be lit now and a span began, or a dark time ended; `off` where it is not and was to be lit in between; `dark` where only a
 * time began in which it may not be lit. Null where nothing changed.
 */
export function edgeBetween(lamp: Lamp, expires: number, since: number, now: number): "on" | "off" | "dark" | null {
  const begins = (at: number) => at > since && at <= now;
  if (plannedUntil(lamp, expires, now) !== null) {
    const isNew = lamp.on.some(([from]) => begins(from)) || lamp.dark.some(([, to]) => begins(to));
    return isNew ? "on" : null;
  }
  const last = Math.min(now, expires);
  if (lamp.on.some(([from, to]) => from < last && to > since) && since < last) return "off";
  return lamp.dark.some(([from]) => begins(from)) ? "dark" : null;
}

/**
 * After how many minutes a lamp that is lit now (epoch ms) is to put itself out, should nobody reach it any more: a little
 * after `end`, or after its longest time on. Null where neither says so.
 */
export function offAfterMin(end: number | null, max_on_ms: number | null, now: number): number | null {
  const longest = Math.min(end === null ? Infinity : end - now, max_on_ms ?? Infinity);
  return longest === Infinity ? null : Math.max(1, Math.ceil(longest / MINUTE_MS) + GRACE_MIN);
}
