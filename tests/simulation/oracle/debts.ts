import type { Book, Debt } from "./book";
import { cooledAt, isCooling } from "./cooling";
import { clock, MINUTE, queueOf, SECOND, SEEN_WITHIN, SENT_WITHIN, type Desk } from "./desk";
import { finding, healing, hubsReturn, isOther, orphanGrace } from "./standing";
import { turnTakes } from "./turns";

const RUNNERS = 6;
const CLOUD_PAUSED = 15 * SECOND;
/** An answer is settled so much later than it was heard, and what the engine evaluated is seen so much later. */
const SETTLED_WITHIN = SECOND / 10;
/** A read and a write of D1, each as slow as the wire is. */
export const PATIENCE_WITH_D1 = 2 * SECOND;

/** Those that wait for their turn in an area are a wave of their own after the engine was away for so long. */
export const NEW_WAVE_AFTER = 15 * SECOND;

/** Accounts for the time since the last event: what was owed and could have been sent has waited that long. */
export function advance(desk: Desk): void {
  const { world, lamps } = desk;
  const { now } = world;
  const gone = now - desk.seen_until;
  if (world.wire.state.kind !== "up") desk.up_since = now;
  if (world.wire.state.kind === "hung") desk.hung_at = now;
  if (gone <= 0) return;
  const { isOk } = desk;
  desk.ok_since = isOk ? Math.max(desk.ok_since, world.down_until) : now;
  desk.away_ms = isOk ? 0 : desk.away_ms + gone;
  for (const book of desk.books.values()) {
    if (!isOk) desk.grant(book, isOther(desk, book) ? finding(desk, book) : SEEN_WITHIN + MINUTE);
    else if (!lamps.isWell(book.lamp, book.hub)) desk.grant(book, healing(desk, book));
    if (book.owes?.action === "on" && mustCool(desk, book)) continue;
    if (book.want === "on" && isCooling(desk, book)) desk.grant(book, SEEN_WITHIN + MINUTE);
    const turn = book.owes?.action === "on" ? turnTakes(desk, book) : 0;
    if (book.owes) book.owes.turn = turn;
    if (book.owes && turn > 0 && desk.away_ms > NEW_WAVE_AFTER) book.owes.waited = 0;
    if (isOk && book.owes && wait(desk, book, book.id, book, gone, turn)) desk.grant(book, hubsReturn(desk, book));
  }
  for (const orphan of desk.orphans.values()) {
    if (!isOk) orphan.grace_until = Math.max(orphan.grace_until, now + SEEN_WITHIN + MINUTE);
    else if (!lamps.isWell(orphan.lamp, orphan.hub)) desk.grant(orphan, orphanGrace(desk, orphan));
    if (isOk && orphan.owes) wait(desk, orphan, orphan.device_id, orphan, gone);
  }
  // What the engine waits for comes by its clock, which stands still where it was put back.
  if (isOk) desk.waited(Math.max(0, Math.min(gone, world.clock - desk.seen_clock)));
  else if (desk.away_ms > NEW_WAVE_AFTER) desk.newWave();
  desk.seen_until = now;
  desk.seen_clock = Math.max(desk.seen_clock, world.clock);
}

/** What is owed a switch: a light, or a lamp that it left, of whose tries nothing is kept. */
type Tried = { owes: Debt | null } & Partial<Pick<Book, "live" | "isUnsent">>;

/** What could have been sent has waited for so long. Answers whether it fails at once, since its hub is paused. */
function wait(
  desk: Desk,
  of: Tried,
  device: string,
  { lamp, hub }: { lamp: string; hub: string | null },
  gone: number,
  turn = 0,
): boolean {
  const { owes } = of;
  if (!owes) return false;
  const { now } = desk.world;
  if (isBusy(desk, lamp, hub)) return false;
  if (desk.cloud_silent_at + SETTLED_WITHIN > owes.since - CLOUD_PAUSED) {
    takeAsTried(of, owes);
    return false;
  }
  if (hub !== null && !owes.isToggle && (desk.hubs.get(hub)?.paused_until ?? 0) + SETTLED_WITHIN > owes.since) {
    takeAsTried(of, owes);
    return true;
  }
  // A turn comes by the engine's clock, which stands still where it was put back.
  const went = turn > 0 ? Math.min(gone, desk.world.clock - desk.seen_clock) : gone;
  owes.waited += Math.min(went, now - owes.since);
  // Of those that leave in turns the first has waited for D1, and the last waits for it again.
  const asked = turn > 0 ? 2 : 1;
  const patience = SENT_WITHIN + turn + (desk.slow_until >= owes.since ? asked * PATIENCE_WITH_D1 : 0);
  if (owes.waited > patience)
    desk.object(device, `${owes.action.toUpperCase()} is owed since ${clock(owes.since)} and did not leave`);
  return false;
}

/** Its tries have begun, though nothing left: what else wants the same waits for them. */
function takeAsTried(of: Tried, { action }: Debt): void {
  of.owes = null;
  if ("live" in of) Object.assign(of, { live: action, isUnsent: true });
}

/**
 * Whether its ON waits until the lamp has cooled; from then on it may take as long as any other. It goes on waiting where a
 * test, or a hand, has lit the lamp meanwhile: nothing is missing then.
 */
function mustCool(desk: Desk, book: Book): boolean {
  const { now, clock } = desk.world;
  const waits_until = desk.lamps.lit.has(book.lamp) ? (book.owes?.cools_until ?? -Infinity) : -Infinity;
  const cooled_at = Math.max(cooledAt(desk, book) + now - clock, waits_until);
  if (book.owes && cooled_at > book.owes.since)
    book.owes = { ...book.owes, since: Math.min(cooled_at, now), waited: 0, cools_until: cooled_at };
  // Counted from then and not from the last look before it, which may be many minutes ago.
  book.grace_until = Math.max(book.grace_until, Math.min(cooled_at, now) + SEEN_WITHIN + MINUTE);
  return cooled_at > now;
}

/** Whether the queue of this lamp is at work, or all hands are. */
export function isBusy(desk: Desk, lamp: string, hub: string | null): boolean {
  return (desk.inFlight.get(queueOf(lamp, hub)) ?? 0) > 0 || desk.callsUnderWay >= RUNNERS;
}
