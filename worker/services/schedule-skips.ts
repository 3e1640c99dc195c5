import { compare } from "#domain/compare";
import { withNights } from "#db/nights";
import { schedules } from "#db/schedules";
import { comingWindows } from "#domain/schedule/coming-windows";
import { MAX_SKIPPED, skipInput, TOO_MANY_SKIPPED } from "#domain/schedule/nights-schema";
import { occurrences, windowOn } from "#domain/schedule/recurrence";
import type { Schedule, SkippedDate } from "#domain/records/records";
import type { Recurring } from "#domain/schedule/schedule";
import { daysBefore } from "#worker/archive/utc-days";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { parse } from "#worker/services/parse";
import { found, invalid } from "#worker/services/refuse";
import type { Scope, Statement } from "#worker/services/scope";

export type SkipVerb = "skip" | "unskip";
/** The caller's version, and what is written in the same batch. */
type Write = { if_match: number | undefined; more: Statement[] };

/**
 * Skips one night of a schedule that may be written, or no longer skips it; doing it again changes the reason at most. It
 * writes the list of all nights, so that must be the list that was read: see `readAnew`. Refuses with `invalid` a night that
 * the schedule does not have or that is over, and with `conflict` where it is closed or has another version by then.
 */
export async function setSkipped(
  scope: Scope,
  shown: Schedule,
  input: unknown,
  verb: SkipVerb,
  { if_match, more }: Write,
): Promise<void> {
  const { db, org_id } = scope;
  const now = scope.now();
  const repository = schedules(db, org_id, () => now.toISOString());
  const { date: asked, start_at, reason } = parse(skipInput, input);
  const [row] = await withNights(db, org_id, await repository.nights(shown.id));
  const { id, version, skips, ...schedule } = found(row, "Schedule");
  const known: SkippedDate[] = skips ?? [];
  const date = asked ?? dateOf(schedule, Date.parse(start_at ?? ""));
  const window = windowOn(schedule, date);
  if (verb === "skip" && window === null) throw invalid("date", "This schedule does not happen on that date");
  if (verb === "skip" && window !== null && window.end <= now.getTime()) throw invalid("date", "That night is over");

  const others = known.filter((each) => each.date !== date);
  const last = known.find((each) => each.date === date);
  const why = reason ?? null;
  // Who sends the form again with another reason is not to be told that it was skipped, and read the one before.
  if (verb === "unskip" ? !last : last && (reason === undefined || last.reason === why)) return;
  const skipped = [...others, { date, reason: why }].toSorted((a, b) => compare(a.date, b.date));
  const next = verb === "unskip" ? others : withRoom(skipped, daysBefore(now.getTime(), scope.log_days));
  if (next.length > MAX_SKIPPED) throw invalid("date", TOO_MANY_SKIPPED);
  const coming = comingWindows({ ...schedule, skips: next }, now.getTime());
  const before = { ...shown, version, exdates: known.map((each) => each.date) };
  const after = { ...before, exdates: next.map((each) => each.date), reason: why };
  await commit(scope, "schedule", [
    repository.skip(id, next, coming, if_match ?? version),
    audited(scope, verb, "schedule", id, { before, after }),
    ...more,
  ]);
}

/**
 * Of more dates than a schedule may skip the first ones make room, where they are before `oldest`: no log tells of such a
 * night any more. After some years of rain no other night could be skipped else.
 */
function withRoom(skips: SkippedDate[], oldest: string): SkippedDate[] {
  const over = skips.length - MAX_SKIPPED;
  return skips.filter(({ date }, n) => n >= over || date >= oldest);
}

/** The date of the night that starts at an instant, or runs then: after midnight 'tonight' is the one of yesterday. */
function dateOf(schedule: Recurring, at: number): string {
  const nights = occurrences({ ...schedule, calendar: null }, at, at + 1);
  const night = nights.find(({ start }) => start === at) ?? nights[0];
  if (!night) throw invalid("start_at", "This schedule has no window then");
  return night.date;
}
