import type { CommandSource, DeviceState, SwitchAction } from "./words";

/** What resolve saw of one device: why its light is as it is, and when that can change. Instants are ISO 8601. */
export type Explanation = {
  device_id: string;
  state: "on" | "off" | "none";
  reason: "curfew" | "blackout" | "max_on" | "claim" | "manual_on" | "owed_off" | "hand" | "idle";
  /** For people: 'On until 22:00: Little League practice'. */
  sentence: string;
  claims: { schedule_id: string; title: string; start_at: string; end_at: string }[];
  press: { off_at: string | null; on_at: string | null };
  lit_since: string | null;
  guardrail: { kind: "curfew" | "blackout"; until: string } | null;
  next_change_at: string | null;
  next_start_at: string | null;
  reported: { state: DeviceState; at: string | null };
  command: { action: SwitchAction; source: CommandSource; attempt: number; phase: string } | null;
};
