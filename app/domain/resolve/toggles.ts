import { darkAt, type DarkReason, type Limits } from "#domain/guardrails/device-limits";
import { NO_CUT, NO_HOLD, ours, type Instants } from "./instants";
import type { Claim } from "./reason";

/** An ON that something keeps dark is refused and changes nothing. */
export type Toggled = { refused: DarkReason } | { instants: Instants };

/**
 * A person's ON. Current claims count again, max on restarts, and on_at is stored only if no claim holds the light on.
 */
export function toggleOn(toggle: { now: number; claims: Claim[]; instants: Instants; limits: Limits }): Toggled {
  const { now, claims } = toggle;
  return unlessDark(toggle, (instants) => ({
    ...restarted(instants, now),
    ...NO_CUT,
    ...NO_HOLD,
    off_at: null,
    on_at: claims.length === 0 ? now : null,
  }));
}

/** A person's ON until an instant (epoch ms). Max on restarts; claims that an OFF or a cut ended stay ended after it. */
export function holdOn(toggle: { now: number; until: number; instants: Instants; limits: Limits }): Toggled {
  const { now, until: hold_until } = toggle;
  return unlessDark(toggle, (instants) => ({
    ...restarted(instants, now),
    hold_action: "on",
    hold_until,
    on_at: null,
  }));
}

/** A person's OFF. Never refused; an external light is ours to switch off from now on, and an emergency is over. */
export function toggleOff(toggle: { now: number; instants: Instants }): Instants {
  return { ...ours(toggle.instants), ...NO_HOLD, off_at: toggle.now, on_at: null, emergency_until: null };
}

/** A person's OFF until an instant (epoch ms): what still runs then counts again. Never refused. */
export function holdOff(toggle: { until: number; instants: Instants }): Instants {
  const { instants, until: hold_until } = toggle;
  return { ...ours(instants), hold_action: "off", hold_until, on_at: null, emergency_until: null };
}

/** Back to the schedule: forgets what people toggled, but neither a cut nor an emergency. */
export function toggleAuto(instants: Instants): Instants {
  return { ...ours(instants), ...NO_HOLD, off_at: null, on_at: null };
}

/** An emergency's ON until an instant (epoch ms). Nothing refuses it, and everything goes on underneath. */
export function declareEmergency(toggle: { until: number; instants: Instants }): Instants {
  return { ...toggle.instants, emergency_until: toggle.until };
}

function unlessDark(
  { now, instants, limits }: { now: number; instants: Instants; limits: Limits },
  change: (instants: Instants) => Instants,
): Toggled {
  const refused = darkAt(limits, now);
  if (refused === null) return { instants: change(instants) };
  // The light is on already, and what is asked now would not outlast the emergency.
  return (instants.emergency_until ?? now) > now ? { instants } : { refused };
}

function restarted(instants: Instants, now: number): Instants {
  return { ...ours(instants), lit_since: instants.lit_since === null ? null : now };
}
