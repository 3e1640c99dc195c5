import { darkAt, type Limits } from "#domain/guardrails/device-limits";
import { formatMoment } from "#domain/time/display";
import { closedFor, maxOnReached, titlesOf } from "#domain/resolve/reason-sentence";
import type { Resolved } from "#domain/resolve/rungs";
import type { SwitchAction } from "#domain/enums";

/** A person's ON or OFF until an instant (epoch ms). */
export type HoldToggle = { action: SwitchAction; until: number; reason: string | null };

/**
 * What a toggle with an end is answered with. It names the light's real end, which may be another than the one asked for:
 * 'On until 7:30 PM: rain', 'On until 12:00 AM: blackout', 'Off until tomorrow 9:30 PM'. `last` is what keeps the light on last, and
 * `end` (epoch ms) when it goes off; `now` is epoch ms, too.
 */
export function heldUntil(
  { action, until, reason }: HoldToggle,
  last: Resolved,
  limits: Limits,
  now: number,
  end: number | null = endOf(last),
): string {
  const { zone } = limits.guardrails;
  const moment = (at: number) => formatMoment(at, zone, now);
  if (action === "off" || end === null || end === until) return sentence(action, moment(until), reason);
  if (end < until) return sentence(action, moment(end), endedBy(end, last, limits));
  return sentence(action, moment(end), keptOnBy(last));
}

function endOf({ reason }: Resolved): number | null {
  return "until" in reason ? reason.until : null;
}

function sentence(action: SwitchAction, until: string, why: string | null): string {
  const lead = `${action === "on" ? "On" : "Off"} until ${until}`;
  return why === null ? lead : `${lead}: ${why}`;
}

/** What keeps the light on for longer than was asked for. */
function keptOnBy({ reason }: Resolved): string {
  if (reason.kind === "claim") return titlesOf(reason.claims);
  return reason.kind === "emergency" ? "emergency" : "switched on by a person";
}

/** What darkens the light at that instant. */
function endedBy(at: number, { reason, instants }: Resolved, limits: Limits): string {
  const dark = darkAt(limits, at);
  if (dark !== null) return dark.kind === "closure" ? closedFor(dark.reason) : dark.kind;
  // Under the emergency the dark time has ended or refused what was asked for.
  if (reason.kind === "emergency" && instants.hold_action === null) return "emergency";
  return maxOnReached(limits.guardrails.MAX_ON_DURATION_MIN);
}
