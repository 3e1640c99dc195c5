import type { DeviceState } from "#domain/enums";

/** The lamp icon's look in each state: glowing if lit, dashed if unknown. */
export const LAMPS: Record<DeviceState, string> = {
  on: "bg-lit text-lit-ink shadow-[0_0_18px_var(--lit)]",
  off: "bg-sunken text-ink-faint",
  unknown: "border border-dashed border-line-strong text-ink-faint",
};
