import { auditEntry } from "#db/audit";
import type { AuditResource } from "#domain/enums";
import type { Scope } from "#worker/services/scope";

/** A record before and after a change; absent if it did not exist then. */
export type Change = { before?: unknown; after?: unknown };

/**
 * The audit entry of a change, without secrets. Put it in the same batch, after the change: an update's entry takes version,
 * time and names from the changed row. A deletion's comes before the deletion, and fails where the row is gone by then: of two
 * at the same moment one is written, and told.
 */
export function audited(
  { user, org_id, db, now, newId }: Scope,
  action: string,
  resource_type: AuditResource,
  resource_id: string | null,
  { before, after }: Change,
) {
  return auditEntry(db, {
    id: newId(),
    org_id,
    created_at: now().toISOString(),
    actor_id: user.id,
    actor_email: user.email,
    actor_role: user.role,
    action,
    resource_type,
    resource_id,
    details: {
      ...(before === undefined ? {} : { before: withoutSecrets(before) }),
      ...(after === undefined ? {} : { after: withoutSecrets(after, before) }),
    },
  });
}

const SECRET = /password|secret|token|^YOLINK_UAC_KEY$|^EMAIL_API_KEY$|^local_client_(id|secret)$/i;

/** Of a secret it stays whether there is one, and whether it took the place of another. */
function withoutSecrets(value: unknown, before?: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one));
  if (typeof value !== "object" || value === null) return value;
  const was = new Map(Object.entries(before ?? {}));
  return Object.fromEntries(
    Object.entries(value).map(([key, kept]) => {
      if (!SECRET.test(key)) return [key, withoutSecrets(kept, was.get(key))];
      if (kept === "") return [key, kept];
      return [key, was.has(key) && was.get(key) !== kept ? "*** (new)" : "***"];
    }),
  );
}
