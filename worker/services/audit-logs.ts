import { auditLogs } from "#db/audit";
import { auditQuery, auditView, type AuditView } from "#domain/lists/log-query";
import type { AuditLog } from "#domain/records/records";
import { AUDIT_IN_FILES } from "#worker/archive/archived-logs";
import { logVerbs } from "#worker/services/log-verbs";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** The audit log, for admins. */
export function auditService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = auditLogs(db, org_id);
  const { young, ofDay, ...verbs } = logVerbs(scope, {
    may: "audit.see",
    view: auditView,
    read: repository.piece,
    nthPlace: repository.nthPlace,
    files: AUDIT_IN_FILES,
    depts: null,
    placeOf: ({ created_at, id }) => ({ at: created_at, id }),
    columns: {
      Actor: ({ actor_email }) => actor_email ?? "System",
      Role: ({ actor_role }) => actor_role,
      Action: ({ action }) => action,
      Resource: ({ resource_type }) => resource_type,
      "Resource id": ({ resource_id }) => resource_id,
      Details: ({ details }) => (typeof details === "object" && details !== null ? JSON.stringify(details) : details),
    },
  });
  return {
    /**
     * The latest first, of the last 90 days or of a day. `query` has `limit`, 1 to 1000, day and cursor; fewer where they
     * are long. Refuses with `forbidden` and `invalid`, and with `unavailable` if the day's file cannot be read.
     */
    list: async (query: unknown = {}): Promise<AuditLog[]> => {
      permit(user, "audit.see");
      const { day, cursor: after, limit } = parse(auditQuery, query);
      const view: AuditView = { q: [], sort: "newest" };
      if (day) return ofDay(view, { day, after, limit });
      const { rows } = await repository.piece(view, { sort: "newest", limit });
      return young(rows);
    },

    ...verbs,
  };
}
