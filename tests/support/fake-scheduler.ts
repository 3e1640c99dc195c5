import type { SchedulerReport } from "#domain/alarms/scheduler-health";
import type { Bindings } from "#worker/wiring";

type Verbs = {
  [verb in "sync" | "toggle" | "toggleMany" | "ensure" | "report"]?: (argument: unknown) => Promise<unknown>;
};

/** A namespace whose objects have these methods. */
export function engine(verbs: Verbs): Bindings["SCHEDULER"] {
  const namespace: unknown = { idFromName: (name: string) => name, get: () => verbs };
  if (!isNamespace(namespace)) throw new Error("no namespace");
  return namespace;
}

function isNamespace(value: unknown): value is Bindings["SCHEDULER"] {
  return typeof value === "object" && value !== null && "get" in value;
}

/** What a scheduler that is on time says of itself; `late_sec`: since when something is due. */
export function aReport(late_sec: number | null = null): SchedulerReport {
  return {
    as_of: "2026-06-10T12:00:00.000Z",
    overdue: { count: late_sec === null ? 0 : 3, oldest_age_sec: late_sec },
    last_tick_age_sec: 20,
    outbox: { count: 0, oldest_age_sec: null },
    schema_version: 14,
    set_aside: 0,
    agents_connected: 2,
    next_alarm_at: null,
  };
}
