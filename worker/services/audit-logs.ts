import { auditLogs } from "#db/audit";
import { auditView, logQuery } from "#domain/log-query";
import type { AuditLog } from "#domain/records";
import { logVerbs } from "#worker/services/log-verbs";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** The audit log, for admins. */
export function auditService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = auditLogs(db, org_id);
  return {
    /** The latest first. `query` has `limit`, 1 to 1000. Refuses with `forbidden` and `invalid`. */
    list: async (query: unknown = {}): Promise<AuditLog[]> => {
      permit(user, "audit.see");
      return repository.list(parse(logQuery, query).limit);
    },

    ...logVerbs(scope, {
      may: "audit.see",
      view: auditView,
      read: repository.piece,
      placeOf: ({ created_at, id }) => ({ at: created_at, id }),
      columns: {
        Actor: ({ actor_email }) => actor_email ?? "System",
        Role: ({ actor_role }) => actor_role,
        Action: ({ action }) => action,
        Resource: ({ resource_type }) => resource_type,
        "Resource id": ({ resource_id }) => resource_id,
        Details: ({ details }) => (typeof details === "object" && details !== null ? JSON.stringify(details) : details),
      },
    }),
  };
}
