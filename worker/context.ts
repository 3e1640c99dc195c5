import { waitUntil } from "cloudflare:workers";
import { redirect, type AppLoadContext } from "@remix-run/cloudflare";
import agentProgram from "../build/agent/agent.json";
import { database } from "#db/database";
import type { AgentProgram } from "#domain/agent/program";
import { causeOf, HTTP_STATUS, isRefusal, refusalOf } from "#domain/errors";
import { SESSION_ENDED, type Restriction } from "#domain/organization/session-rules";
import type { User } from "#domain/records/records";
import type { OrgScheduler } from "#durable/org-scheduler";
import { cookieToken, deviceCookie, deviceToken, sessionCookie } from "#worker/auth/cookie";
import { isPersons } from "#worker/auth/activity";
import { addressOf } from "#worker/auth/address";
import type { AuthDeps } from "#worker/auth/deps";
import { retentionDays } from "#worker/archive/retention-days";
import { log } from "#worker/log";
import { mapTiles, type MapTiles } from "#worker/map-tiles";
import { schedulerOf } from "#worker/scheduler";
import { alarmService } from "#worker/services/alarms";
import { agentService } from "#worker/services/agents";
import { areaService } from "#worker/services/areas";
import { attentionService } from "#worker/services/attention";
import { auditService } from "#worker/services/audit-logs";
import { calendarService } from "#worker/services/calendars";
import { closureService } from "#worker/services/closures";
import { connectivityService } from "#worker/services/connectivity";
import { dashboardService } from "#worker/services/dashboard";
import { departmentService } from "#worker/services/departments";
import { dependentService } from "#worker/services/dependents";
import { deviceService } from "#worker/services/devices";
import { groupService } from "#worker/services/groups";
import { forecastService } from "#worker/services/forecast";
import { historyService } from "#worker/services/history";
import { hubAccountService } from "#worker/services/hub-account";
import { hubService } from "#worker/services/hubs";
import { importService } from "#worker/services/imports";
import { messageChoiceService } from "#worker/services/message-choices";
import { messageSettingsService } from "#worker/services/message-settings";
import { nightService } from "#worker/services/nights";
import { notificationService } from "#worker/services/notifications";
import { permitService } from "#worker/services/permits";
import { policyService } from "#worker/services/policies";
import { scheduleService } from "#worker/services/schedules";
import { schedulerEventService } from "#worker/services/scheduler-events";
import type { Scope } from "#worker/services/scope";
import { searchService } from "#worker/services/search";
import { secondFactorService } from "#worker/auth/second-factor";
import type { AuthSession } from "#worker/auth/auth-session";
import { sessionService } from "#worker/auth/session";
import { settingsService } from "#worker/services/settings";
import { tonightService } from "#worker/services/tonight";
import { userService } from "#worker/services/users";
import { webhookService } from "#worker/services/webhooks";
import { weekService } from "#worker/services/week";
import { workorderService } from "#worker/services/workorders";

/** The platform's bindings; wrangler's generated types do not type the object of the namespace, nor know what may be left out. */
export type Bindings = Omit<Env, "SCHEDULER" | "ARCHIVE"> & {
  SCHEDULER: DurableObjectNamespace<OrgScheduler>;
  ARCHIVE?: R2Bucket;
};

/** All services, for one user in one organization. */
export type Services = ReturnType<typeof makeServices>;

/** `token` is for the browser's own /api calls; the browser keeps it in local storage. */
export type SignedIn = { user: User; token: string; idle_min: number; services: Services; account: Account };

/** The result of a session change; put `headers` on the response, since they set the cookies. */
type SessionResponse = { user: User; token: string; headers: Headers };

/** A person's own account: sessions, second factor and invitations. */
export type Account = ReturnType<typeof accountOf>;

