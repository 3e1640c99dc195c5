import type { User } from "#domain/records/records";
import type { AuthDeps } from "#worker/auth/deps";

/** A session has ended or moved. Wherever its person is at home a browser may listen. */
export function tellSockets({ sessionsChanged }: AuthDeps, { org_memberships }: User): void {
  for (const { org_id } of org_memberships) sessionsChanged(org_id);
}
