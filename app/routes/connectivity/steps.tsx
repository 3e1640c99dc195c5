import { Check, Circle, CircleX, Minus } from "#app/ui/icons";
import type { ReactElement } from "react";
import { classes } from "#app/ui/classes";
import { Spinner } from "#app/ui/spinner";
import { STEPS, type Step, type StepState } from "./sequence";
import { COMPLETED, type FullTest } from "./use-full-test";
import { FAILED } from "./outcomes";

const LABELS: Record<Step, string> = {
  ping: "Ping the hub",
  status: "Check the status",
  on: "Turn on",
  off: "Turn off",
};

const STATES: Record<StepState, { icon: ReactElement; words: string; className: string }> = {
  waiting: { icon: <Circle />, words: "waiting", className: "text-ink-faint" },
  running: { icon: <Spinner />, words: "running", className: "font-medium" },
  ok: { icon: <Check />, words: "done", className: "text-ok-text" },
  failed: { icon: <CircleX />, words: "failed", className: "text-bad-text" },
  skipped: { icon: <Minus />, words: "skipped", className: "text-ink-faint" },
};

const PHASES: Record<FullTest["phase"], string> = {
  running: "Running...",
  stopping: "Stopping...",
  completed: COMPLETED,
  stopped: "Stopped",
  failed: FAILED.end,
};

/** The full test's progress and outcome. */
export function Steps({ test: { device_name, steps, phase } }: { test: FullTest }) {
  return (
    <section aria-label="Full test" className="bg-sunken rounded-lg px-4 py-3">
      <div className="flex flex-wrap justify-between gap-x-4">
        <h2 className="font-semibold">{device_name}</h2>
        {/* Of its end a toast says more. */}
        <p role={isOver(phase) ? undefined : "status"}>{PHASES[phase]}</p>
      </div>
      {steps.ping === "skipped" && (
        <p className="text-ink-soft mt-1">This device has no hub, so the test starts at the status check.</p>
      )}
      <ol className="mt-2 grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
        {STEPS.map((step) => (
          <li
            key={step}
            data-state={steps[step]}
            className={classes(
              "flex items-center gap-2 [&>svg]:size-4 [&>svg]:shrink-0",
              STATES[steps[step]].className,
            )}
          >
            {STATES[steps[step]].icon}
            <span>{LABELS[step]}</span>
            <span className={steps[step] === "skipped" ? "text-xs" : "sr-only"}>{STATES[steps[step]].words}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const isOver = (phase: FullTest["phase"]) => phase !== "running" && phase !== "stopping";
