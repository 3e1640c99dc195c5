import { deviceEvents } from "#db/device-events";
import { historyQuery, historyView } from "#domain/log-query";
import type { DeviceEvent } from "#domain/records";
import { visibleDepts } from "#domain/visibility";
import { logVerbs } from "#worker/services/log-verbs";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** The device events: every call to a device and its answer. */
export function historyService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = deviceEvents(db, org_id);
  return {
    /** The latest first. `query` has limit, device_id and area_id; refuses with `invalid`. */
    list: async (query: unknown = {}): Promise<DeviceEvent[]> => {
      permit(user, "history.see");
      return repository.list(parse(historyQuery, query), visibleDepts(user));
    },

    ...logVerbs(scope, {
      may: "history.see",
      view: historyView,
      read: (view, piece): Promise<DeviceEvent[]> => repository.piece(view, visibleDepts(user), piece),
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
    }),
  };
}
