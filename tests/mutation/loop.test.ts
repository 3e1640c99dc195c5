import fc from "fast-check";
import { expect, inject, test, vi } from "vitest";
import type { Collected } from "./collected";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- vitest's own, added to
  interface ProvidedContext {
    mutantsUrl: string;
    isInWorkerd: boolean;
  }
}

type Hits = Record<string, number>;
type Switches = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number;
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> };
};
type Job =
  | { kind: "end" }
  | { kind: "cover"; file: string; slow: string }
  | {
      kind: "mutant";
      id: string;
      most_hits: number;
      files: { file: string; tests: { index: number; name: string; patience_ms: number }[] }[];
    };

const files = import.meta.glob([
  "../domain/*.test.ts",
  "../app/**/*.test.ts",
  "../durable/*.test.ts",
  "../providers/*.test.ts",
]);
/** What the code with the mutants in it looks at. */
const switches: Switches = {};
Object.assign(globalThis, { __stryker__: switches });
const emptied = inject("isInWorkerd") ? (await import("./empty")).empty : null;
// A mutant needs one counterexample, not the smallest, and the same one each time.
fc.configureGlobal({ endOnFailure: true, seed: 1 });

test("every mutant that is asked for", { timeout: 0 }, async () => {
  let answer: unknown = null;
  let asked = 0;
  for (;;) {
    const job = await next(answer);
    if (job.kind === "end") break;
    answer = job.kind === "cover" ? await cover(job) : await judge(job);
    asked += 1;
  }
  expect(asked).toBeGreaterThan(0);
});

/** Hands in an answer, and gets the next job for it. */
async function next(answer: unknown): Promise<Job> {
  return (await tell(answer)).json();
}

function tell(what: unknown): Promise<Response> {
  return fetch(inject("mutantsUrl"), { method: "POST", body: what === null ? "" : JSON.stringify(what) });
}

/** Each test by itself: what it reaches, and what is reached by loading its file already. */
async function cover({ file, slow }: Job & { kind: "cover" }) {
  const covered: { static: Hits; perTest: Record<string, Hits> } = { static: {}, perTest: {} };
  switches.mutantCoverage = covered;
  const names = (await load(file)).tests.map(({ name }) => name);
  const tests = [];
  for (const [index, name] of names.entries()) {
    if (new RegExp(slow).test(name)) continue;
    const collected = await load(file);
    switches.currentTestId = String(index);
    const began = Date.now();
    const failure = await run(collected, index);
    switches.currentTestId = undefined;
    tests.push({ index, name, failure, ms: Date.now() - began, hits: covered.perTest[String(index)] ?? {} });
  }
  return { tests, on_load: covered.static };
}

async function judge(job: Job & { kind: "mutant" }) {
  Object.assign(switches, { activeMutant: job.id, hitCount: 0, hitLimit: job.most_hits });
  try {
    for (const { file, tests } of job.files) {
      let collected: Collected;
      try {
        collected = await load(file);
      } catch {
        return { status: "found", by: `${file} does not load` };
      }
      for (const { index, name, patience_ms } of tests) {
        await tell({ testing: patience_ms });
        const failure = await Promise.race([run(collected, index), late(patience_ms)]);
        if (failure === "late") return { status: "hangs", by: name };
        if (failure !== null) return { status: "found", by: `${file}: ${name}` };
      }
    }
    return { status: "survived" };
  } finally {
    switches.activeMutant = undefined;
    switches.hitCount = undefined;
  }
}

/** The file's tests, on a database without rows and on modules that remember nothing. */
async function load(file: string): Promise<Collected> {
  await emptied?.();
  vi.resetModules();
  globalThis.collected = { tests: [], before: [], after: [] };
  await files[file.replace("tests/", "../")]?.();
  return globalThis.collected;
}

async function run({ tests, before, after }: Collected, index: number): Promise<string | null> {
  try {
    for (const body of before) await body();
    await tests[index]?.body();
    return null;
  } catch (error) {
    return String(error);
  } finally {
    for (const body of after) await body();
  }
}

function late(ms: number): Promise<"late"> {
  return new Promise((done) => setTimeout(() => done("late"), ms));
}
