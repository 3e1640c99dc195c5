import { z } from "zod";

/**
 * How late the scheduler may be before people are told: far above what a city that switches ten thousand lights at dusk
 * takes, and short of what a field that stays lit or dark is noticed by.
 */
export const LATE_MS = 3 * 60_000;

/** The sweep comes every five minutes. */
export const SWEEP_LATE_MS = 20 * 60_000;

const age = z.int().min(0).nullable().describe("Seconds; null where nothing waits, or nothing is known");
const count = z.int().min(0);

/** What an organization's scheduler said of itself at `as_of`. */
const schedulerHealth = z.object({
  as_of: z.iso.datetime(),
  overdue: z
    .object({ count, oldest_age_sec: age })
    .describe("Timers that should have been served; low-priority re-checks do not count"),
  last_tick_age_sec: age,
  outbox: z.object({ count, oldest_age_sec: age }).describe("Records that the database does not have yet"),
});

/** The same, with what only whoever runs the deployment is told. */
const schedulerReport = schedulerHealth.extend({
  schema_version: count.describe("Of the object's own tables, as the code wants them"),
  set_aside: count.describe("Records that the database has refused"),
  agents_connected: count,
  next_alarm_at: z.iso.datetime().nullable(),
});
export type SchedulerReport = z.infer<typeof schedulerReport>;

const database = z.object({
  ok: z.boolean(),
  schema: z.string().nullable().describe("The last migration that was applied; null where that is not known"),
  wanted_schema: z.string().describe("The last one that this release knows"),
});

const state = z
  .enum(["on_time", "late", "no_answer", "unknown"])
  .describe(
    "Unknown: it has not been asked yet. The fields of a scheduler that does not answer are its last answer's.",
  );

const overview = z.object({
  status: z.enum(["ok", "failing"]).describe("With failing the answer is 503"),
  detail: z.string().optional().describe("What is failing"),
  version: z.string(),
  commit: z.string().nullable(),
  database,
  last_sweep_age_sec: age.describe(
    "Seconds since the sweep looked after the schedulers, each 5 minutes; null: not yet",
  ),
});

/** What anybody may know of the deployment. */
export const publicHealth = overview.extend({
  organizations: z.array(schedulerHealth.partial().extend({ id: z.string().describe("A keyed hash"), state })),
});
export type PublicHealth = z.infer<typeof publicHealth>;

/** Whether what was due has waited for longer than LATE_MS. */
export function isLate({ overdue }: Pick<SchedulerReport, "overdue">): boolean {
  return (overdue.oldest_age_sec ?? 0) * 1000 > LATE_MS;
}
