import { OFFSET_MS } from "./clock";

/** The state of an object in a run with a clock of its own; the runtime's alarms go by the real clock. */
export function shiftAlarms(ctx: DurableObjectState): DurableObjectState {
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
