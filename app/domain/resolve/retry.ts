import type { DeviceState, SwitchAction } from "#domain/enums";

export type Verified =
  | { outcome: "ok" }
  | { outcome: "retry"; due_at: number; note: string }
  | { outcome: "fail"; state: DeviceState; note: string };

/**
 * What follows the verification of a send. `attempt` is the number of sends so far, from 1; the n-th is retried after
 * `backoffs_sec[n - 1]` seconds, and with none left the command has failed. A `reading` of null means no answer. `now` and
 * `due_at` are epoch ms.
 */
export function afterVerification(check: {
  action: SwitchAction;
  attempt: number;
  reading: DeviceState | null;
  backoffs_sec: readonly number[];
  now: number;
}): Verified {
  if (check.reading === check.action) return { outcome: "ok" };
  const state = check.reading ?? "unknown";
  const note = state === "unknown" ? "not confirmed" : `still ${state}`;
  const backoff_sec = check.backoffs_sec[check.attempt - 1];
  if (backoff_sec === undefined) return { outcome: "fail", state, note };
  return { outcome: "retry", due_at: check.now + backoff_sec * 1000, note };
}
