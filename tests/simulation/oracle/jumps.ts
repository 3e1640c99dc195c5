import { advance, NEW_WAVE_AFTER } from "./debts";
import { MINUTE, type Desk } from "./desk";

/** The clock is about to be wrong by `skew_ms`. Put back, the engine's time stands still until the real one has caught up. */
export function noteJump(desk: Desk, skew_ms: number): void {
  advance(desk);
  const { world } = desk;
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
