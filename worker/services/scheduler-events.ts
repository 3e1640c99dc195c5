import { schedulerEvents } from "#db/scheduler-events";
import { eventView, schedulerEventQuery, type EventView } from "#domain/lists/log-query";
import type { SchedulerEvent } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { EVENTS_IN_FILES } from "#worker/archive/archived-logs";
import { logVerbs } from "#worker/services/log-verbs";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** The switching by schedules, the watchdog and people, with its results. */
export function schedulerEventService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = schedulerEvents(db, org_id);
  const { young, ofDay, ...verbs } = logVerbs<EventView, SchedulerEvent>(scope, {
    may: "events.see",
    view: eventView,
    read: async (view, piece) => ({ rows: await repository.piece(view, visibleDepts(user), piece), isCut: false }),
    nthPlace: repository.nthPlace,
    files: EVENTS_IN_FILES,
    depts: visibleDepts(user),
    placeOf: ({ ts, id }) => ({ at: ts, id }),
    columns: {
      Device: ({ device_name }) => device_name,
      Source: ({ source }) => source,
      Action: ({ action }) => action,
      Result: ({ result }) => result,
      Attempts: ({ attempts }) => attempts,
      Note: ({ note }) => note,
    },
  });
  return {
    /**
     * The latest first, of the last 90 days or of a day. `query` has limit, device_id, since, day and cursor; refuses with
     * `invalid`, and with `unavailable` if the day's file cannot be read.
     */
    list: async (query: unknown = {}): Promise<SchedulerEvent[]> => {
      permit(user, "events.see");
      const { day, cursor: after, ...asked } = parse(schedulerEventQuery, query);
      const { device_id: device, since, limit } = asked;
      if (day) return ofDay({ q: [], sort: "newest", device }, { day, since, after, limit });
      return young(await repository.list(asked, visibleDepts(user)));
    },

    ...verbs,
  };
}
