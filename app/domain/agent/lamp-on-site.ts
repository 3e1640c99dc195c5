import type { DeviceState, SwitchAction } from "#domain/enums";
import type { AgentLogEntry } from "./frames";
import { afterReading, afterSwitch, type Pursued, type Pursuit } from "./pursuit";

/**
 * What time it is on site: `at` by the city's clock (epoch ms), `mono` by one that never jumps (ms). Where `at` is not
 * trusted, as after a start without the city and without network time, nothing is lit.
 */
export type Now = { at: number; mono: number; isTrusted: boolean };

/** What the agent knows of a lamp of the plan. */
export type LampOnSite = {
  /** What a reading last said; `unknown` after a switch. */
  state: DeviceState;
  /** Since when it has been seen lit (epoch ms). */
  lit_since: number | null;
  /** The city or the agent lit it, and it was not seen dark since. */
  isOurs: boolean;
  /** The city, or the agent before the city was back, tried last to light it, and it was not seen lit since. */
  isOwed: boolean;
  /** When it was last asked for its state, on the monotonic clock. */
  read_at: number | null;
  /** What is under way, and since when on the monotonic clock. */
  asked: { what: "read" | SwitchAction; since: number } | null;
  pursuit: Pursuit | null;
};

/** What is worth telling the city. */
export type Told = Pick<AgentLogEntry, "kind" | "action" | "state" | "ok" | "attempts" | "note">;

type Changed = { lamp: LampOnSite; told: Told | null };

export const UNSEEN: LampOnSite = {
  state: "unknown",
  lit_since: null,
  isOurs: false,
  isOwed: false,
  read_at: null,
  asked: null,
  pursuit: null,
};

/** A switch was tried for the city; `isSent`: it may have been done. */
export function commanded(before: LampOnSite, action: SwitchAction, isSent: boolean): LampOnSite {
  const lamp = { ...before, isOwed: action === "on" };
  return isSent ? { ...lamp, state: "unknown", isOurs: lamp.isOurs || action === "on" } : lamp;
}

/** A reading; one without an answer (`unknown`) leaves what was known. */
export function read(before: LampOnSite, state: DeviceState, now: Now): Changed {
  const asked = before.asked?.what === "read" ? null : before.asked;
  const lamp = state === "unknown" ? { ...before, asked } : seen({ ...before, asked }, state, now);
  // A reading from before the switch that is under way says nothing of it.
  if (lamp.pursuit && asked === null) return pursued(lamp, afterReading(lamp.pursuit, state, now.mono), state);
  const isNews = lamp.state !== before.state;
  const note = "Seen while the city was away";
  return { lamp, told: isNews ? { kind: "state", action: null, state, ok: true, attempts: 0, note } : null };
}

function seen(lamp: LampOnSite, state: "on" | "off", { at }: Now): LampOnSite {
  if (state === "off") return { ...lamp, state, lit_since: null, isOurs: false };
  return { ...lamp, state, lit_since: lamp.lit_since ?? at, isOwed: false };
}

/** The answer to the agent's own switch. */
export function switched(before: LampOnSite, isSent: boolean, now: Now): Changed {
  const action = before.asked?.what ?? "read";
  const lamp: LampOnSite = { ...before, asked: null, ...(isSent && { state: "unknown" }) };
  // Meanwhile the plan may have asked for the opposite.
  if (lamp.pursuit?.action !== action || lamp.pursuit.step !== "send") return { lamp, told: null };
  return pursued(lamp, afterSwitch(lamp.pursuit, isSent, now.mono), "unknown");
}

function pursued(lamp: LampOnSite, { pursuit, told }: Pursued, state: DeviceState): Changed {
  const was = lamp.pursuit;
  const isOurs = lamp.isOurs || (was?.action === "on" && state === "on");
  return { lamp: { ...lamp, pursuit, isOurs }, told: was && told && edgeTold(was, told === "ok", state, pursuit) };
}

function edgeTold(was: Pursuit, ok: boolean, state: DeviceState, pursuit: Pursuit | null): Told {
  return { kind: "edge", action: was.action, state, ok, attempts: pursuit?.attempts ?? was.attempts, note: was.why };
}

/**
 * The city decides again. What was sent and could not be verified is told: the lamp may be switched,
 * and its own timer may run.
 */
export function leave(before: LampOnSite): Changed {
  const lamp = withSent(before);
  const { pursuit, state } = lamp;
  const isUntold = pursuit !== null && pursuit.attempts > 0 && !pursuit.isTold;
  const told = isUntold ? edgeTold(pursuit, false, state, null) : null;
  // The city may be gone again before it has tried.
  const isOwed = lamp.isOwed || pursuit?.action === "on";
  return { lamp: { ...lamp, asked: null, pursuit: null, isOwed }, told };
}

/** A switch that is under way counts as one that was sent, where nobody may hear what becomes of it. */
export function withSent(lamp: LampOnSite): LampOnSite {
  const { pursuit, asked } = lamp;
  if (pursuit?.step !== "send" || asked?.what !== pursuit.action) return lamp;
  return { ...lamp, state: "unknown", pursuit: { ...pursuit, attempts: pursuit.attempts + 1 } };
}

/** An ON whose time is over before it could be done. */
export function tooLate(lamp: LampOnSite): Changed {
  const { pursuit, state } = lamp;
  const told = pursuit && !pursuit.isTold ? edgeTold(pursuit, false, state, null) : null;
  return { lamp: { ...lamp, pursuit: null }, told };
}
