import { auditEntry } from "#db/audit";
import type { Role } from "#domain/enums";
import type { AuthDeps } from "#worker/auth/deps";

export type SignInAction =
  | "login"
  | "login_failed"
  | "logout"
  | "change_password"
  | "change_password_failed"
  | "redeem"
  | "recovery_code_used"
  | "second_factor_begun"
  | "second_factor_on"
  | "second_factor_off"
  | "session_ended";

/** A failed sign-in with an unknown e-mail belongs to no organization but is recorded anyway. */
export const NOWHERE = "";

/** The statement that audits an action, or an attempt, on a person's own account. */
export function signInEntry(
  { db, now, newId, address }: AuthDeps,
  action: SignInAction,
  org_id: string,
  person: { id: string | null; email: string; role: Role | null },
  sid: string | null,
) {
  return auditEntry(db, {
    id: newId(),
    org_id,
    created_at: now().toISOString(),
    actor_id: person.id,
    actor_email: person.email,
    actor_role: person.role,
    action,
    resource_type: "session",
    resource_id: sid,
    details: { address },
  });
}
