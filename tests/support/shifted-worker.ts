import { OrgScheduler as Real } from "#durable/org-scheduler";
import worker from "#worker/index";
export { Runner } from "#durable/runner";
import { OFFSET_MS, shiftDate } from "./clock";

shiftDate(OFFSET_MS);

/** The worker for runs with a clock of their own; the runtime's alarms go by the real clock. */
export class OrgScheduler extends Real {
  constructor(ctx: DurableObjectState, env: Env) {
    super(shiftAlarms(ctx), env);
  }
}

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export default worker;

function shiftAlarms(ctx: DurableObjectState): DurableObjectState {
  const { storage } = ctx;
  const setAlarm = storage.setAlarm.bind(storage);
  const getAlarm = storage.getAlarm.bind(storage);
  Object.defineProperties(storage, {
    setAlarm: { value: (at: number | Date) => setAlarm(Number(at) - OFFSET_MS), configurable: true },
    getAlarm: {
      value: () => getAlarm().then((at) => (at === null ? null : at + OFFSET_MS)),
      configurable: true,
    },
  });
  return ctx;
}
