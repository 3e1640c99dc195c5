import { fromLocalInput } from "#domain/time/display";
import { MINUTE_MS } from "#domain/time/units";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { timeOfDay, type Edge, type SunDraft } from "./sun-draft";

type Prefer = "first" | "last";

/** What a draft has of its first window, as in its form; of a new one nothing is stored. */
type Typed = Record<`${Edge}_date` | `${Edge}_time` | `${Edge}_stored`, string> &
  Record<`${Edge}_sun`, SunDraft> & { repeat: string };

/**
 * The instants (epoch ms) of a draft's first window; null for an edge that is half typed. Of two like hours an edge is in
 * the first, but one whose time is as it was stored stays where it was, to the second, and a booking that comes once is in the
 * second where the first is over by `now` (epoch ms). One whose start is in the hour that spring skips keeps its length, if it
 * would not end after its start.
 */
export function firstWindow(draft: Typed, zone: string, now?: number): Record<Edge, number | null> {
  const [start, end] = [instantOf(draft, "start", zone), instantOf(draft, "end", zone)];
  if (start === null || end === null || draft.repeat !== "none") return { start, end };
  const isOver = now !== undefined && start <= now && (end <= now || isInSecondHour(now, zone));
  const prefer = isOver ? "last" : "first";
  const begins = instantOf(draft, "start", zone, prefer) ?? start;
  const ends = instantOf(draft, "end", zone, prefer) ?? end;
  const length = typedWall(draft, "end") - typedWall(draft, "start");
  return { start: begins, end: ends <= begins && length > 0 ? begins + length : ends };
}

function instantOf(draft: Typed, of: Edge, zone: string, prefer: Prefer = "first"): number | null {
  const at = fromLocalInput(typedIn(draft, of), zone);
  if (at === null) return null;
  const second = toInstant(zone, toWall(zone, at), "last");
  const stored = Date.parse(draft[`${of}_stored`]);
  const shown = Math.floor(stored / MINUTE_MS) * MINUTE_MS;
  const isFirst = shown === at || (prefer === "first" && shown !== second);
  const typed = isFirst ? at : second;
  return typed === shown ? stored : typed;
}

function typedIn(draft: Typed, of: Edge) {
  return { date: draft[`${of}_date`], time: timeOfDay(of, draft[`${of}_sun`], draft[`${of}_time`]) };
}

/** As it is typed, be there such a time or not. */
function typedWall(draft: Typed, of: Edge): number {
  const { date, time } = typedIn(draft, of);
  return Date.parse(`${date}T${time}Z`);
}

function isInSecondHour(now: number, zone: string): boolean {
  return toInstant(zone, toWall(zone, now)) < now;
}
