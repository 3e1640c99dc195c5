import { redirect, type AppLoadContext } from "@remix-run/cloudflare";
import agentProgram from "../build/agent/agent.json";
import type { AgentProgram } from "#domain/agent/program";
import { causeOf, HTTP_STATUS, isRefusal, refusalOf } from "#domain/errors";
import { SESSION_ENDED, type Restriction } from "#domain/organization/session-rules";
import type { User } from "#domain/records/records";
import { cookieToken, deviceCookie, sessionCookie } from "#worker/auth/cookie";
import { isPersons } from "#worker/auth/activity";
import type { AuthDeps } from "#worker/auth/deps";
import { log } from "#worker/log";
import { mapTiles, type MapTiles } from "#worker/map-tiles";
import { authDeps, makeServices, scopeOf, sessionsFor, type Bindings } from "#worker/wiring";
import { secondFactorService } from "#worker/auth/second-factor";
import type { AuthSession } from "#worker/auth/auth-session";
import { sessionService } from "#worker/auth/session";

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
