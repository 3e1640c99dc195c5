import { isDemoAccount } from "#db/demo-accounts";
import { sessions } from "#db/sessions";
import { Refusal } from "#domain/errors";
import { maySeeDept, roleOf } from "#domain/organization/permissions";
import { SESSION_EXPIRED } from "#domain/organization/session-expired";
import { isSessionOver, restrictionOf, rulesOf, type Restriction } from "#domain/organization/session-rules";
import type { User } from "#domain/records/records";
import type { AuthSession } from "#worker/auth/auth-session";
import type { AuthDeps } from "#worker/auth/deps";
import type { TokenPayload } from "#worker/auth/token";

/**
 * The token's user as the database has them at this request. Refuses with `unauthenticated` where there is no token, or the
 * session or the membership has ended.
 */
export async function readSession(deps: AuthDeps, payload: TokenPayload | null): Promise<AuthSession> {
  const session = payload && (await sessionOrNull(deps, payload));
  if (!session) throw new Refusal("unauthenticated", SESSION_EXPIRED);
  return session;
}

/** A session as it is in another organization or department. Refuses with `unauthenticated` where it has ended there. */
export function sessionIn(
  deps: AuthDeps,
  { sid, user, expires_at }: AuthSession,
  org: string,
  dept: string | null,
): Promise<AuthSession> {
  return readSession(deps, { sub: user.id, sid, org, dept, exp: secondsOf(expires_at) });
}

/** An instant (ISO) as tokens have it: seconds since 1970. */
export function secondsOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}

/** Null where the session or the membership has ended. */
async function sessionOrNull(deps: AuthDeps, { sub, sid, org, dept, exp }: TokenPayload): Promise<AuthSession | null> {
  const [[session], memberships, dept_memberships, [department], settings] = await sessions(deps.db).open(
    sid,
    org,
    dept,
  );
  const membership = memberships.find((candidate) => candidate.org_id === org);
  if (!session || !membership || session.user_id !== sub) return null;
  const isDemo = isDemoAccount(sub);
  if (isDemo && !deps.demo) return null;
  const { idle_min, roles } = rulesOf(settings);
  const { sessions_end_at, pending } = membership;
  if (isSessionOver({ ...session, sessions_end_at }, idle_min, deps.now())) return null;

  const role = roleOf(membership.role);
  const second_factor = {
    enabled: session.second_factor_at !== null,
    required: !isDemo && roles.includes(role),
  };
  const { code_hash, created_at, last_active_at } = session;
  const restriction = restrictionOf({ code_hash, pending }, second_factor);
  const isUnaccepted = restriction === "password" || restriction === "code";
  const shown = isUnaccepted ? [membership] : memberships.filter((each) => !each.pending);
  const visible = department !== undefined && maySeeDept({ id: sub, role, dept_memberships }, department.id);
  return {
    user: {
      id: sub,
      email: session.email,
      role,
      org_role: membership.role === "org_admin" ? "org_admin" : "org_member",
      current_org_id: org,
      current_dept_id: visible ? department.id : null,
      org_memberships: shown.map(({ org_id, org_name, role: here }) => ({ org_id, org_name, role: here })),
      dept_memberships,
      ...(restriction === null ? {} : { [MUST[restriction]]: true as const }),
    },
    sid,
    expires_at: new Date(exp * 1000).toISOString(),
    restriction,
    code_hash,
    idle_min,
    last_active_at: last_active_at ?? created_at,
    second_factor,
  };
}

/** The session as the user sees it. */
const MUST = {
  password: "must_change_password",
  code: "must_redeem_code",
  second_factor: "must_set_up_second_factor",
} as const satisfies Record<Restriction, keyof User>;
