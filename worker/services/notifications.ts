import { notifications } from "#db/notifications";
import { logQuery } from "#domain/lists/log-query";
import type { Notification } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** The engine's messages to people, and whether they were sent. */
export function notificationService({ user, org_id, db }: Scope) {
  return {
    /**
     * The latest first, without those of alarms and digests of departments that the person does not see. `query` has
     * limit and cursor; refuses with `forbidden` and `invalid`.
     */
    list: async (query: unknown = {}): Promise<Notification[]> => {
      permit(user, "notifications.see");
      return notifications(db, org_id).list(parse(logQuery, query), { user_id: user.id, depts: visibleDepts(user) });
    },
  };
}
