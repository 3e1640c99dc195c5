import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, about the longest first: started last, one would leave a core idle. Those that mostly wait
 * (main-job, agent-crash, crash) stand among others that compute. Vitest puts long files first only after a run,
 * which a fresh clone has not had.
 */
const LONG = [
  "browser/main-job",
  "browser/agent-crash",
  "browser/screens",
  "browser/devices",
  "browser/crash",
  "browser/settings",
  "browser/detail-pages",
  "browser/without-javascript",
  "browser/dialogs",
  "browser/departments",
  "browser/offline",
  "browser/connectivity",
  "browser/import",
  "browser/map",
  "browser/attention",
  "browser/live",
  "browser/schedules",
  "browser/phone",
  "agent/asleep",
  "admin",
  "deploy",
  "wrangler-dev",
  "worker/generated",
  "worker/hostile-inputs",
  "worker/matrix",
  "worker/live",
  "durable/watchdog",
  "simulation/simulation",
  "durable/agents",
  "durable/providers",
  "durable/alarms",
  "providers/yolink",
];

/** One project after the other as the configuration has them, each in Vitest's order but for its long files. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array
    const sorted = await super.sort(files);
    return this.ctx.projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => rank(a) - rank(b)),
    );
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
  return at === -1 ? LONG.length : at;
}
