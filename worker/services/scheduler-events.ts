import { schedulerEvents } from "#db/scheduler-events";
import { eventView, schedulerEventQuery } from "#domain/log-query";
import type { SchedulerEvent } from "#domain/records";
import { visibleDepts } from "#domain/visibility";
import { logVerbs } from "#worker/services/log-verbs";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** The switching by schedules, the watchdog and people, with its results. */
export function schedulerEventService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = schedulerEvents(db, org_id);
  return {
    /** The latest first. `query` has limit, device_id and since; refuses with `invalid`. */
    list: async (query: unknown = {}): Promise<SchedulerEvent[]> => {
      permit(user, "events.see");
      return repository.list(parse(schedulerEventQuery, query), visibleDepts(user));
    },

    ...logVerbs(scope, {
      may: "events.see",
      view: eventView,
      read: (view, piece): Promise<SchedulerEvent[]> => repository.piece(view, visibleDepts(user), piece),
      placeOf: ({ ts, id }) => ({ at: ts, id }),
      columns: {
        Device: ({ device_name }) => device_name,
        Source: ({ source }) => source,
        Action: ({ action }) => action,
        Result: ({ result }) => result,
        Attempts: ({ attempts }) => attempts,
        Note: ({ note }) => note,
      },
    }),
  };
}
