import type { DeviceState, ProviderName, SwitchAction } from "./words";

/** Spec 5. */
export const DEVICE_REQUIRED = "Please select a device first";

/** What the connectivity tests answer, to the field (spec 7). `timestamp` is when the test ended. */
export type PingAnswer = {
  timestamp: string;
  hub_name: string;
  ip_address: string | null;
  result: { success: boolean; rtt_ms: number | null; detail: string | null; provider: ProviderName | null };
};

export type StatusAnswer = {
  timestamp: string;
  device_name: string;
  result: { success: boolean; state: DeviceState; provider: ProviderName | null; error: string | null };
};

export type TestAnswer = {
  timestamp: string;
  device_name: string;
  action: SwitchAction;
  success: boolean;
  action_result: { success: boolean; provider: ProviderName | null; error: string | null };
  /** Decision 19: an immediate reading, unknown if there was none by 9 s. */
  verification_result: { state: DeviceState };
};
