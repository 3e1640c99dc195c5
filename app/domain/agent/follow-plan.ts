import { isIn } from "./lamp-spans";
import { tooLate, type LampOnSite, type Now, type Told } from "./lamp-on-site";
import { pursue, type Pursuit } from "./pursuit";
import type { PlannedLamp, StandingPlan } from "./standing-plan";
import { edgeBetween, plannedUntil } from "./wanted";

/** What the plan asks of one lamp now, after the edges since `since` (epoch ms), and what there is to tell. */
export function followPlan(
  before: LampOnSite,
  planned: PlannedLamp,
  { expires }: Pick<StandingPlan, "expires">,
  since: number,
  now: Now,
): { lamp: LampOnSite; told: Told | null } {
  const edge = edgeBetween(planned, expires, since, now.at);
  if (plannedUntil(planned, expires, now.at) !== null) {
    // One without an off-timer the city reaches by the cloud, too: it may be dark because somebody wants it so.
    const isDue = edge === "on" || (before.isOwed && planned.has_off_timer);
    const lamp = isDue ? { ...before, isOwed: false, pursuit: light(before, planned, since, now) } : before;
    return { lamp: isOnTooLong(lamp, planned, now) ? putOut(lamp, "On for the longest time", now) : lamp, told: null };
  }
  const { lamp, told } = before.pursuit?.action === "on" ? tooLate(before) : { lamp: before, told: null };
  if (edge === "off") return { lamp: putOut(lamp, "Off by the agent's own plan", now), told };
  if (edge === "dark" && lamp.state === "on") return { lamp: putOut(lamp, "It may not be lit now", now), told };
  if (lamp.isOurs && lamp.state !== "off") return { lamp: putOut(lamp, "Off by the agent's own plan", now), told };
  return { lamp: isOnTooLong(lamp, planned, now) ? putOut(lamp, "On for the longest time", now) : lamp, told };
}

/**
 * A lamp that is lit gets no ON, but where a span follows another without a break: its own timer may have been set for the
 * one that ended, and would put it out.
 */
function light({ state }: LampOnSite, { on, has_off_timer }: PlannedLamp, since: number, { at, mono }: Now): Pursuit {
  const hasEnded = on.some(([, to]) => to > since && to <= at);
  const setsTimer = has_off_timer && state === "on" && hasEnded;
  return pursue("on", "On by the agent's own plan", mono, setsTimer ? "send" : "look");
}

function putOut(lamp: LampOnSite, why: string, { mono }: Now): LampOnSite {
  return lamp.pursuit?.action === "off" ? lamp : { ...lamp, pursuit: pursue("off", why, mono) };
}

/** Counted from when it was seen lit, and from the beginning of each span. */
function isOnTooLong({ state, lit_since }: LampOnSite, { on, max_on_ms }: PlannedLamp, { at }: Now): boolean {
  if (state !== "on" || lit_since === null || max_on_ms === null) return false;
  const [from] = on.find((span) => isIn(span, at)) ?? [lit_since];
  return at - Math.max(lit_since, from) >= max_on_ms;
}
