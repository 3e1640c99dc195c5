import type { AuthSession } from "#worker/auth/auth-session";
import type { AuthDeps } from "#worker/auth/deps";

/** Whose a write is that counts once, where a person asks for it twice (`once`). */
export function askedBy(deps: AuthDeps, { user }: AuthSession) {
  return { ...deps, user, org_id: user.current_org_id };
}
