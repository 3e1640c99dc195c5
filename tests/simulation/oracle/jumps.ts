import { LONGEST_STANDSTILL_MS } from "#tests/support/engine";
import { advance, NEW_WAVE_AFTER } from "./debts";
import { MINUTE, type Desk } from "./desk";

/** The clock is about to be wrong by `skew_ms`. Put back, the engine's time stands still until the real one has caught up. */
export function noteJump(desk: Desk, skew_ms: number): void {
  advance(desk);
  const { world } = desk;
  // Right after it was hours ahead: whoever wakes next is to hear of it.
  if (desk.ahead_since !== null) return;
  if (skew_ms > LONGEST_STANDSTILL_MS) {
    desk.ahead_since = world.now;
    // A day is over so much sooner.
    for (const orphan of desk.orphans.values()) orphan.grace_until = Infinity;
  }
  const before = world.clock;
  const jump = world.now + skew_ms - before;
  const stands = Math.max(0, -jump);
  desk.seen_clock = Math.max(before, world.now + skew_ms);
  desk.trace.note(null, `the clock jumps by ${jump / 1_000} s`);
  desk.wrong_by = Math.max(desk.wrong_by, Math.abs(skew_ms));
  // What lay in between nobody could be there for.
  desk.ok_since = Math.max(world.now, before, world.now + skew_ms);
  for (const of of [...desk.books.values(), ...desk.orphans.values()])
    of.grace_until = Math.max(of.grace_until + stands, world.now + stands + 2 * MINUTE);
  // Put on by more than a moment, those that wait for their turn are a wave of their own.
  for (const { owes } of desk.books.values()) if (owes?.action === "on" && jump > NEW_WAVE_AFTER) owes.waited = 0;
  if (jump > NEW_WAVE_AFTER) desk.newWave();
  for (const hub of desk.hubs.values()) if (hub.paused_until > world.now) hub.paused_until += stands;
}

/**
 * The engine finds its clock right that was hours ahead: what was to come by it comes so much earlier, and nothing has
 * happened in the future. What people asked for until an instant is theirs, and stays.
 */
export function noteRight(desk: Desk): void {
  const { world, inside } = desk;
  const now = world.clock;
  const by_ms = inside.clock() - now;
  // By some minutes it may be wrong nevertheless, or stand still until the real one has caught up.
  if (desk.ahead_since === null || (world.skew_ms !== 0 && by_ms <= LONGEST_STANDSTILL_MS)) return;
  const stands = now - (world.now + world.skew_ms);
  const since = desk.ahead_since;
  const isFuture = (at: number | null | undefined) => !!at && at >= since && at + by_ms > now;
  const back = <T extends number | null>(at: T) => (at !== null && at > now ? Math.max(now, at - by_ms) : at);
  for (const book of desk.books.values()) {
    const { off_at, cut_at, on_at, hold, emergency, lit_since, dark_since, evaluated_at, asked_at, test_until } = book;
    Object.assign(book, {
      off_at: back(off_at),
      cut_at: back(cut_at),
      on_at: back(on_at),
      hold: hold && { ...hold, since: back(hold.since) },
      emergency: emergency && { ...emergency, since: back(emergency.since) },
      lit_since: back(lit_since),
      dark_since: back(dark_since),
      evaluated_at: back(evaluated_at),
      asked_at: back(asked_at),
      test_until: back(test_until),
    });
    if ((book.reading?.at ?? -Infinity) >= since) book.isMadeGood = true;
    // Of what was sent and read in the future it is not known which was first.
    if (isFuture(book.sent_at) && isFuture(book.reading?.at)) book.reading = null;
    desk.grant(book, stands + 2 * MINUTE);
  }
  for (const orphan of desk.orphans.values()) {
    const { kept_since } = orphan;
    if (kept_since !== null && kept_since >= since) orphan.late_ms = Math.min(by_ms, world.now - kept_since);
  }
  const { changed_at, served_at } = desk.known;
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, zone } = changed_at;
  desk.known = {
    ...desk.known,
    served_at: Math.min(served_at, now),
    changed_at: {
      HARD_CURFEW_OFF: Math.min(HARD_CURFEW_OFF, now),
      BLACKOUT_WINDOW: Math.min(BLACKOUT_WINDOW, now),
      MAX_ON_DURATION_MIN: Math.min(MAX_ON_DURATION_MIN, now),
      zone: Math.min(zone, now),
    },
  };
  for (const one of desk.learned) one.at = Math.min(one.at, now);
  desk.turns.clear();
  desk.rang_at = Math.min(desk.rang_at, now);
  desk.seen_clock = now;
  desk.wrong_by = Math.min(desk.wrong_by, LONGEST_STANDSTILL_MS);
  desk.ahead.push({ from: desk.ahead_since, to: world.now, was_at: now + by_ms });
  // It may have come back by one hour of two.
  desk.ahead_since = world.skew_ms > LONGEST_STANDSTILL_MS ? world.now : null;
  desk.isRight(now);
  desk.trace.note(null, `the engine finds its clock right, which was ${by_ms / 1_000} s ahead`);
}
