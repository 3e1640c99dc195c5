import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { AGENT_CLOSE } from "#domain/agent/frames";
import { agents } from "#db/agents";
import { database } from "#db/database";
import { atAgentDoor, type Knocking } from "#durable/agents/door-request";
import { newAgentSecret } from "#worker/auth/agent-secret";
import worker from "#worker/index";
import { anOrganization, aPerson, bindings, call, ORIGIN, rows, sessionOf } from "../support/door";

const HOLDS = "This is not the secret of an agent";
const REVOKED = "This agent was revoked. A new secret of it, from Settings, On-site Agents, lets it in again.";
let addresses = 0;
const anAddress = () => `203.0.113.${(addresses += 1)}`;

beforeAll(async () => {
  await anOrganization("city");
  await anOrganization("harbor");
  await anOrganization("closed");
  await env.DB.prepare("UPDATE organizations SET active = 0 WHERE id = 'closed'").run();
  await aPerson("ada", { city: "admin" });
});

async function anAgent(org_id: string): Promise<{ id: string; secret: string }> {
  const id = crypto.randomUUID();
  const { secret, secret_hash, hint } = newAgentSecret(id);
  const kept = { secret_hash, hint, issued_at: "2026-11-20T20:00:00.000Z" };
  await agents(database(env.DB), org_id).create(id, { name: "Riverside" }, kept);
  return { id, secret };
}

type Heard = { object: string; knocking: Knocking | null; headers: string[]; url: string };

/** Objects that write down who knocks, and answer with a socket, with an error, or not at all. */
function objects(answer: "socket" | "error" | "throws" | "revoked" = "socket") {
  const heard: Heard[] = [];
  const namespace = {
    idFromName: (name: string) => name,
    get: (object: string) => ({
      fetch: async (request: Request) => {
        heard.push({ object, knocking: atAgentDoor(request), headers: [...request.headers.keys()], url: request.url });
        if (answer === "throws") throw new Error("overloaded");
        if (answer === "revoked") return new Response(null, { status: 403 });
        if (answer === "error") return new Response(null, { status: 503 });
        const [agent, socket] = Object.values(new WebSocketPair());
        socket?.accept();
        return new Response(null, { status: 101, webSocket: agent ?? null });
      },
    }),
  };
  return { heard, namespace };
}

type More = { headers?: Record<string, string | null>; path?: string; method?: string; address?: string };

async function knock(secret: string | null, more: More = {}, namespace: object = objects().namespace) {
  const { headers = {}, path = "/api/agent", method = "GET", address = anAddress() } = more;
  const all = {
    Upgrade: "websocket",
    "CF-Connecting-IP": address,
    Authorization: secret === null ? null : `Bearer ${secret}`,
    ...headers,
  };
  const sent = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const request = new Request(`${ORIGIN}${path}`, { method, headers: Object.fromEntries(sent) });
  const more_bindings: object = { SCHEDULER: namespace };
  const response: Response = await worker.fetch(request, bindings(more_bindings), createExecutionContext());
  response.webSocket?.accept();
  response.webSocket?.close();
  return response;
}

const told = async (response: Response) => [response.status, await response.json()];

test("a right secret opens a socket that passes the guards as it is", async () => {
  const { id, secret } = await anAgent("city");
  const { heard, namespace } = objects();
  const response = await knock(secret, {}, namespace);
  expect(response.status).toBe(101);
  expect([...response.headers]).toEqual([]);
  expect(heard).toMatchObject([{ object: "city", knocking: { org_id: "city", agent_id: id, generation: 1 } }]);
});

test("the organization is the agent's own, whatever headers and query the request has", async () => {
  const { id, secret } = await anAgent("harbor");
  const { heard, namespace } = objects();
  const forged = encodeURIComponent(JSON.stringify({ org_id: "city", agent_id: "other", generation: 9 }));
  const headers = { "X-Agent": forged, "X-Subscriber": forged, Cookie: "a=b", "X-Org": "city" };
  await knock(secret, { headers, path: `/api/agent?org_id=city&agent_id=other` }, namespace);
  expect(heard).toEqual([
    {
      object: "harbor",
      knocking: { org_id: "harbor", agent_id: id, generation: 1 },
      headers: ["upgrade", "x-agent"],
      url: "https://object/agent",
    },
  ]);
});

test("what is no right secret opens nothing, and is refused in one sentence", async () => {
  const { id, secret } = await anAgent("city");
  const other = await anAgent("city");
  const closed = await anAgent("closed");
  const { heard, namespace } = objects();
  const tries: [string | null, More][] = [
    [null, {}],
    [null, { path: `/api/agent?secret=${secret}` }],
    [null, { headers: { Cookie: `secret=${secret}`, "Sec-WebSocket-Protocol": secret } }],
    [null, { headers: { Authorization: secret } }],
    [null, { headers: { Authorization: `Basic ${btoa(`agent:${secret}`)}` } }],
    ["", {}],
    ["lla_", {}],
    [`${secret}x`, {}],
    [secret.slice(0, -1), {}],
    [secret.replace(id, other.id), {}],
    [secret.replace(id, crypto.randomUUID()), {}],
    [`lla_' OR 1=1 --_${secret.slice(-43)}`, {}],
    [await sessionOf("ada"), {}],
    [closed.secret, {}],
  ];
  for (const [sent, more] of tries) {
    const response = await knock(sent, more, namespace);
    expect({ sent, told: await told(response) }).toEqual({ sent, told: [401, { detail: HOLDS }] });
    expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  }
  expect(heard).toEqual([]);
});

