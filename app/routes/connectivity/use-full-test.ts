import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { useOrganization } from "#app/components/organization";
import type { FormAnswer } from "#app/forms/form-answer";
import { useNeedsPage } from "#app/router/needed-page";
import type { DeviceChoice } from "#domain/records/records";
import { FAILED } from "./outcomes";
import { runSequence, type Ending, type Step, type StepState } from "./sequence";
import type { Subject } from "./use-ask";

export type FullTest = {
  device_name: string;
  steps: Record<Step, StepState>;
  phase: "running" | "stopping" | Ending;
};

export const COMPLETED = "Full connectivity test completed";

type Ask = (intent: Step | "end", subject: Subject) => Promise<FormAnswer>;
const UNTOUCHED: FullTest["steps"] = { ping: "waiting", status: "waiting", on: "waiting", off: "waiting" };

/** The full test. It runs in the page, can be stopped, and releases the device however it ends. */
export function useFullTest(ask: Ask) {
  const [test, setTest] = useState<FullTest | null>(null);
  const stopping = useRef<AbortController | null>(null);
  const { hold, release } = useHold();

  async function run({ id: device_id, hub_id, name: device_name }: DeviceChoice) {
    const stop = new AbortController();
    stopping.current = stop;
    const subject = { device_id, hub_id: hub_id ?? "" };
    const answers: FormAnswer[] = [];
    hold(device_id);
    setTest({ device_name, steps: UNTOUCHED, phase: "running" });

    const ending = await runSequence({
      hasHub: hub_id !== null,
      ask: async (step) => {
        const answer = await ask(step, subject);
        answers.push(answer);
        return answer;
      },
      show: (step, state) => setTest((now) => now && { ...now, steps: { ...now.steps, [step]: state } }),
      pause: (ms) => pause(ms, stop.signal),
      isStopped: () => stop.signal.aborted,
    });

    // The person left the page, which released the device.
    if (release() === null) return;
    // If this fails, the engine ends the test's hold by itself after 30 s.
    await ask("end", subject);
    setTest((now) => now && { ...now, phase: ending });
    tellEnding(ending, answers);
  }

  function stop() {
    stopping.current?.abort();
    setTest((now) => now && { ...now, phase: "stopping" });
  }

  const isRunning = test?.phase === "running" || test?.phase === "stopping";
  useNeedsPage(isRunning);
  return { test, isRunning, run, stop };
}

/** Remembers the device under test, and releases it as soon as the page or the screen is left. */
function useHold() {
  const { user } = useOrganization();
  const held = useRef<string | null>(null);
  const org_id = user.current_org_id;

  /** Returns the device that was held. */
  const release = useCallback(() => {
    const device_id = held.current;
    held.current = null;
    return device_id;
  }, []);

  useEffect(() => {
    const leave = () => {
      const device_id = release();
      if (device_id !== null) navigator.sendBeacon("/connectivity", formOf({ intent: "end", org_id, device_id }));
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [org_id, release]);

  return {
    hold: (device_id: string) => {
      held.current = device_id;
    },
    release,
  };
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function tellEnding(ending: Ending, answers: FormAnswer[]) {
  const failed = answers.filter(({ ok }) => !ok);
  if (ending === "failed") {
    toast.error(FAILED.end, { description: failed.at(-1)?.toast });
  } else if (ending === "completed") {
    const description = failed.length > 0 ? `${failed.length} of ${answers.length} steps did not succeed` : undefined;
    toast.success(COMPLETED, { description });
  } else {
    toast("Full connectivity test stopped");
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
