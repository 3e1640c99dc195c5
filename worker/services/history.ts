import { deviceEvents } from "#db/device-events";
import { historyQuery } from "#domain/log-query";
import type { DeviceEvent } from "#domain/records";
import { visibleDepts } from "#domain/visibility";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** Spec 2, History: the device events. */
export function historyService({ user, org_id, db }: Scope) {
  return {
    /** The latest first. `query` has limit, device_id and area_id; refuses with `invalid`. */
    list: async (query: unknown = {}): Promise<DeviceEvent[]> => {
      permit(user, "history.see");
      return deviceEvents(db, org_id).list(parse(historyQuery, query), visibleDepts(user));
    },
  };
}
