import type { Handler, Fallbacks, Outcome } from "#app/forms/form-answer";
import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/hubs/connectivity";
import { isRefusal } from "#domain/errors";
import type { SwitchAction } from "#domain/enums";

/** The toasts for calls without an answer. */
export const FAILED = {
  ping: "Hub ping failed",
  status: "Device status check failed",
  on: "Device on test failed",
  off: "Device off test failed",
  end: "Connectivity test failed",
} as const satisfies Fallbacks;

/** The texts for the hardware's answers, with the engine's time. */
export function pinged(ping: () => Promise<PingAnswer>): Handler {
  return outcome(ping, FAILED.ping, ({ hub_name, result: { success, rtt_ms, detail } }) => ({
    ok: success,
    toast: success ? `Hub ${hub_name} is online (${rtt_ms}ms)` : `Hub ${hub_name} is offline: ${detail}`,
    detail: null,
  }));
}

export function read(readState: () => Promise<StatusAnswer>): Handler {
  return outcome(readState, FAILED.status, ({ device_name, result: { success, state, error } }) => ({
    ok: success,
    toast: success ? `Device ${device_name} is ${state}` : `Failed to get status for ${device_name}`,
    detail: error,
  }));
}

export function switched(testSwitch: () => Promise<TestAnswer>, action: SwitchAction): Handler {
  return outcome(testSwitch, FAILED[action], ({ device_name, success, action_result, verification_result }) => ({
    ok: success,
    toast: success
      ? `Device ${device_name} turned ${action} successfully`
      : `Failed to turn ${action} device ${device_name}`,
    detail: success ? null : (action_result.error ?? `It answered, but reads ${verification_result.state}`),
  }));
}

function outcome<Of extends { timestamp: string }>(
  run: () => Promise<Of>,
  failed: string,
  words: (of: Of) => Omit<Outcome, "at">,
): Handler {
  return {
    run: async () => {
      try {
        const of = await run();
        return { ...words(of), at: of.timestamp };
      } catch (caught) {
        if (!isRefusal(caught) || caught.code !== "unavailable") throw caught;
        return { ok: false, toast: failed, detail: caught.detail };
      }
    },
  };
}
