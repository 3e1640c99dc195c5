import { OrgScheduler as Real } from "#durable/org-scheduler";
import worker from "#worker/index";
export { Runner } from "#durable/runner";
import { OFFSET_MS, shiftDate } from "./clock";
import { shiftAlarms } from "./shift-alarms";

shiftDate(OFFSET_MS);

/** The worker for runs with a clock of their own. */
export class OrgScheduler extends Real {
  constructor(ctx: DurableObjectState, env: Env) {
    super(shiftAlarms(ctx), env);
  }
}

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export default worker;
