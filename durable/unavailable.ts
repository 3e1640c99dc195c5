import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/hubs/connectivity";
import type { SwitchAction, ToggleAction } from "#domain/enums";
import type { HubAccountList } from "#domain/hubs/hub-account";
import type { MessageTest } from "#domain/messages/message-choice";
import type { EmailTest } from "#domain/messages/message-settings";
import type { ToggleResult, ToggleRow } from "#domain/records/records";
import { toIso } from "#domain/time/to-iso";

const SENTENCE = "The scheduler is being updated. Try again in a few minutes.";

/** What people are answered while the object's database is newer than this release, and nothing may be touched. */
export const unavailable = {
  sentence: SENTENCE,
  toggle: (action: ToggleAction): ToggleResult => ({
    success: false,
    action,
    state: "unknown",
    provider: null,
    detail: SENTENCE,
  }),
  row: (device_id: string): ToggleRow => ({ device_id, success: false, pending: false, detail: SENTENCE }),
  list: (): HubAccountList => ({ ok: false, reason: "unavailable", detail: SENTENCE }),
  email: (): EmailTest => ({ success: false, detail: SENTENCE }),
  message: (): MessageTest => ({ success: false, detail: SENTENCE }),
  ping: (now: number): PingAnswer => ({
    timestamp: toIso(now),
    hub_name: "Unknown Hub",
    ip_address: null,
    result: { success: false, rtt_ms: null, detail: SENTENCE, provider: null },
  }),
  status: (now: number): StatusAnswer => ({
    timestamp: toIso(now),
    device_name: "Unknown Device",
    result: { success: false, state: "unknown", provider: null, error: SENTENCE },
  }),
  test: (now: number, action: SwitchAction): TestAnswer => ({
    timestamp: toIso(now),
    device_name: "Unknown Device",
    action,
    success: false,
    action_result: { success: false, provider: null, error: SENTENCE },
    verification_result: { state: "unknown" },
  }),
};