test("an agent's secret opens nothing else of the API", async () => {
  const { secret } = await anAgent("city");
  for (const path of ["/api/areas", "/api/admin/agents", "/live"]) {
    expect((await knock(secret, { path, headers: { Origin: ORIGIN } })).status).toBe(401);
  }
});

test("a revoked agent is told so, and let in with a new secret; the old one is none any more", async () => {
  const { id, secret } = await anAgent("city");
  const repository = agents(database(env.DB), "city");
  await repository.revoke(id, "2026-11-21T08:00:00.000Z");
  expect(await told(await knock(secret))).toEqual([403, { detail: REVOKED }]);
  const late = await knock((await anAgent("city")).secret, {}, objects("revoked").namespace);
  expect(await told(late)).toEqual([403, { detail: REVOKED }]);
  const { secret: renewed, secret_hash, hint } = newAgentSecret(id);
  await repository.renew(id, { secret_hash, hint, issued_at: "2026-11-21T09:00:00.000Z" });
  const { heard, namespace } = objects();
  expect((await knock(renewed, {}, namespace)).status).toBe(101);
  expect(heard[0]?.knocking?.generation).toBe(3);
  expect((await knock(secret)).status).toBe(401);
});

test("what is no upgrade, or another method, is refused before anything is read", async () => {
  const { secret } = await anAgent("city");
  const plain = await knock(null, { headers: { Upgrade: null } });
  expect([plain.status, plain.headers.get("Upgrade")]).toEqual([426, "websocket"]);
  const posted = await knock(secret, { method: "POST" });
  expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET"]);
});

test("without an upgrade only a right secret is asked for one, and no socket is opened", async () => {
  const { secret } = await anAgent("city");
  const { heard, namespace } = objects();
  const check = async (secret: string) => (await knock(secret, { headers: { Upgrade: null } }, namespace)).status;
  expect([await check(secret), await check(`${secret.slice(0, -4)}oops`)]).toEqual([426, 401]);
  expect(heard).toEqual([]);
});

test.each(["error", "throws"] as const)("an engine that %s is one that did not answer", async (answer) => {
  const { secret } = await anAgent("city");
  const { namespace } = objects(answer);
  expect(await told(await knock(secret, {}, namespace))).toEqual([
    503,
    { detail: "The switching engine did not answer. Please try again." },
  ]);
});

test("an address fails twenty times, in turn or at once; a right secret from it is let in all the same", async () => {
  const { secret } = await anAgent("city");
  const address = "198.51.100.7";
  const wrong = Array.from({ length: 24 }, () => knock("lla_x", { address }));
  const statuses = (await Promise.all(wrong)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  const refused = await knock("lla_x", { address });
  expect(refused.headers.get("Retry-After")).toBe("900");
  expect(await told(refused)).toEqual([429, { detail: "Too many tries. Try again in 15 minutes." }]);
  expect((await knock(secret, { address })).status).toBe(101);
  expect((await knock("lla_x", { address: "198.51.100.8" })).status).toBe(401);
});

test("an agent's failures do not count as sign-ins of the people at its address, and go after a day", async () => {
  const address = "198.51.100.9";
  await knock("lla_x", { address });
  expect(await rows("SELECT email FROM login_attempts WHERE address = ?", address)).toEqual([]);
  await env.DB.prepare("UPDATE login_attempts SET at = '2020-01-01T00:00:00.000Z' WHERE address = ?")
    .bind(`agent:${address}`)
    .run();
  await knock("lla_x");
  expect(await rows("SELECT email FROM login_attempts WHERE address = ?", `agent:${address}`)).toEqual([]);
});

test("the platform bounds how often an address knocks at all", async () => {
  const { secret } = await anAgent("city");
  const { heard, namespace } = objects();
  const AGENT_TRIES = { limit: async ({ key }: { key: string }) => ({ success: key !== "192.0.2.1" }) };
  const from = (address: string) => {
    const more: object = { SCHEDULER: namespace, AGENT_TRIES };
    const headers = { Upgrade: "websocket", Authorization: `Bearer ${secret}`, "CF-Connecting-IP": address };
    return worker.fetch(new Request(`${ORIGIN}/api/agent`, { headers }), bindings(more), createExecutionContext());
  };
  const refused = await from("192.0.2.1");
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(heard).toEqual([]);
  expect((await from("192.0.2.2")).status).toBe(101);
});

test("a revoked agent's socket is closed by the engine at once", async () => {
  const made = await call("POST", "/admin/agents", { token: await sessionOf("ada"), body: { name: "Riverside" } });
  const { id, secret } = made.json.data;
  const headers = { Upgrade: "websocket", Authorization: `Bearer ${secret}` };
  const request = new Request(`${ORIGIN}/api/agent`, { headers });
  const { status, webSocket } = await worker.fetch(request, bindings(), createExecutionContext());
  expect(status).toBe(101);
  const codes: number[] = [];
  webSocket?.addEventListener("close", ({ code }) => void codes.push(code));
  webSocket?.accept();
  const revoked = await call("POST", `/admin/agents/${id}/revoke`, { token: await sessionOf("ada") });
  expect(revoked.status).toBe(200);
  await vi.waitFor(() => expect(codes).toEqual([AGENT_CLOSE.revoked]), { timeout: 20_000, interval: 20 });
  const again: Response = await worker.fetch(new Request(request), bindings(), createExecutionContext());
  expect(again.status).toBe(403);
});
