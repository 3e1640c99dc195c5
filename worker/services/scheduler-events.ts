import { schedulerEvents } from "#db/scheduler-events";
import { schedulerEventQuery } from "#domain/log-query";
import type { SchedulerEvent } from "#domain/records";
import { visibleDepts } from "#domain/visibility";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** Spec 2, Events Log: what the scheduler, the watchdog and people switched. */
export function schedulerEventService({ user, org_id, db }: Scope) {
  return {
    /** The latest first. `query` has limit, device_id and since; refuses with `invalid`. */
    list: async (query: unknown = {}): Promise<SchedulerEvent[]> => {
      permit(user, "events.see");
      return schedulerEvents(db, org_id).list(parse(schedulerEventQuery, query), visibleDepts(user));
    },
  };
}
