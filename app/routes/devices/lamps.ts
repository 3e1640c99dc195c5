import type { DeviceState } from "#domain/enums";

/** How the lamp's icon looks in each state: lit shines, and what is not known is dashed. */
export const LAMPS: Record<DeviceState, string> = {
  on: "bg-lit text-lit-ink shadow-[0_0_18px_var(--lit)]",
  off: "bg-sunken text-ink-faint",
  unknown: "border border-dashed border-line-strong text-ink-faint",
};
