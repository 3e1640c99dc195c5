import type { DeviceState, SwitchAction } from "#domain/enums";

/** A device's memory: all that resolve knows of what happened before. Instants are epoch ms. */
export type Instants = {
  /** A person's OFF without an end: only claims that begin later count. */
  off_at: number | null;
  /** When the longest time on cut it, and after how many minutes: only claims that begin later count. */
  cut_at: number | null;
  cut_min: number | null;
  /** A person's ON without an end, while no claim counted. */
  on_at: number | null;
  /** A person's ON or OFF until an instant. */
  hold_action: SwitchAction | null;
  hold_until: number | null;
  /** An emergency's ON; it stands beside a hold and beats it. */
  emergency_until: number | null;
  /** When the first ON was sent or read: the light may be lit since then. */
  lit_since: number | null;
  lit_by: "us" | "external";
};

/** A device of which nothing is remembered. */
export const NO_INSTANTS: Instants = {
  off_at: null,
  cut_at: null,
  cut_min: null,
  on_at: null,
  hold_action: null,
  hold_until: null,
  emergency_until: null,
  lit_since: null,
  lit_by: "us",
};

export const NO_HOLD = { hold_action: null, hold_until: null } as const;
export const NO_CUT = { cut_at: null, cut_min: null } as const;

/** A light that a hand lit is ours from now on: what nothing keeps on gets an OFF. */
export function ours(instants: Instants): Instants {
  return { ...instants, lit_by: "us" };
}

/** After an ON was sent: the device counts as lit by us, since the first such ON. */
export function sentOn(instants: Instants, now: number): Instants {
  return { ...instants, lit_since: instants.lit_since ?? now, lit_by: "us" };
}

/**
 * After a person's OFF, which is sent whatever is known of the lamp: it may be lit by a hand that nobody has seen yet, and is
 * ours to put out until a reading says that it is off.
 */
export function owesOff(instants: Instants, now: number): Instants {
  return { ...ours(instants), lit_since: instants.lit_since ?? now };
}

/** After a reading (verification, status or device report, never the answer to our own OFF). Unknown changes nothing. */
export function sawState(instants: Instants, state: DeviceState, now: number): Instants {
  if (state === "off") return { ...instants, lit_since: null };
  if (state === "on" && instants.lit_since === null) return { ...instants, lit_since: now, lit_by: "external" };
  return instants;
}

/**
 * After the last retry of a manual ON without an end failed: ends it, since nobody wants the park lit hours later. An
 * earlier one is restored, unless something else ended it meanwhile. A hold and an emergency are kept up until their end.
 */
export function ladderFailed(instants: Instants, on_at_before: number | null): Instants {
  return { ...instants, on_at: instants.on_at === null ? null : on_at_before };
}
