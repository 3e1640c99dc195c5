import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { database } from "#db/database";
import { org_memberships, organizations, sessions, users } from "#db/schema";
import type { OrgMembershipRole } from "#domain/enums";
import { signToken, type TokenUse } from "#worker/auth/token";
import type { Bindings } from "#worker/wiring";
import worker from "#worker/index";
import { quickHash } from "./quick-hash";

export const ORIGIN = "https://lamplighter.example";
export const PASSWORD = "correct horse lamp";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read the answers freely
export type Answer = { status: number; headers: Headers; json: any };
/** `bound`: other bindings than the tests' own. */
type More = { token?: string; body?: unknown; headers?: Record<string, string>; bound?: Partial<Bindings> };

/** A request through the whole worker, as from outside. (The pool's SELF gets slower with each request.) */
export async function call(
  method: string,
  path: string,
  { token, body, headers = {}, bound }: More = {},
): Promise<Answer> {
  const response: Response = await worker.fetch(
    new Request(`${ORIGIN}/api${path}`, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
    bindings(bound),
    createExecutionContext(),
  );
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, json: isJson && text ? JSON.parse(text) : text || null };
}

/** Signs in from an address of its own unless one is given, so that tests do not use up each other's attempts. */
export function logIn(email: string, password = PASSWORD, address: string = crypto.randomUUID()): Promise<Answer> {
  return call("POST", "/auth/login", { body: { email, password }, headers: { "CF-Connecting-IP": address } });
}

export async function tokenOf(email: string): Promise<string> {
  const { status, json } = await logIn(email);
  if (status !== 200) throw new Error(`${email} could not sign in: ${JSON.stringify(json)}`);
  return json.access_token;
}

/** A token for a session created without signing in, which is much quicker. */
export async function sessionOf(user_id: string, use: TokenUse = "bearer"): Promise<string> {
  const db = database(env.DB);
  const home = await db.select().from(org_memberships).where(eq(org_memberships.user_id, user_id)).get();
  if (!home) throw new Error(`${user_id} works nowhere`);
  const sid = crypto.randomUUID();
  const expires = Date.now() + 3_600_000;
  await db
    .insert(sessions)
    .values({ id: sid, org_id: home.org_id, user_id, expires_at: new Date(expires).toISOString() });
  const exp = Math.floor(expires / 1000);
  return signToken(env.SESSION_SECRET, { sub: user_id, sid, org: home.org_id, dept: null, exp }, use);
}

/** Creates the person `id`@parks.example with the tests' common password. */
export async function aPerson(
  id: string,
  memberships: Record<string, OrgMembershipRole>,
  password_hash = quickHash(PASSWORD),
): Promise<void> {
  const db = database(env.DB);
  await db.insert(users).values({ id, email: `${id}@parks.example`, password_hash });
  for (const [org_id, role] of Object.entries(memberships)) {
    await db.insert(org_memberships).values({ org_id, user_id: id, role });
  }
}

export async function anOrganization(id: string): Promise<void> {
  await database(env.DB)
    .insert(organizations)
    .values({ id, name: `${id} parks` });
}

export async function rows(query: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all();
  return results;
}

/** Runs the work while no row can be added to a table, as when the database fails in the middle of it. */
export async function whileFull(table: string, work: () => Promise<void>): Promise<void> {
  await rows(`CREATE TRIGGER full BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`);
  await work().finally(() => rows("DROP TRIGGER full"));
}

/** The worker's environment; `env` does not type the namespace. */
export function bindings(more: Partial<Bindings> = {}): Bindings {
  const all: unknown = { ...env, ...more };
  if (!isBindings(all)) throw new Error("there is no environment");
  return all;
}

function isBindings(value: unknown): value is Bindings {
  return typeof value === "object" && value !== null && "SCHEDULER" in value;
}
