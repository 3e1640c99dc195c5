import type { Answered } from "#db/scheduler-health";
import { causeOf } from "#domain/errors";
import type { SchedulerReport } from "#domain/alarms/scheduler-health";
import type { Bindings } from "#worker/wiring";
import { log } from "#worker/log";
import { withPatience } from "#worker/patience";
import { objectOf } from "#worker/scheduler";

/** A worker may have six connections at a time. */
const AT_ONCE = 6;

/**
 * Asks each scheduler how it is: `ensure` sets its alarm too, `report` only looks. One that fails, or is silent for
 * `patience_ms`, holds up no other.
 */
export async function askAll(
  { SCHEDULER }: Pick<Bindings, "SCHEDULER">,
  verb: "ensure" | "report",
  org_ids: readonly string[],
  patience_ms: number,
): Promise<Answered[]> {
  const waiting = [...org_ids];
  const answers: Answered[] = [];

  async function askNext(): Promise<void> {
    for (let org_id = waiting.shift(); org_id !== undefined; org_id = waiting.shift()) {
      answers.push({ org_id, report: await ask(org_id) });
    }
  }

  async function ask(org_id: string): Promise<SchedulerReport | null> {
    try {
      const object = objectOf(SCHEDULER, org_id);
      const asked = Promise.resolve(verb === "ensure" ? object.ensure(org_id) : object.report(org_id));
      const report = await withPatience(asked, patience_ms);
      if (report === null) log("error", "scheduler.no_report", { org_id, reason: "its database is a newer release's" });
      return report;
    } catch (caught) {
      log("error", "scheduler.silent", { org_id, ...causeOf(caught) });
      return null;
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  return answers;
}
