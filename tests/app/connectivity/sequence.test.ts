import { expect, test } from "vitest";
import { runSequence, type Step, type StepState } from "#app/routes/connectivity/sequence";

type Bench = Parameters<typeof runSequence>[0];

test("the full test pings, reads, turns on and turns off, with the specified pauses", async () => {
  const { told, bench } = aBench({});
  expect(await runSequence(bench)).toBe("completed");
  expect(told.join(", ")).toBe(
    "ping running, ping ok, 1000 ms, status running, status ok, 1000 ms, " +
      "on running, on ok, 2000 ms, off running, off ok, 0 ms",
  );
});

test("the test starts at the status check, without a pause, if the hub is unknown", async () => {
  const { told, bench } = aBench({ hasHub: false });
  expect(await runSequence(bench)).toBe("completed");
  expect(told.slice(0, 2)).toEqual(["ping skipped", "status running"]);
});

test("a failed step does not end the test, one without an answer does", async () => {
  const offline = aBench({ ask: async (step) => answer({ ok: step !== "ping" }) });
  expect(await runSequence(offline.bench)).toBe("completed");
  expect(offline.told).toContain("ping failed");

  const unanswered = aBench({
    ask: async (step) => (step === "on" ? { ...answer({ ok: false }), at: undefined } : answer({})),
  });
  expect(await runSequence(unanswered.bench)).toBe("failed");
  expect(unanswered.told.at(-1)).toBe("on failed");
});

test.each(["ping", "status", "on"] as const)(
  "stopped during %s, it hears that out and goes no further",
  async (during) => {
    let isStopped = false;
    const { told, bench } = aBench({
      ask: async (step) => {
        isStopped = step === during;
        return answer({});
      },
      isStopped: () => isStopped,
    });
    expect(await runSequence(bench)).toBe("stopped");
    expect(told.at(-1)).toBe(`${during} ok`);
  },
);

function aBench(more: Partial<Bench>) {
  const told: string[] = [];
  const bench: Bench = {
    hasHub: true,
    ask: async () => answer({}),
    show: (step: Step, state: StepState) => void told.push(`${step} ${state}`),
    pause: async (ms) => void told.push(`${ms} ms`),
    isStopped: () => false,
    ...more,
  };
  return { told, bench };
}

function answer({ ok = true }: { ok?: boolean }) {
  return { ok, toast: "", detail: null, errors: {}, at: "2026-11-20T20:00:00.000Z" };
}
