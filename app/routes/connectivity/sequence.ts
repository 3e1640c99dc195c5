import type { FormAnswer } from "#app/forms/form-answer";

/** The steps of the full test, in order. */
export const STEPS = ["ping", "status", "on", "off"] as const;
export type Step = (typeof STEPS)[number];
export type StepState = "waiting" | "running" | "ok" | "failed" | "skipped";
/** `failed` means a call without an answer. A device that does not obey is a result, after which the test goes on. */
export type Ending = "completed" | "stopped" | "failed";

/** How long to wait after each step. */
const PAUSES_MS: Record<Step, number> = { ping: 1000, status: 1000, on: 2000, off: 0 };

type Bench = {
  /** Without a hub there is nothing to ping. */
  hasHub: boolean;
  ask: (step: Step) => Promise<FormAnswer>;
  show: (step: Step, state: StepState) => void;
  pause: (ms: number) => Promise<void>;
  isStopped: () => boolean;
};

/** Runs the full test step by step. Stopping waits for the answer of the current step. */
export async function runSequence({ hasHub, ask, show, pause, isStopped }: Bench): Promise<Ending> {
  for (const step of STEPS) {
    if (step === "ping" && !hasHub) {
      show(step, "skipped");
      continue;
    }
    show(step, "running");
    const { ok, at } = await ask(step);
    show(step, ok ? "ok" : "failed");
    if (at === undefined) return "failed";
    if (!isStopped()) await pause(PAUSES_MS[step]);
    if (isStopped() && step !== "off") return "stopped";
  }
  return "completed";
}
