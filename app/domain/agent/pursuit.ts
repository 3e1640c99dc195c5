import type { DeviceState, SwitchAction } from "#domain/enums";

/** When a switch was not verified: the waits before the next tries. */
const BACKOFFS_MS = [10_000, 30_000];
/** An OFF is kept up, and a lamp that is to be lit is looked for, so often. */
const KEPT_UP_MS = 60_000;
const LOOK_AGAIN_MS = 30_000;
const VERIFY_MS = 8_000;

/**
 * One edge of the plan that an agent pursues for a lamp. `look`: to be read first, since only a dark lamp gets an ON;
 * `send`: to be switched; `check`: to be read after that. Each from `due` on, on the monotonic clock (ms).
 */
export type Pursuit = {
  action: SwitchAction;
  step: "look" | "send" | "check";
  due: number;
  attempts: number;
  /** Its failure is in the log already. */
  isTold: boolean;
  why: string;
};

/** What comes of a step: the pursuit as it goes on, or null where it is over; and what is worth logging. */
export type Pursued = { pursuit: Pursuit | null; told: "ok" | "failed" | null };

/** A new pursuit, due at once, at `mono` (monotonic ms): an ON after a look. An OFF is sent without: it harms no dark lamp. */
export function pursue(action: SwitchAction, why: string, mono: number, step = firstStep(action)): Pursuit {
  return { action, step, due: mono, attempts: 0, isTold: false, why };
}

function firstStep(action: SwitchAction): Pursuit["step"] {
  return action === "on" ? "look" : "send";
}

/** After a reading that the pursuit asked for. */
export function afterReading(pursuit: Pursuit, state: DeviceState, mono: number): Pursued {
  if (pursuit.step === "send") return goesOn(pursuit);
  if (state === pursuit.action) return { pursuit: null, told: "ok" };
  if (pursuit.step === "check") return afterFailure(pursuit, state, mono);
  if (state === "unknown") return goesOn({ ...pursuit, due: mono + LOOK_AGAIN_MS });
  return goesOn({ ...pursuit, step: "send", due: mono });
}

/** After a switch. One that may have been done (`isSent`) is checked, one that surely was not is tried again. */
export function afterSwitch(before: Pursuit, isSent: boolean, mono: number): Pursued {
  const pursuit = { ...before, attempts: before.attempts + 1 };
  return isSent ? goesOn({ ...pursuit, step: "check", due: mono + VERIFY_MS }) : afterFailure(pursuit, "unknown", mono);
}

/** After the last try an ON is given up where the lamp is known to be dark; an OFF never is. */
function afterFailure(pursuit: Pursuit, state: DeviceState, mono: number): Pursued {
  const step = firstStep(pursuit.action);
  const wait_ms = BACKOFFS_MS[pursuit.attempts - 1];
  if (wait_ms !== undefined) return goesOn({ ...pursuit, step, due: mono + wait_ms });
  const told = pursuit.isTold ? null : "failed";
  if (pursuit.action === "on" && state === "off") return { pursuit: null, told };
  return { pursuit: { ...pursuit, step, due: mono + KEPT_UP_MS, isTold: true }, told };
}

function goesOn(pursuit: Pursuit): Pursued {
  return { pursuit, told: null };
}