declare module "@remix-run/cloudflare" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface AppLoadContext {
    cspNonce: string;
    /** Whether the demo accounts exist. */
    demo: boolean;
    /** The on-site agent's program, as this release serves it. */
    agentProgram: AgentProgram;
    /** Where the map's tiles are. */
    tiles: MapTiles;
    /**
     * The user of the cookie. Throws a redirect to /login if signed out, to /welcome if something is due first, and a 503
     * where the database is away.
     */
    requireUser: () => Promise<SignedIn>;
    /** The same for /welcome itself; `restriction` says what is due. Throws a redirect to /login if signed out. */
    requireNewcomer: () => Promise<Pick<SignedIn, "user" | "token" | "account"> & { restriction: Restriction | null }>;
    /**
     * The form has email, password, code and, to go on where a page is, its organization and department. Refuses with
     * `invalid`, `unauthenticated`, `too_many` and `unavailable`.
     */
    signIn: (form: FormData) => Promise<SessionResponse>;
    /** Ends the session, if any, and clears the cookie. Never refuses: who leaves a desk leaves no login on it. */
    signOut: () => Promise<{ headers: Headers }>;
    /** Throws a 403 if the person is not a member. The route chooses the next page. */
    switchOrg: (org_id: string) => Promise<SessionResponse>;
    /** Null means All Departments. Throws a 422 for a hidden department. */
    switchDept: (dept_id: string | null) => Promise<SessionResponse>;
    /** The form has current_password and new_password. Ends every session but the one that it returns. */
    changePassword: (form: FormData) => Promise<SessionResponse>;
  }
}

/** The load context of one request, the only way in which services reach the routes. */
export function createContext(
  env: Bindings,
  execution: Pick<ExecutionContext, "waitUntil">,
  request: Request,
  cspNonce: string,
  idempotency_key: string | null = null,
): AppLoadContext {
  const sessions = sessionsFor(env, request);
  // The layout's and the screen's loaders run in parallel; they share one round trip to the database.
  const current = once(async () => {
    const session = await sessions.find(cookieToken(request), "cookie");
    if (isPersons(request)) await sessions.touch(session);
    return session;
  });

  const responseOf = async (session: AuthSession): Promise<SessionResponse> => {
    const [token, cookie] = await Promise.all([
      sessions.tokenOf(session, "bearer"),
      sessions.tokenOf(session, "cookie"),
    ]);
    const { user, expires_at } = session;
    return {
      user,
      token,
      headers: new Headers({ "Set-Cookie": sessionCookie(request, { token: cookie, expires_at }) }),
    };
  };
  const accounts = accountOf(authDeps(env, request, idempotency_key), current, responseOf);

  /** The session in the form's organization and department, as far as the person still belongs there. */
  async function goOn(session: AuthSession, form: FormData): Promise<AuthSession> {
    const [org_id, dept_id] = [form.get("org_id"), form.get("dept_id")];
    if (session.restriction !== null) return session;
    const isElsewhere = typeof org_id === "string" && org_id !== session.user.current_org_id;
    const there = isElsewhere ? await sessions.switchOrg(session, org_id).catch(() => session) : session;
    if (typeof dept_id !== "string" || dept_id === "" || there.restriction !== null) return there;
    return sessions.switchDept(there, dept_id).catch(() => there);
  }

  const refuse = (caught: unknown): never => {
    const refusal = refusalOf(caught);
    if (!refusal) throw caught;
    // What is thrown as an answer, nobody else logs.
    if (!isRefusal(caught)) log("error", "request.failed", { path: new URL(request.url).pathname, ...causeOf(caught) });
    if (refusal.code === "unauthenticated") throw toLogin(request);
    throw new Response(refusal.detail, { status: HTTP_STATUS[refusal.code] });
  };
  const switched = async (switching: Promise<AuthSession>) => responseOf(await switching.catch(refuse));

  // The services as well: what one of them has read, as the settings, the other loader need not read again.
  const signedIn = once(async (): Promise<SignedIn> => {
    const session = await current().catch(refuse);
    if (session.restriction !== null) throw redirect("/welcome");
    const { user, idle_min } = session;
    const token = await sessions.tokenOf(session, "bearer");
    const services = makeServices(scopeOf(env, execution, user, idempotency_key));
    return { user, token, idle_min, services, account: accounts };
  });

  return {
    cspNonce,
    demo: env.DEMO === "on",
    agentProgram,
    tiles: mapTiles(env.MAP_TILES_URL),

    requireUser: signedIn,

    requireNewcomer: async () => {
      const session = await current().catch(refuse);
      const { user, restriction } = session;
      return { user, restriction, token: await sessions.tokenOf(session, "bearer"), account: accounts };
    },

    signIn: async (form) => {
      const { session, device } = await sessions.signIn(Object.fromEntries(form));
      const response = await responseOf(await goOn(session, form));
      response.headers.append("Set-Cookie", deviceCookie(request, device));
      return response;
    },

    signOut: async () => {
      await current()
        .then(sessions.signOut)
        .catch((caught: unknown) => isRefusal(caught) || log("error", "session.not_ended", causeOf(caught)));
      return { headers: new Headers({ "Set-Cookie": sessionCookie(request, null) }) };
    },

    switchOrg: async (org_id) => switched(current().then((session) => sessions.switchOrg(session, org_id))),

    switchDept: async (dept_id) => switched(current().then((session) => sessions.switchDept(session, dept_id))),

    changePassword: async (form) =>
      responseOf(await sessions.changePassword(await current(), Object.fromEntries(form))),
  };
}

