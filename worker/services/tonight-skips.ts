import { withNights } from "#db/nights";
import { tonight } from "#db/tonight";
import { personOf } from "#domain/light/person-of";
import { windowOn } from "#domain/schedule/recurrence";
import { dateText, dayOfDate } from "#domain/schedule/skipped-dates";
import type { NightBar } from "#domain/tonight/tonight";
import type { Scope } from "#worker/services/scope";
import type { NightIn } from "#worker/services/tonight-night";

/** What schedules of lights would have done in the night, had somebody not skipped it; by the lights' ids. */
export async function skippedIn(
  scope: Scope,
  night: NightIn,
  ids: readonly string[],
): Promise<Map<string, NightBar[]>> {
  const { db, org_id } = scope;
  const { frame } = night;
  const day = dayOfDate(frame.date);
  const [first, last] = [dateText(day - 1), dateText(day + 1)];
  const rows = await withNights(db, org_id, await tonight(db, org_id).skipped(ids, first, last));
  const bars = new Map<string, NightBar[]>();
  for (const row of rows) {
    for (const { date, reason } of row.skips ?? []) {
      const window = date < first || date > last ? null : windowOn(row, date);
      if (window === null || window.end <= frame.from || window.start >= frame.to) continue;
      const isNew = row.who !== null && !row.was?.includes(date);
      const bar: NightBar = {
        from: window.start,
        to: window.end,
        why: "cut",
        reason: "idle",
        text: `Skipped: ${row.title}`,
        sentence: reason ? `Skipped: ${reason}` : "Skipped",
        schedule_ids: [row.id],
        group: null,
        series: null,
        who: isNew && row.who !== null ? personOf(row.who) : null,
        isSkipped: true,
      };
      bars.set(row.light_id, [...(bars.get(row.light_id) ?? []), bar]);
    }
  }
  return bars;
}

/**
 * The bars of a light with what is skipped where nothing else is planned, in order. Of two that begin together the longer one is
 * first, so that the other is drawn over it, and a pointer reaches both.
 */
export function withSkipped(bars: readonly NightBar[], skipped: readonly NightBar[] = []): NightBar[] {
  const free = skipped.flatMap((bar) => left(bar, bars).map((span) => ({ ...bar, ...span })));
  return [...bars, ...free].toSorted((a, b) => a.from - b.from || b.to - a.to);
}

type Piece = { from: number; to: number };

/** What is left of a stretch beside others. */
function left({ from, to }: Piece, others: readonly Piece[]): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (const other of others.toSorted((a, b) => a.from - b.from)) {
    if (other.to <= at || other.from >= to) continue;
    if (other.from > at) pieces.push({ from: at, to: other.from });
    at = Math.max(at, other.to);
  }
  return at < to ? [...pieces, { from: at, to }] : pieces;
}
