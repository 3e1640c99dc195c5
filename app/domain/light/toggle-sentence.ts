import { darkAt, type Limits } from "#domain/guardrails/device-limits";
import { formatClock } from "#domain/time/display";
import { closedFor, maxOnReached, titlesOf } from "#domain/resolve/reason-sentence";
import type { Resolved } from "#domain/resolve/rungs";
import type { SwitchAction } from "#domain/enums";

/** A person's ON or OFF until an instant (epoch ms). */
export type HoldToggle = { action: SwitchAction; until: number; reason: string | null };

/**
 * What a toggle with an end is answered with. It names the light's real end, which may be another than the one asked for:
 * 'On until 7:30 PM: rain', 'On until 12:00 AM: blackout', 'Off until 9:30 PM'.
 */
export function heldUntil({ action, until, reason }: HoldToggle, { reason: why }: Resolved, limits: Limits): string {
  const { zone } = limits.guardrails;
  const asked = sentence(action, until, reason, zone);
  if (action === "off" || !("until" in why) || why.until === null || why.until === until) return asked;
  if (why.until < until) return sentence(action, why.until, endedBy(why.until, limits), zone);
  return sentence(action, why.until, why.kind === "claim" ? titlesOf(why.claims) : "emergency", zone);
}

function sentence(action: SwitchAction, until: number, why: string | null, zone: string): string {
  const lead = `${action === "on" ? "On" : "Off"} until ${formatClock(until, zone)}`;
  return why === null ? lead : `${lead}: ${why}`;
}

/** What darkens the light at that instant. */
function endedBy(at: number, limits: Limits): string {
  const dark = darkAt(limits, at);
  if (dark === null) return maxOnReached(limits.guardrails.MAX_ON_DURATION_MIN);
  return dark.kind === "closure" ? closedFor(dark.reason) : dark.kind;
}
