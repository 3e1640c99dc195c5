import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { loader } from "#app/routes/export/route";
import { MOST_EXPORTED } from "#domain/lists/log-query";
import type { Bindings } from "#worker/wiring";
import { createContext } from "#worker/context";
import { servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { countedDatabase } from "../support/counted";
import { bindings, ORIGIN, sessionOf } from "../support/door";

beforeAll(async () => {
  await seedCity();
  const insert = (
    id: string,
    at: string,
    device: string | null,
    dept: string | null,
    more: [string, string, string],
  ) => [
    env.DB.prepare(
      `INSERT INTO scheduler_events (id, org_id, ts, device_id, dept_id, device_name, source, action, result, attempts, note)
       VALUES (?1, 'city', ?2, ?3, ?4, ?3 || ' light', ?5, ?6, ?7, 2, '=1+1, "so"')`,
    ).bind(id, at, device, dept, ...more),
    env.DB.prepare(
      `INSERT INTO device_events (id, org_id, created_at, device_id, dept_id, area_id, device_name, area_name, action, result)
       VALUES (?1, 'city', ?2, ?3, ?4, 'park', ?3 || ' light', 'Elm Park', ?5, ?6)`,
    ).bind(id, at, device, dept, more[1], more[2] === "ok" ? "success" : "failure"),
  ];
  await env.DB.batch([
    ...insert("a", "2026-11-19T07:59:59.999Z", "gate", null, ["scheduler", "on", "ok"]),
    ...insert("b", "2026-11-19T08:00:00.000Z", "court", "sports", ["manual", "off", "ok"]),
    ...insert("c", "2026-11-20T07:59:59.999Z", "weir", "rivers", ["watchdog", "on", "fail"]),
    ...insert("d", "2026-11-20T08:00:00.000Z", "gate", null, ["manual", "on", "retry"]),
    env.DB.prepare(
      `INSERT INTO audit_logs (id, org_id, created_at, actor_email, actor_role, action, resource_type, details) VALUES
       ('e', 'city', '2026-11-20T09:00:00.000Z', 'ada@parks.example', 'admin', 'create', 'area', '{"after":{"name":"Elm"}}'),
       ('f', 'city', '2026-11-20T10:00:00.000Z', NULL, NULL, 'update', 'hub', '"told"')`,
    ),
  ]);
});

type Log = "schedulerEvents" | "history" | "audit";

async function ids(log: Log, query = "", who: Parameters<typeof servicesOf> = ["admin"]) {
  const { rows } = await servicesOf(...who)[log].page(Object.fromEntries(new URLSearchParams(query)));
  return rows.map(({ id }) => id).join("");
}

test.each([
  ["schedulerEvents", "", "dcba"],
  ["schedulerEvents", "sort=oldest", "abcd"],
  ["schedulerEvents", "source=manual", "db"],
  ["schedulerEvents", "action=off", "b"],
  ["schedulerEvents", "result=fail", "c"],
  ["schedulerEvents", "q=GATE+light", "da"],
  ["history", "area=park&device=gate", "da"],
  ["history", "result=failure", "dc"],
  ["history", "action=off", "b"],
  ["history", "q=elm+weir", "c"],
  ["audit", "", "fe"],
  ["audit", "resource=area", "e"],
  ["audit", "q=ada", "e"],
] as const)("%s?%s are: %s", async (log, query, expected) => {
  expect(await ids(log, query)).toBe(expected);
});

test("from and to are days in the organization's zone, both included", async () => {
  expect(await ids("schedulerEvents", "from=2026-11-19&to=2026-11-19")).toBe("cb");
  expect(await ids("history", "from=2026-11-20")).toBe("d");
  expect(await ids("schedulerEvents", "to=2026-11-18")).toBe("a");
});

test("a log hides what the person's departments hide", async () => {
  expect(await ids("schedulerEvents", "", ["manager"])).toBe("dba");
  expect(await ids("history", "", ["admin", { dept: "rivers" }])).toBe("dca");
  expect(await ids("history", "", ["stranger"])).toBe("");
  await expect(servicesOf("manager").audit.page({})).rejects.toMatchObject({ code: "forbidden" });
  await expect(servicesOf("manager").audit.csv({})).rejects.toMatchObject({ code: "forbidden" });
});

test("reads a long log page by page in both directions, each entry once, also those of one instant", async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
     INSERT INTO scheduler_events (id, org_id, ts, source, action, result, attempts)
     SELECT 'n' || i, 'harbor', '2026-11-20T0' || (i / 100) || ':00:00.000Z', 'manual', 'on', 'ok', 1 FROM n`,
  ).run();
  for (const sort of ["newest", "oldest"]) {
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { db, trips } = countedDatabase();
      const page = await servicesOf("stranger", { db }).schedulerEvents.page({ sort, cursor });
      expect(trips()).toBe(1);
      seen.push(...page.rows.map(({ id }) => id));
      sizes.push(page.rows.length);
      cursor = page.next;
    }
    expect(sizes).toEqual([100, 100, 50]);
    expect(new Set(seen).size).toBe(250);
  }
});

afterEach(() => {
  vi.useRealTimers();
});

/** The download behind the link. */
async function exported(path: string, who: string, more: Partial<Bindings> = {}): Promise<Response> {
  const headers = { Cookie: `__Host-lamplighter_session=${await sessionOf(who, "cookie")}` };
  const request = new Request(`${ORIGIN}/export/${path}`, { headers });
  const context = createContext({ ...bindings(), ...more }, createExecutionContext(), request, "nonce");
  const log = new URL(request.url).pathname.split("/")[2];
  return loader({ request, context, params: { log } }).catch((thrown: unknown) => {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  });
}

test("an export is the filtered log as a file, with times in UTC and in the organization's zone", async () => {
  const answer = await exported("events?source=manual", "admin");
  expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="events-\d{4}-\d\d-\d\d\.csv"$/);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
  expect(new TextDecoder().decode(bytes)).toBe(
    [
      `"Time (UTC)","Time (America/Los_Angeles)","Device","Source","Action","Result","Attempts","Note"`,
      `"2026-11-20T08:00:00.000Z","2026-11-20T00:00:00.000-08:00","gate light","manual","on","retry","2","'=1+1, ""so"""`,
      `"2026-11-19T08:00:00.000Z","2026-11-19T00:00:00.000-08:00","court light","manual","off","ok","2","'=1+1, ""so"""`,
      "",
    ].join("\r\n"),
  );
});

test("an export made in the evening has the city's date in its name, though UTC is a day further", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T05:00:00Z") });
  const answer = await exported("template", "admin");
  expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="template-2026-11-20.csv"');
});

test("an export respects the person's departments and role", async () => {
  const history = await (await exported("history", "manager")).text();
  expect(history.match(/(gate|court|weir) light/g)).toEqual(["gate light", "court light", "gate light"]);
  expect((await exported("activity", "manager")).status).toBe(403);
  const activity = await (await exported("activity", "admin")).text();
  expect(activity).toContain(`"System","","update","hub","","told"\r\n`);
  expect(activity).toContain(`"ada@parks.example","admin","create","area","","{""after"":{""name"":""Elm""}}"\r\n`);
  expect((await exported("secrets", "admin")).headers.get("Location")).toBe("/dashboard");
  expect((await exported("constructor", "admin")).headers.get("Location")).toBe("/dashboard");
});

test("an export for which the archive does not answer is not refused as forbidden", async () => {
  const ARCHIVE = new Proxy(env.ARCHIVE, {
    get: (bucket, key) => (key === "list" ? () => Promise.reject(new Error("10001")) : Reflect.get(bucket, key)),
  });
  const answer = await exported("events?to=2020-01-01", "admin", { ARCHIVE });
  expect([answer.status, await answer.text()]).toEqual([503, "The archive did not answer. Please try again."]);
});

test("who is no longer signed in is told so, and saves no sign-in page as the log", async () => {
  const request = new Request(`${ORIGIN}/export/events`, { headers: { Cookie: "__Host-lamplighter_session=gone" } });
  const context = createContext(bindings(), createExecutionContext(), request, "nonce");
  const answer = loader({ request, context, params: { log: "events" } });
  await expect(answer).rejects.toMatchObject({
    status: 401,
    headers: new Headers({ "Content-Type": "text/plain;charset=UTF-8" }),
  });
});

test("an export is read in chunks, up to its limit", async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO device_events (id, org_id, created_at, device_name, action, result)
     SELECT 'n' || i, 'harbor', strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i, 'unixepoch'), 'Lamp ' || i, 'on', 'success' FROM n`,
  )
    .bind(MOST_EXPORTED + 10)
    .run();
  const { db, trips } = countedDatabase();
  const text = await new Response(await servicesOf("stranger", { db }).history.csv({})).text();
  const lamps = text.match(/Lamp \d+/g);
  // Whoever reads the file is told that there is more.
  expect(text).toMatch(/\r\n"The export ends at 2026-01-01T00:00:11\.000Z: please choose fewer days"\r\n$/);
  expect(lamps?.length).toBe(MOST_EXPORTED);
  expect(new Set(lamps).size).toBe(MOST_EXPORTED);
  expect(trips()).toBe(MOST_EXPORTED / 1_000 + 1);
});

test("an export that ends at its limit of itself does not say that it was cut", async () => {
  const oldest = `SELECT id FROM device_events WHERE org_id = 'harbor' ORDER BY created_at LIMIT -1 OFFSET ${MOST_EXPORTED}`;
  await env.DB.prepare(`DELETE FROM device_events WHERE id IN (${oldest})`).run();
  const text = await new Response(await servicesOf("stranger").history.csv({ sort: "oldest" })).text();
  expect(text.match(/Lamp \d+/g)?.length).toBe(MOST_EXPORTED);
  expect(text.split("\r\n").at(-2)).toContain(`"Lamp ${MOST_EXPORTED}"`);
});
