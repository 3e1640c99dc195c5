import { deviceEvents } from "#db/device-events";
import { historyQuery, historyView } from "#domain/lists/log-query";
import type { DeviceEvent } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { HISTORY_IN_FILES } from "#worker/archive/archived-logs";
import { logVerbs } from "#worker/services/log-verbs";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** The device events: every call to a device and its answer. */
export function historyService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = deviceEvents(db, org_id);
  const { young, ofDay, ...verbs } = logVerbs(scope, {
    may: "history.see",
    view: historyView,
    read: async (view, piece) => ({ rows: await repository.piece(view, visibleDepts(user), piece), isCut: false }),
    nthPlace: repository.nthPlace,
    files: HISTORY_IN_FILES,
    depts: visibleDepts(user),
    placeOf: ({ created_at, id }) => ({ at: created_at, id }),
    columns: {
      Device: ({ device_name }) => device_name,
      Area: ({ area_name }) => area_name,
      Hub: ({ hub_name }) => hub_name,
      Action: ({ action }) => action,
      Result: ({ result }) => result,
      Provider: ({ provider }) => provider,
      Schedule: ({ schedule_title }) => schedule_title,
      Response: ({ response_snippet }) => response_snippet,
      "HTTP status": ({ http_status }) => http_status,
    },
  });
  return {
    /**
     * The latest first, of the last 90 days or of a day. `query` has limit, device_id, area_id, day and cursor; refuses with
     * `invalid`, and with `unavailable` if the day's file cannot be read.
     */
    list: async (query: unknown = {}): Promise<DeviceEvent[]> => {
      permit(user, "history.see");
      const { day, cursor: after, ...asked } = parse(historyQuery, query);
      const { area_id: area, device_id: device, limit } = asked;
      if (day) return ofDay({ q: [], sort: "newest", area, device }, { day, after, limit });
      return young(await repository.list(asked, visibleDepts(user)));
    },

    ...verbs,
  };
}
