import { desc, eq } from "drizzle-orm";
import type { AuditLog } from "#domain/records";
import type { Database } from "./database";
import { audit_logs } from "./schema";

export type AuditEntry = AuditLog & { org_id: string; actor_id: string | null };

/** The statement that records a change; put it in the same batch as the change (design 3). */
export function auditEntry(db: Database, entry: AuditEntry) {
  return db.insert(audit_logs).values(entry);
}

/** The entries of one organization, newest first. Append-only: there is no other verb. */
export function auditLogs(db: Database, org_id: string) {
  return {
    list: (limit: number): Promise<AuditLog[]> =>
      db
        .select({
          id: audit_logs.id,
          created_at: audit_logs.created_at,
          actor_email: audit_logs.actor_email,
          actor_role: audit_logs.actor_role,
          action: audit_logs.action,
          resource_type: audit_logs.resource_type,
          resource_id: audit_logs.resource_id,
          details: audit_logs.details,
        })
        .from(audit_logs)
        .where(eq(audit_logs.org_id, org_id))
        .orderBy(desc(audit_logs.created_at), desc(audit_logs.id))
        .limit(limit),
  };
}
