import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { database } from "#db/database";
import { isRefusal } from "#domain/errors";
import { roleOf } from "#domain/organization/permissions";
import type { Role } from "#domain/enums";
import type { ToggleResult, User } from "#domain/records/records";
import { resources } from "#worker/api/index";
import { onError } from "#worker/api/on-error";
import type { ApiEnv } from "#worker/api/session";
import { makeServices } from "#worker/wiring";
import type { Services } from "#worker/context";
import type { Scheduler, Scope } from "#worker/services/scope";
import { PEOPLE, type PersonName } from "./city";
import { checkRefusedFields } from "./refused-fields";

/** The clock of these tests; times are written relative to it. */
export const NOW = new Date("2026-11-20T20:00:00.000Z");
/** So many hours from now. */
export const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000).toISOString();
/** So many minutes ago. */
export const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

/** The calls that the engine got; it answers at once and switches nothing. */
export const asked: { verb: keyof Scheduler; [more: string]: unknown }[] = [];

// oxlint-disable-next-line typescript/no-explicit-any -- tests read the answers freely
export type Answer = { status: number; json: any };
export type More = Partial<
  Pick<Scope, "demo" | "direct" | "now" | "scheduler" | "db" | "archive" | "log_days" | "idempotency_key">
> & {
  dept?: string;
  role?: Role;
};

/** The API as one person: real services on the real database, and an engine that only records its calls. */
export function as(name: PersonName, more: More = {}) {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set("request_id", "test");
    c.set("services", makeServices(scopeFor(name, more)));
    await next();
  });
  app.onError(onError);
  app.route("/", resources);

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const init = {
      method,
      headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    };
    const text = typeof body === "string" || body instanceof ArrayBuffer ? body : JSON.stringify(body);
    const response: Response = await app.request(path, body === undefined ? init : { ...init, body: text });
    const json = await response.json<Answer["json"]>();
    if (response.status === 422) checkRefusedFields(method, path, json);
    return { status: response.status, json };
  }
  return {
    get: (path: string) => call("GET", path),
    post: (path: string, body?: unknown) => call("POST", path, body),
    put: (path: string, body?: unknown, if_match?: number) =>
      call("PUT", path, body, if_match === undefined ? {} : { "If-Match": String(if_match) }),
    remove: (path: string) => call("DELETE", path),
    call,
  };
}

/** The services as one person, for verbs that only the screens use. */
export function servicesOf(name: PersonName, more: More = {}): Services {
  return makeServices(scopeFor(name, more));
}

/** The code and sentence with which a service refuses; 'answered' if it does not. */
export function refused(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "answered",
    (caught: unknown) => (isRefusal(caught) ? `${caught.code}: ${caught.detail}` : "failed"),
  );
}

/** Every row of every table, to compare before and after a refused write. */
export { everything as fingerprint } from "./everything";

export function audits(): Promise<{ action: string; resource_type: string; details: string }[]> {
  const entries = env.DB.prepare("SELECT action, resource_type, details FROM audit_logs ORDER BY rowid");
  return entries.all<{ action: string; resource_type: string; details: string }>().then(({ results }) => results);
}

export function scopeFor(name: PersonName, { dept, role: chosen, ...more }: More): Scope {
  const { id, org_id, role, depts } = PEOPLE[name];
  const user: User = {
    id,
    email: `${id}@parks.example`,
    role: chosen ?? roleOf(role),
    org_role: "org_member",
    current_org_id: org_id,
    current_dept_id: dept ?? null,
    org_memberships: [{ org_id, org_name: org_id, role }],
    dept_memberships: depts.map((membership) => ({ ...membership, org_id })),
  };
  return {
    user,
    org_id,
    db: database(env.DB),
    archive: null,
    log_days: 400,
    scheduler: noting,
    now: () => NOW,
    newId: () => crypto.randomUUID(),
    demo: false,
    direct: false,
    settings_key: env.SETTINGS_KEY,
    idempotency_key: null,
    later: () => undefined,
    ...more,
  };
}

const noting: Scheduler = {
  sync: async (org_id) => void asked.push({ verb: "sync", org_id }),
  noteLists: () => undefined,
  checkSessions: () => undefined,
  dropAgent: (org_id, agent_id) => void asked.push({ verb: "dropAgent", org_id, agent_id }),
  toggle: async (request) => {
    asked.push({ verb: "toggle", ...request });
    return {
      success: true,
      action: request.action,
      state: request.action === "auto" ? "off" : request.action,
      provider: "mock",
      detail: null,
    } satisfies ToggleResult;
  },
  toggleMany: async (request) => {
    asked.push({ verb: "toggleMany", ...request });
    return request.device_ids.map((device_id) => ({ device_id, success: true, pending: false, detail: null }));
  },
  explain: async (of) => {
    asked.push({ verb: "explain", ...of });
    return of.device_ids.map((device_id) => ({
      device_id,
      state: "none",
      reason: "idle",
      sentence: "Off: nothing is scheduled",
      claims: [],
      toggle: { off_at: null, off_by: null, on_at: null, on_by: null },
      lit_since: null,
      guardrail: null,
      closure: null,
      refusal: null,
      next_change_at: null,
      next_start_at: null,
      next_flip: null,
      problem: null,
      reported: { state: "off", at: null },
      command: null,
    }));
  },
  forecast: async ({ device_ids, from, to, ...of }) => {
    asked.push({ verb: "forecast", device_ids, ...of });
    const dark = { from, to, state: "off", reason: "idle", sentence: "Off: nothing is scheduled" } as const;
    return {
      data: device_ids.map((device_id) => ({ device_id, segments: [{ ...dark, schedule_ids: [] }] })),
      next: null,
    };
  },
  preview: async ({ schedule, ...of }) => {
    asked.push({ verb: "preview", schedule, ...of });
    return { windows: [], conflicts: [], devices: 1, looked_at: 1, isActive: true };
  },
  listHubAccount: async (of) => {
    asked.push({ verb: "listHubAccount", ...of });
    return { ok: true, devices: [] };
  },
  pingHub: async (test) => {
    asked.push({ verb: "pingHub", ...test });
    const result = { success: true, rtt_ms: 7, detail: null, provider: "mock" } as const;
    return { timestamp: NOW.toISOString(), hub_name: "Park hub", ip_address: null, result };
  },
  readState: async (test) => {
    asked.push({ verb: "readState", ...test });
    const result = { success: true, state: "off", provider: "mock", error: null } as const;
    return { timestamp: NOW.toISOString(), device_name: "Gate light", result };
  },
  testSwitch: async (test) => {
    asked.push({ verb: "testSwitch", ...test });
    return {
      timestamp: NOW.toISOString(),
      device_name: "Gate light",
      action: test.action,
      success: true,
      action_result: { success: true, provider: "mock", error: null },
      verification_result: { state: test.action },
    };
  },
  testEmail: async (test) => {
    asked.push({ verb: "testEmail", ...test });
    return { success: true, detail: "The e-mail service took it" };
  },
  testMessage: async (test) => {
    asked.push({ verb: "testMessage", ...test });
    return { success: true, detail: "Sent to +13105550142." };
  },
  sendWebhook: async ({ org_id, message }) => void asked.push({ verb: "sendWebhook", org_id, message }),
  endTest: async (test) => void asked.push({ verb: "endTest", ...test }),
};