function accountOf(
  deps: AuthDeps,
  current: () => Promise<AuthSession>,
  responseOf: (session: AuthSession) => Promise<SessionResponse>,
) {
  const [sessions, factor] = [sessionService(deps), secondFactorService(deps)];
  return {
    sessions: async () => sessions.list(await current()),
    endSession: async (id: string) => sessions.end(await current(), id),
    /** `headers` set the cookie where the session goes on in the organization that was joined. */
    redeem: async (input: unknown) => {
      const { membership, moved } = await sessions.redeem(await current(), input);
      return { ...membership, headers: moved ? (await responseOf(moved)).headers : new Headers() };
    },
    secondFactor: async () => factor.find(await current()),
    beginSecondFactor: async (input: unknown) => factor.begin(await current(), input),
    confirmSecondFactor: async (input: unknown) => factor.confirm(await current(), input),
    removeSecondFactor: async (input: unknown) => factor.remove(await current(), input),
  };
}

export function makeServices(scope: Scope) {
  return {
    agents: agentService(scope),
    alarms: alarmService(scope),
    areas: areaService(scope),
    attention: attentionService(scope),
    audit: auditService(scope),
    calendars: calendarService(scope),
    closures: closureService(scope),
    connectivity: connectivityService(scope),
    dashboard: dashboardService(scope),
    departments: departmentService(scope),
    dependents: dependentService(scope),
    devices: deviceService(scope),
    groups: groupService(scope),
    forecast: forecastService(scope),
    history: historyService(scope),
    hubAccount: hubAccountService(scope),
    hubs: hubService(scope),
    imports: importService(scope),
    messageChoices: messageChoiceService(scope),
    messageSettings: messageSettingsService(scope),
    nights: nightService(scope),
    notifications: notificationService(scope),
    permits: permitService(scope),
    policies: policyService(scope),
    schedules: scheduleService(scope),
    schedulerEvents: schedulerEventService(scope),
    search: searchService(scope),
    settings: settingsService(scope),
    tonight: tonightService(scope),
    webhooks: webhookService(scope),
    users: userService(scope),
    week: weekService(scope),
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
    archive: env.ARCHIVE ?? null,
    log_days: retentionDays(env),
    scheduler: schedulerOf(env.SCHEDULER, execution),
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    demo: env.DEMO === "on",
    direct: env.DEMO === "on" || env.DIRECT_HUBS === "on",
    settings_key: env.SETTINGS_KEY,
    idempotency_key,
    later: (work) => execution.waitUntil(work),
  };
}

export function sessionsFor(env: Bindings, request: Request) {
  return sessionService(authDeps(env, request));
}

export function authDeps(env: Bindings, request: Request, idempotency_key: string | null = null): AuthDeps {
  return {
    db: database(env.DB),
    secret: env.SESSION_SECRET,
    settings_key: env.SETTINGS_KEY,
    address: addressOf(request, env.CLIENT_ADDRESS_HEADER),
    device_token: deviceToken(request),
    cookie_token: cookieToken(request),
    user_agent: request.headers.get("User-Agent"),
    idempotency_key,
    demo: env.DEMO === "on",
    sign_ins: env.SIGN_INS,
    sessionsChanged: (org_id) => schedulerOf(env.SCHEDULER, { waitUntil }).checkSessions(org_id),
    joined: (org_id) => schedulerOf(env.SCHEDULER, { waitUntil }).noteLists(org_id, ["users"]),
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  };
}

/**
 * A stale cookie is cleared where a page is loaded. What a page asks for may be answered after its person has signed in
 * again over it: the answer would take the new cookie.
 */
function toLogin(request: Request): Response {
  if (cookieToken(request) === null) return redirect("/login");
  const isLoaded = !new URL(request.url).pathname.endsWith(".data");
  const cleared = isLoaded && { "Set-Cookie": sessionCookie(request, null) };
  return redirect("/login", { headers: { [SESSION_ENDED]: "yes", ...cleared } });
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
