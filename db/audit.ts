import { and, desc, eq } from "drizzle-orm";
import type { AuditView } from "#domain/log-query";
import type { AuditLog } from "#domain/records";
import type { Database } from "./database";
import { inPiece, inSort, type Piece } from "./log";
import { hasWords, is } from "./page";
import { audit_logs } from "./schema";

export type AuditEntry = AuditLog & { org_id: string; actor_id: string | null };

/** The statement that records a change; put it in the same batch as the change (design 3). */
export function auditEntry(db: Database, entry: AuditEntry) {
  return db.insert(audit_logs).values(entry);
}

const record = {
  id: audit_logs.id,
  created_at: audit_logs.created_at,
  actor_email: audit_logs.actor_email,
  actor_role: audit_logs.actor_role,
  action: audit_logs.action,
  resource_type: audit_logs.resource_type,
  resource_id: audit_logs.resource_id,
  details: audit_logs.details,
};

/** The entries of one organization, newest first. Append-only: there is no other verb. */
export function auditLogs(db: Database, org_id: string) {
  return {
    list: (limit: number): Promise<AuditLog[]> =>
      db
        .select(record)
        .from(audit_logs)
        .where(eq(audit_logs.org_id, org_id))
        .orderBy(desc(audit_logs.created_at), desc(audit_logs.id))
        .limit(limit),

    piece: (view: AuditView, piece: Piece): Promise<AuditLog[]> =>
      db
        .select(record)
        .from(audit_logs)
        .where(
          and(
            eq(audit_logs.org_id, org_id),
            is(audit_logs.resource_type, view.resource),
            hasWords(view.q, audit_logs.actor_email, audit_logs.action, audit_logs.resource_type, audit_logs.details),
            inPiece(audit_logs.created_at, audit_logs.id, piece),
          ),
        )
        .orderBy(...inSort(audit_logs.created_at, audit_logs.id, piece.sort))
        .limit(piece.limit),
  };
}
