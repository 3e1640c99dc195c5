import { redirect, type AppLoadContext } from "@remix-run/cloudflare";
import { database } from "#db/database";
import { isRefusal } from "#domain/errors";
import type { User } from "#domain/records";
import type { OrgScheduler } from "#durable/org-scheduler";
import { cookieToken, sessionCookie } from "#worker/auth/cookie";
import { addressOf } from "#worker/auth/address";
import { schedulerOf } from "#worker/scheduler";
import { areaService } from "#worker/services/areas";
import { auditService } from "#worker/services/audit-logs";
import { connectivityService } from "#worker/services/connectivity";
import { dashboardService } from "#worker/services/dashboard";
import { departmentService } from "#worker/services/departments";
import { deviceService } from "#worker/services/devices";
import { historyService } from "#worker/services/history";
import { hubService } from "#worker/services/hubs";
import { notificationService } from "#worker/services/notifications";
import { scheduleService } from "#worker/services/schedules";
import { schedulerEventService } from "#worker/services/scheduler-events";
import type { Scope } from "#worker/services/scope";
import { sessionService, type AuthSession } from "#worker/auth/session";
import { settingsService } from "#worker/services/settings";
import { userService } from "#worker/services/users";
import { workorderService } from "#worker/services/workorders";

/** What the platform hands over; wrangler's generated types do not say which object the namespace holds. */
export type Bindings = Omit<Env, "SCHEDULER"> & { SCHEDULER: DurableObjectNamespace<OrgScheduler> };

/** Every verb a signed-in person has; made for one user, in one organization. */
export type Services = ReturnType<typeof makeServices>;

/** `token` is for the browser's own /api calls (decision 1); it keeps it in local storage. */
export type SignedIn = { user: User; token: string; services: Services };

/** What a change of the session answers: put `headers` on the response, they carry the cookie. */
export type SessionResponse = { user: User; token: string; headers: Headers };

declare module "@remix-run/cloudflare" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface AppLoadContext {
    cspNonce: string;
    /** Whether the demo accounts exist (decision 6). */
    demo: boolean;
    /** Who asks, by the cookie. Throws the way to /login when signed out. */
    requireUser: (request: Request) => Promise<SignedIn>;
    /** Takes email and password. Refuses with `invalid`, `unauthenticated` and `too_many`. */
    signIn: (request: Request, form: FormData) => Promise<SessionResponse>;
    /** Revokes the session if there is one, and clears the cookie. Never refuses. */
    signOut: (request: Request) => Promise<{ headers: Headers }>;
    /** Throws a 403 where the person is no member. The route says where the browser goes next. */
    switchOrg: (request: Request, org_id: string) => Promise<SessionResponse>;
    /** Null means All Departments. Throws a 422 for a department that is not visible. */
    switchDept: (request: Request, dept_id: string | null) => Promise<SessionResponse>;
    /** Takes current_password and new_password; ends every session but the one it answers with (decisions 2, 27). */
    changePassword: (request: Request, form: FormData) => Promise<SessionResponse>;
  }
}

/** What the screens are given for one request: services reach the routes through it, and nothing else does. */
export function createContext(
  env: Bindings,
  execution: Pick<ExecutionContext, "waitUntil">,
  request: Request,
  cspNonce: string,
  idempotency_key: string | null = null,
): AppLoadContext {
  const sessions = sessionsFor(env, request);
  // The frame's loader and the screen's run side by side in one request: they share one look at the database.
  const current = once(() => sessions.find(cookieToken(request)));
  const responseOf = ({ user, token, expires_at }: AuthSession): SessionResponse => ({
    user,
    token,
    headers: new Headers({ "Set-Cookie": sessionCookie(request, { token, expires_at }) }),
  });

  const refuse = (caught: unknown): never => {
    if (!isRefusal(caught)) throw caught;
    if (caught.code === "unauthenticated") throw toLogin(request);
    throw new Response(caught.detail, { status: caught.code === "forbidden" ? 403 : 422 });
  };
  const switched = async (switching: Promise<AuthSession>) => responseOf(await switching.catch(refuse));

  return {
    cspNonce,
    demo: env.DEMO === "on",

    requireUser: async () => {
      const { user, token } = await current().catch(refuse);
      return { user, token, services: makeServices(scopeOf(env, execution, user, idempotency_key)) };
    },

    signIn: async (_request, form) => responseOf(await sessions.signIn(Object.fromEntries(form))),

    signOut: async () => {
      await current().then(sessions.signOut, () => undefined);
      return { headers: new Headers({ "Set-Cookie": sessionCookie(request, null) }) };
    },

    switchOrg: async (_request, org_id) => switched(current().then((session) => sessions.switchOrg(session, org_id))),

    switchDept: async (_request, dept_id) =>
      switched(current().then((session) => sessions.switchDept(session, dept_id))),

    changePassword: async (_request, form) =>
      responseOf(await sessions.changePassword(await current(), Object.fromEntries(form))),
  };
}

export function makeServices(scope: Scope) {
  return {
    areas: areaService(scope),
    audit: auditService(scope),
    connectivity: connectivityService(scope),
    dashboard: dashboardService(scope),
    departments: departmentService(scope),
    devices: deviceService(scope),
    history: historyService(scope),
    hubs: hubService(scope),
    notifications: notificationService(scope),
    schedules: scheduleService(scope),
    schedulerEvents: schedulerEventService(scope),
    settings: settingsService(scope),
    users: userService(scope),
    workorders: workorderService(scope),
  };
}

export function scopeOf(
  env: Bindings,
  execution: Pick<ExecutionContext, "waitUntil">,
  user: User,
  idempotency_key: string | null,
): Scope {
  return {
    user,
    org_id: user.current_org_id,
    db: database(env.DB),
    scheduler: schedulerOf(env.SCHEDULER, execution),
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    demo: env.DEMO === "on",
    settings_key: env.SETTINGS_KEY,
    idempotency_key,
  };
}

export function sessionsFor(env: Bindings, request: Request) {
  return sessionService({
    db: database(env.DB),
    secret: env.SESSION_SECRET,
    address: addressOf(request),
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  });
}

function toLogin(request: Request): Response {
  const stale = cookieToken(request) !== null;
  return redirect("/login", stale ? { headers: { "Set-Cookie": sessionCookie(request, null) } } : undefined);
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
