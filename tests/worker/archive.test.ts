import { gunzipSync } from "node:zlib";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { columnsOf, placeIn, type RawRow } from "#db/archive";
import { database } from "#db/database";
import { MOST_BYTES, type Portion } from "#db/log";
import { tonight } from "#db/tonight";
import { retentionNote } from "#domain/lists/archive";
import { historyView } from "#domain/lists/log-query";
import type { DeviceEvent } from "#domain/records/records";
import { archiveDay } from "#worker/archive/archive-day";
import { archiveOldRecords } from "#worker/archive/archive-old-records";
import { HISTORY_IN_FILES } from "#worker/archive/archived-logs";
import { daysOf, openDay, type Shelf } from "#worker/archive/bucket";
import { writeDay } from "#worker/archive/day-file";
import { logReader } from "#worker/archive/log-reader";
import { A_PAGE } from "#worker/archive/read-log";
import { retentionDays } from "#worker/archive/retention-days";
import { archiveLogs, pruneOldRecords } from "#worker/sweep";
import { as, servicesOf, type More } from "../support/api";
import { seedCity, type PersonName } from "../support/city";
import { countedDatabase } from "../support/counted";
import { slowSteps } from "../support/query-plans";
import { planOf, recordedDatabase } from "../support/recorded";

/** Long ago by any clock: the audit log refuses to lose what is young. Ninety days before it is August 22. */
const NOW = new Date("2024-11-20T20:00:00.000Z");
const OLD_DAYS = ["2024-05-01", "2024-07-30", "2024-08-21"];
const DAYS = [...OLD_DAYS, "2024-08-22", "2024-11-20"];
const LOGS = ["history", "schedulerEvents", "audit"] as const;
type Log = (typeof LOGS)[number];
type Query = Record<string, string>;

const shelf = (log: Shelf["log"] = "device-events"): Shelf => ({ bucket: env.ARCHIVE, org_id: "city", log });

beforeAll(seedCity);

beforeEach(async () => {
  const { objects } = await env.ARCHIVE.list();
  await env.ARCHIVE.delete(objects.map(({ key }) => key));
  await env.DB.batch(
    ["scheduler_events", "device_events", "audit_logs", "state_changes"].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
});

/**
 * So many rows of each log on each day, a minute and a device after the other, some in one instant. They are of an area that
 * is gone: of one that is there the latest stay.
 */
async function fill(
  days: readonly string[],
  count: number,
  tables: readonly string[] = ["device_events", "scheduler_events", "audit_logs"],
  prefix = "",
  area = "old-park",
): Promise<void> {
  const n = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)";
  const at = "strftime('%Y-%m-%dT%H:%M:%fZ', ?1, '+' || (i / 3 % 600) || ' minutes')";
  const id = `'${prefix}' || substr(?1, 1, 10) || '-' || i`;
  const of = (words: string[], step = 1) =>
    `CASE i / ${step} % ${words.length} ${words.map((word, index) => `WHEN ${index} THEN ${word}`).join(" ")} END`;
  const light = `${of(["'gate'", "'court'", "'weir'"])}, ${of(["NULL", "'sports'", "'rivers'"])}, ${of(["'Gate light'", "'Coürt \"A\"'", "'Weir light'"])}`;
  const inserts = [
    `INSERT INTO device_events (id, org_id, created_at, device_id, dept_id, device_name, area_id, area_name, action, result, provider, response_snippet, http_status, rtt_ms)
     SELECT ${id}, 'city', ${at}, ${light}, '${area}', 'Elm Park', ${of(["'on'", "'off'", "'test'"], 2)}, ${of(["'success'", "'failure'"], 5)}, 'mock', 'says "' || i || '"' || char(10) || 'so', 200, 1.5 FROM n`,
    `INSERT INTO scheduler_events (id, org_id, ts, device_id, dept_id, device_name, source, action, result, attempts, note, cause)
     SELECT ${id}, 'city', ${at}, ${light}, ${of(["'manual'", "'scheduler'"], 2)}, ${of(["'on'", "'off'"])}, ${of(["'ok'", "'fail'", "'retry'"], 7)}, 1, 'No. ' || i, NULL FROM n`,
    `INSERT INTO audit_logs (id, org_id, created_at, actor_email, actor_role, action, resource_type, details)
     SELECT ${id}, 'city', ${at}, ${of(["NULL", "'Ada@parks.example'"])}, 'admin', 'update', ${of(["'area'", "'hub'"], 3)}, ${of(["NULL", "'\"told\"'", '\'{"after":{"name":"Elm \\ud83d"}}\''])} FROM n`,
  ];
  const wanted = inserts.filter((insert) => tables.some((table) => insert.includes(` ${table} `)));
  await env.DB.batch(
    days.flatMap((day) => wanted.map((insert) => env.DB.prepare(`${n} ${insert}`).bind(`${day}T12:00:00.000Z`, count))),
  );
}

const archive = (more: { calls?: number; bucket?: R2Bucket; DB?: D1Database; now?: Date } = {}) =>
  archiveOldRecords({ DB: more.DB ?? env.DB, ARCHIVE: more.bucket ?? env.ARCHIVE }, 400, {
    now: (more.now ?? NOW).getTime(),
    ...(more.calls === undefined ? {} : { calls: more.calls }),
  });

/** Every entry of a view, page by page. */
async function readAll(log: Log, query: Query, who: PersonName, more: More) {
  const rows: unknown[] = [];
  const notes = new Set<string>();
  let cursor: string | null = "";
  for (let pages = 0; cursor !== null && pages < 100; pages++) {
    const page: { rows: unknown[]; next: string | null; notes: { text: string }[] } = await servicesOf(who, {
      now: () => NOW,
      ...more,
    })[log].page({ ...query, cursor });
    rows.push(...page.rows);
    for (const { text } of page.notes) notes.add(text);
    cursor = page.next;
  }
  return { rows, notes: [...notes] };
}

/** The bucket, with a verb that fails. */
function failing(verb: "get" | "put" | "head" | "list", on = (_key: unknown) => true): R2Bucket {
  return new Proxy(env.ARCHIVE, {
    get(bucket, key) {
      const value: unknown = Reflect.get(bucket, key);
      if (typeof value !== "function") return value;
      return async (...given: unknown[]) => {
        if (key === verb && on(given[0])) throw new Error(`${verb}: We encountered an internal error. (10001)`);
        return Reflect.apply(value, bucket, given);
      };
    },
  });
}

const left = async (table = "device_events", org_id = "city") =>
  (await env.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE org_id = ?`).bind(org_id).first<{ n: number }>())?.n;

describe("what is moved", () => {
  const VIEWS: [Log, Query, PersonName?][] = [
    ["history", { from: "2024-01-01" }],
    ["history", { sort: "oldest" }],
    ["history", { from: "2024-07-30", to: "2024-07-30" }],
    ["history", { from: "2024-01-01", device: "court", result: "failure" }],
    ["history", { from: "2024-01-01", area: "old-park", action: "test", sort: "oldest" }, "manager"],
    ["history", { from: "2024-01-01", q: 'COÜRT "a"' }],
    ["history", { from: "2024-01-01", q: "elm says" }, "manager"],
    ["history", { from: "2024-01-01", device: "nowhere" }],
    ["schedulerEvents", { from: "2024-01-01", source: "manual", action: "on", result: "fail" }],
    ["schedulerEvents", { to: "2024-08-20", q: "no. 11" }],
    ["schedulerEvents", { from: "2024-08-21", to: "2024-08-22", sort: "oldest" }, "manager"],
    ["audit", { from: "2024-01-01", resource: "hub" }],
    ["audit", { sort: "oldest", q: "ada elm" }],
  ];

  test("is read with the same filters, visibility, order and ids as in the database, across the border", async () => {
    await fill(DAYS, 130);
    const before = await Promise.all(VIEWS.map(([log, query, who = "admin"]) => readAll(log, query, who, {})));
    expect(before[0]?.rows.length).toBe(650);
    const run = await archive();
    expect(run).toMatchObject({ days: 9, rows: 9 * 130, failed: 0 });
    for (const table of ["device_events", "scheduler_events", "audit_logs"]) expect(await left(table)).toBe(260);
    for (const [index, [log, query, who = "admin"]] of VIEWS.entries()) {
      const after = await readAll(log, query, who, { archive: env.ARCHIVE });
      expect(after.rows, `${log} ${JSON.stringify(query)}`).toEqual(before[index]?.rows);
    }
    const { notes } = await readAll("history", { from: "2024-08-01" }, "admin", { archive: env.ARCHIVE });
    expect(notes).toEqual(["Entries from before Aug 22, 2024 come from the archive."]);
    const kept = "Logs are kept for 400 days. What is older has been deleted.";
    for (const archive of [env.ARCHIVE, null])
      for (const query of [
        { from: "2023-10-01", to: "2023-10-02" },
        { from: "2023-10-01", to: "2024-11-20" },
        { from: "", to: "2023-10-02" },
      ])
        expect((await readAll("history", query, "admin", { archive })).notes).toContain(kept);
  });

  test("is one file a day, log and organization, which every tool unpacks and whose header says what it holds", async () => {
    await fill(DAYS, 7);
    await archive();
    const { objects } = await env.ARCHIVE.list();
    const keys = ["audit-log", "device-events", "scheduler-events"].flatMap((log) =>
      OLD_DAYS.map((day) => `city/${log}/${day}.jsonl.gz`),
    );
    expect(objects.map(({ key }) => key)).toEqual(keys);
    const text = await unpacked("city/device-events/2024-05-01.jsonl.gz");
    const [head = "", ...lines] = text.split("\n");
    const rows = lines.join("\n");
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rows));
    expect(JSON.parse(head)).toMatchObject({
      format: "lamplighter-log",
      version: 1,
      org_id: "city",
      log: "device-events",
      day: "2024-05-01",
      rows: 7,
      sha256: [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
    });
    expect(JSON.parse(lines[0] ?? "")).toContain("2024-05-01-0");
  });

  test("comes after the young entries: the first page asks no file, and its end leads to the archive", async () => {
    await fill(DAYS, 130);
    await archive();
    const { history } = servicesOf("admin", { archive: failing("get"), now: () => NOW });
    const first = await history.page({});
    expect([first.rows.length, first.notes]).toEqual([100, []]);
    const { rows, notes } = await readAll("history", {}, "admin", { archive: env.ARCHIVE });
    expect(rows.length).toBe(650);
    expect(notes).toEqual([
      "Entries from before Aug 22, 2024 are in the archive. Older goes on there; so does a day chosen as From.",
      "Entries from before Aug 22, 2024 come from the archive.",
    ]);
  });

  test("is read by the API a day at a time, and is not among its latest entries", async () => {
    await fill(DAYS, 130);
    const latest = (await as("admin", { now: () => NOW }).get("/history/events?limit=1000")).json.data;
    await archive();
    const api = as("admin", { archive: env.ARCHIVE, now: () => NOW });
    expect((await api.get("/history/events?limit=1000")).json.data).toEqual(latest.slice(0, 260));
    const day = latest.filter(({ id }: { id: string }) => id.startsWith("2024-07-30"));
    const first = (await api.get("/history/events?day=2024-07-30&limit=100")).json.data;
    const { created_at, id } = first.at(-1);
    const rest = (await api.get(`/history/events?day=2024-07-30&limit=100&cursor=${created_at}~${id}`)).json.data;
    expect([...first, ...rest].length).toBe(130);
    expect([...first, ...rest]).toEqual(day);
    const events = (await api.get("/scheduler/events?day=2024-07-30&device_id=gate&since=2024-07-30T12:40:00Z")).json;
    expect(events.events.length).toBe(4);
    expect((await api.get("/scheduler/events?day=2024-07-30&device_id=gate")).json.events.length).toBe(44);
    expect((await api.get("/admin/audit-logs?day=2024-07-30")).json.data.length).toBe(100);
  });

  test("is in an export", async () => {
    await fill(DAYS, 40);
    const csv = async (more: More) =>
      new Response(await servicesOf("admin", { now: () => NOW, ...more }).history.csv({})).text();
    const before = await csv({});
    await archive();
    expect(await csv({ archive: env.ARCHIVE })).toBe(before);
  });

  test("stays where it is without a bucket, and where it is young or another organization's", async () => {
    await fill(["2024-08-22"], 3);
    await env.DB.prepare("UPDATE device_events SET org_id = 'nobody'").run();
    expect(await archive()).toMatchObject({ days: 0, rows: 0 });
    expect(await left("device_events", "nobody")).toBe(3);
  });
});

describe("a run that breaks off", () => {
  const whole = async () => (await readAll("history", { from: "2024-01-01" }, "admin", { archive: env.ARCHIVE })).rows;

  test.each(["put", "head", "get"] as const)("at %s deletes nothing, and the next one goes on", async (verb) => {
    await fill(DAYS, 20);
    const before = await whole();
    const run = await archive({ bucket: failing(verb) });
    expect([run.rows, run.failed]).toEqual([0, 9]);
    expect(await left()).toBe(100);
    expect(await whole()).toEqual(before);
    expect(await archive()).toMatchObject({ rows: 180, failed: 0 });
    expect(await whole()).toEqual(before);
  });

  test("between the file and the rows shows each row once, and the next one only deletes", async () => {
    await fill(DAYS, 20);
    const before = await whole();
    const broken = new Proxy(env.DB, {
      get(d1, key) {
        if (key === "prepare") {
          return (sql: string) => {
            if (sql.startsWith("delete")) throw new Error("D1_ERROR: Network connection lost.");
            return d1.prepare(sql);
          };
        }
        return Reflect.get(d1, key);
      },
    });
    expect(await archive({ DB: broken })).toMatchObject({ rows: 0, failed: 9 });
    expect(await left()).toBe(100);
    expect(await whole()).toEqual(before);
    const { objects } = await env.ARCHIVE.list();
    expect(objects.length).toBe(9);
    expect(await archive({ bucket: failing("put") })).toMatchObject({ rows: 180, failed: 0 });
    expect(await left()).toBe(40);
    expect(await whole()).toEqual(before);
  });

  test("for want of budget is gone on with by the next one, a long day in several steps", async () => {
    await fill(["2024-05-01"], 2_100, ["device_events"]);
    const csv = async () => {
      const { history } = servicesOf("admin", { archive: env.ARCHIVE, now: () => NOW });
      return new Response(await history.csv({})).text();
    };
    const before = await csv();
    const step = (calls: number) =>
      archiveDay(shelf(), database(env.DB), { day: "2024-05-01", before: "2024-08-22" }, { calls });
    expect(await step(14)).toBe(0);
    expect([await step(15), await left()]).toEqual([2_000, 100]);
    expect(await csv()).toBe(before);
    expect([await step(15), await left()]).toEqual([100, 0]);
    expect(await csv()).toBe(before);
  });
});

describe("a night of old", () => {
  const DATES = ["2024-05-01", "2024-06-15", "2024-07-29", "2024-07-30", "2024-08-20", "2024-08-21", "2024-08-22"];
  const change = (device: string, kind: string, at: string, state: string) =>
    env.DB.prepare(
      `INSERT INTO state_changes (org_id, device_id, kind, at, state, reason, sentence, schedule_ids, booked_until)
       VALUES ('city', ?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)`,
    ).bind(
      device,
      kind,
      at,
      state,
      ...(kind === "desired" ? ["claim", `${state}, then`, '["practice"]'] : [null, null, null]),
    );
  const nights = (archived: R2Bucket | null) =>
    Promise.all(
      DATES.map(async (date) => {
        const api = as("admin", { archive: archived, now: () => NOW });
        const { status, json } = await api.get(`/nights?area_id=park&date=${date}`);
        const { tonight } = servicesOf("admin", { archive: archived, now: () => NOW });
        const { known_from } = await tonight.page({ date });
        return { date, status, json, known_from };
      }),
    );

  beforeEach(async () => {
    const evenings = ["2024-07-29", "2024-07-30", "2024-08-20", "2024-08-21", "2024-08-22", "2024-08-23"];
    await env.DB.batch([
      ...evenings.flatMap((day) => [
        change("gate", "desired", `${day}T20:00:00.000Z`, "on"),
        change("gate", "reported", `${day}T20:00:05.000Z`, "on"),
        change("gate", "desired", `${day}T23:00:00.000Z`, "off"),
        change("gate", "reported", `${day}T23:30:00.000Z`, "off"),
      ]),
      // One that burns since spring, one that has changed twice since.
      change("court", "desired", "2024-05-01T20:00:00.000Z", "on"),
      change("court", "reported", "2024-05-01T20:00:05.000Z", "on"),
      change("weir", "reported", "2024-05-02T20:00:05.000Z", "on"),
      change("weir", "reported", "2024-08-21T20:00:05.000Z", "off"),
    ]);
  });

  test("is told as before, also of a light that had not changed for months, and D1 keeps the last change of each", async () => {
    const before = await nights(null);
    expect(before.every(({ status }) => status === 200)).toBe(true);
    await archive();
    expect(await nights(env.ARCHIVE)).toEqual(before);
    const { results } = await env.DB.prepare(
      "SELECT device_id, kind, at FROM state_changes WHERE at < '2024-08-22' ORDER BY 1, 2",
    ).all<{ device_id: string; kind: string; at: string }>();
    expect(results.map(({ device_id, kind, at }) => `${device_id} ${kind} ${at.slice(0, 13)}`)).toEqual([
      "court desired 2024-05-01T20",
      "court reported 2024-05-01T20",
      "gate desired 2024-08-21T23",
      "gate reported 2024-08-21T23",
      "weir reported 2024-08-21T20",
    ]);
    expect(await archive()).toMatchObject({ rows: 0, failed: 0 });
  });

  test("is refused in a sentence where its file cannot be read", async () => {
    await archive();
    const bucket = failing("get", (key) => String(key).includes("2024-07-29"));
    const api = as("admin", { archive: bucket, now: () => NOW });
    const { status, json } = await api.get("/nights?area_id=park&date=2024-07-29");
    expect([status, json.detail]).toEqual([503, expect.stringMatching(/file of Jul 29, 2024 could not be read/)]);
  });
});

describe("what comes late", () => {
  test("is shown with its day at once, and merged into the file by the next run", async () => {
    await fill(OLD_DAYS, 20);
    await archive();
    await fill(["2024-07-30"], 20, undefined, "late-");
    const read = () => readAll("history", { from: "2024-07-30", to: "2024-07-30" }, "admin", { archive: env.ARCHIVE });
    const shown = await read();
    const ids = shown.rows.flatMap((row) => (typeof row === "object" && row && "id" in row ? [row.id] : []));
    expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
    expect(await archive()).toMatchObject({ days: 3, rows: 60 });
    expect(await read()).toEqual(shown);
    // Delivered once more, after it was merged.
    await fill(["2024-07-30"], 20, undefined, "late-");
    expect((await read()).rows).toEqual(shown.rows);
    await archive({ bucket: failing("put") });
    expect((await read()).rows).toEqual(shown.rows);
    expect(await left()).toBe(0);
  });

  test("is not lost where two runs write the same file", async () => {
    await fill(OLD_DAYS, 20);
    await Promise.all([archive(), archive()]);
    await archive();
    const { rows } = await readAll("history", { sort: "oldest" }, "admin", { archive: env.ARCHIVE });
    expect([rows.length, await left()]).toEqual([60, 0]);
  });

  test("is not deleted with the rows that were read before it came", async () => {
    await fill(["2024-05-01"], 20);
    const once = { done: false };
    const bucket = new Proxy(env.ARCHIVE, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return async (...given: unknown[]) => {
          if (key === "put" && !once.done) {
            once.done = true;
            await fill(["2024-05-01"], 5, undefined, "late-");
          }
          return Reflect.apply(value, target, given);
        };
      },
    });
    const means = { day: "2024-05-01", before: "2024-08-22" };
    expect(await archiveDay({ ...shelf(), bucket }, database(env.DB), means, { calls: 450 })).toBe(20);
    expect(await left()).toBe(5);
  });
});

describe("a file that cannot be read", () => {
  const KEY = "city/device-events/2024-07-30.jsonl.gz";
  const DETAIL =
    "The archive's file of Jul 30, 2024 could not be read, so entries of that day are missing. Please try again; " +
    "if it stays so, tell whoever runs Lamplighter.";
  const page = (query: Query, bucket: R2Bucket) =>
    servicesOf("admin", { archive: bucket, now: () => NOW }).history.page(query);

  beforeEach(async () => {
    await fill(OLD_DAYS, 20);
    await archive();
  });

  const BROKEN: [string, () => Promise<R2Bucket>][] = [
    ["because the bucket fails", async () => failing("get", (key) => String(key).includes("2024-07-30"))],
    [
      "because its bytes are others",
      () => rewritten((bytes) => bytes.map((byte, at) => (at === bytes.length - 30 ? byte ^ 1 : byte))),
    ],
    ["because it is another organization's", () => foreign()],
    ["because it is something else", () => rewritten(() => new TextEncoder().encode("<html>"))],
  ];

  test.each(BROKEN)("%s is said in a sentence, and the other days are shown", async (_why, breakIt) => {
    const bucket = await breakIt();
    const first = await page({ from: "2024-01-01" }, bucket);
    expect(first.rows.length).toBe(20);
    expect(first.notes[0]).toEqual({ text: `${DETAIL} Older goes on.`, isWarning: true });
    const second = await page({ from: "2024-01-01", cursor: first.next ?? "" }, bucket);
    expect([second.rows.length, second.next]).toEqual([20, null]);
    const oldest = await page({ sort: "oldest" }, bucket);
    expect((await page({ sort: "oldest", cursor: oldest.next ?? "" }, bucket)).rows.length).toBe(20);
    const api = await as("admin", { archive: bucket, now: () => NOW }).get("/history/events?day=2024-07-30");
    expect([api.status, api.json.detail]).toEqual([503, DETAIL]);
    const services = servicesOf("admin", { archive: bucket, now: () => NOW });
    const csv = await new Response(await services.history.csv({ from: "2024-01-01" })).text();
    expect([csv.match(/Elm Park/g)?.length, csv.includes(`"${DETAIL}"`)]).toEqual([40, true]);
  });

  test("does not keep late rows of its day from being shown, nor other days from being moved", async () => {
    await rewritten(() => new TextEncoder().encode("<html>"));
    await fill(["2024-07-30", "2024-08-20"], 5, undefined, "late-");
    expect(await archive()).toMatchObject({ failed: 1 });
    const told = () => env.DB.prepare("SELECT waiting_since, failed_at, failed FROM archive_health").first();
    expect(await told()).toEqual({
      waiting_since: expect.stringMatching(/^2024-/),
      failed_at: NOW.toISOString(),
      failed: expect.stringMatching(/^[a-z-]+ 2024-\d\d-\d\d$/),
    });
    expect(await left()).toBe(5);
    const { rows } = await page({ from: "2024-07-30", to: "2024-07-30" }, env.ARCHIVE);
    expect(rows.length).toBe(5);
  });

  test("is readable again when it was copied back without its metadata", async () => {
    await rewritten((bytes) => bytes);
    const { rows, notes } = await page({ from: "2024-01-01" }, env.ARCHIVE);
    expect([rows.length, notes.some(({ isWarning }) => isWarning)]).toEqual([60, false]);
  });

  /** The bucket with the same day's file of another organization under this one's name. */
  async function foreign(): Promise<R2Bucket> {
    const rows = async function* (): AsyncGenerator<RawRow> {
      yield columnsOf("device-events").map((name) => (name === "created_at" ? "2024-07-30T12:00:00.000Z" : name));
    };
    const of = { org_id: "harbor", log: "device-events", day: "2024-07-30", columns: columnsOf("device-events") };
    const { bytes } = await writeDay(of, rows(), placeIn("device-events", of.columns));
    await env.ARCHIVE.put(KEY, bytes);
    return env.ARCHIVE;
  }

  async function rewritten(change: (bytes: Uint8Array) => Uint8Array): Promise<R2Bucket> {
    const bytes = new Uint8Array((await (await env.ARCHIVE.get(KEY))?.arrayBuffer()) ?? []);
    await env.ARCHIVE.put(KEY, change(bytes));
    return env.ARCHIVE;
  }
});

test("a bucket that does not answer at all is a refusal in words where old days are asked for, and nothing else fails", async () => {
  await fill(DAYS, 5);
  const more = { archive: failing("list"), now: () => NOW };
  expect((await as("admin", more).get("/history/events")).status).toBe(200);
  const api = await as("admin", more).get("/history/events?day=2024-07-30");
  const sentence = "The archive did not answer. Please try again.";
  expect([api.status, api.json.detail]).toEqual([503, sentence]);
  const { history } = servicesOf("admin", more);
  expect((await history.page({})).rows.length).toBe(10);
  expect(await history.page({ to: "2024-07-30" })).toEqual({
    rows: [],
    next: null,
    notes: [{ text: sentence, isWarning: true }],
  });
});

test("files are deleted when they are older than LOG_RETENTION_DAYS", async () => {
  await fill(OLD_DAYS, 3);
  await archive();
  const later = new Date("2025-09-01T12:00:00.000Z");
  expect(await archive({ now: later })).toMatchObject({ dropped: 3, rows: 0 });
  expect(await daysOf(shelf())).toEqual(["2024-07-30", "2024-08-21"]);
});

test.each<[string, number]>([
  ["30", 30],
  ["99999999999", 36_500],
  // Whoever mistypes it loses no more than the default would delete.
  ...["0", "-30", "1.5", "30 days", "a year", "Infinity", ""].map((text): [string, number] => [text, 400]),
])("with a LOG_RETENTION_DAYS of '%s' logs are kept for %i days", (LOG_RETENTION_DAYS, days) => {
  expect(retentionDays({ LOG_RETENTION_DAYS })).toBe(days);
});

test("logs that are kept for a day are said to be", () => {
  expect(retentionNote(1).text).toBe("Logs are kept for 1 day. What is older has been deleted.");
});

test("logs that are to be kept for ever, by a number that no calendar reaches, are kept, archived and shown", async () => {
  const env_for_ever = { DB: env.DB, ARCHIVE: env.ARCHIVE, LOG_RETENTION_DAYS: "99999999999" };
  await fill(OLD_DAYS, 3);
  await pruneOldRecords(env_for_ever);
  expect(await left()).toBe(9);
  await archiveLogs(env_for_ever);
  expect([await left(), await daysOf(shelf())]).toEqual([0, OLD_DAYS]);
  const more = { archive: env.ARCHIVE, log_days: retentionDays(env_for_ever) };
  const { rows, notes } = await readAll("history", { from: "2024-01-01" }, "admin", more);
  expect([rows.length, notes]).toEqual([9, ["Entries from before Aug 22, 2024 come from the archive."]]);
});

test("a page looks through so much and no more, says how far it came, and goes on from there", async () => {
  await fill(OLD_DAYS, 4, ["device_events"]);
  await archive();
  const { read } = logReader(
    { org_id: "city", archive: env.ARCHIVE, now: () => NOW },
    {
      read: async (): Promise<Portion<DeviceEvent>> => ({ rows: [], isCut: false }),
      nthPlace: async () => null,
      placeOf: ({ created_at, id }) => ({ at: created_at, id }),
      files: HISTORY_IN_FILES,
      depts: null,
    },
  );
  const view = historyView.parse({ q: "nowhere" });
  const piece = { sort: "newest", since: "2024-01-01", limit: 10 } as const;
  const first = await read(view, piece, { ...A_PAGE, files: 2, examined: 100 });
  expect(first).toMatchObject({ rows: [], stop: { at: { at: "2024-07-30T00:00:00.000Z" }, unreadable: null } });
  expect(await read(view, { ...piece, after: first.stop?.at }, { ...A_PAGE, files: 2, examined: 100 })).toMatchObject({
    stop: null,
  });
  const few = await read(view, { ...piece, sort: "oldest" }, { ...A_PAGE, files: 9, examined: 4 });
  expect(few.stop?.at).toEqual({ at: "2024-05-01T12:01:00.000Z", id: "2024-05-01-3" });
});

test("every statement of a run finds its rows by an index", async () => {
  await fill(DAYS, 5);
  const { db, statements } = recordedDatabase();
  for (const log of ["device-events", "scheduler-events", "audit-log", "state-log"] as const) {
    await archiveDay(shelf(log), db, { day: "2024-05-01", before: "2024-08-22" }, { calls: 450 });
  }
  const steps = await Promise.all(
    statements.map(async (statement) => ({ sql: statement.sql, slow: slowSteps(await planOf(statement)) })),
  );
  expect(steps.filter(({ sql, slow }) => slow.length > 0 && !sql.includes("state_changes"))).toEqual([]);
});

test("a park that was last lit before the winter still says when", async () => {
  await fill(OLD_DAYS, 9, ["device_events"], "", "park");
  const of = (who: PersonName) => servicesOf(who, { now: () => NOW, archive: env.ARCHIVE }).dashboard.find("park");
  const before = [(await of("admin")).last_activity, (await of("manager")).last_activity];
  expect(await archive()).toMatchObject({ rows: 24, failed: 0 });
  expect([(await of("admin")).last_activity, (await of("manager")).last_activity]).toEqual(before);
  expect(await archive()).toMatchObject({ rows: 0, failed: 0 });
  expect((await readAll("history", { from: "2024-01-01" }, "admin", { archive: env.ARCHIVE })).rows).toHaveLength(27);

  await fill(["2024-11-20"], 9, ["device_events"], "", "park");
  expect(await archive()).toMatchObject({ rows: 3, failed: 0 });
});

test("who made a plan that goes on is told after its entry has come to the archive", async () => {
  const made = "2024-05-01T12:00:00.000Z";
  const plan = (id: string, rrule: string | null, last_end_at: string | null) =>
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, rrule, timezone, last_end_at, created_at)
       VALUES (?, 'city', 'park', 'Evening lights', '2024-05-02T01:00:00.000Z', '2024-05-02T04:00:00.000Z', ?,
         'America/New_York', ?, ?)`,
    ).bind(id, rrule, last_end_at, made);
  const entry = (id: string) =>
    env.DB.prepare(
      `INSERT INTO audit_logs (id, org_id, created_at, actor_email, action, resource_type, resource_id)
       VALUES (?1 || '-made', 'city', ?2, 'ana@parks.example', 'create', 'schedule', ?1)`,
    ).bind(id, made);
  await env.DB.batch([
    plan("goes-on", "FREQ=DAILY", null),
    plan("is-over", null, "2024-05-02T04:00:00.000Z"),
    entry("goes-on"),
    entry("is-over"),
  ]);
  expect(await archive()).toMatchObject({ rows: 1, failed: 0 });
  const [told] = await tonight(database(env.DB), "city").schedules(["goes-on"]);
  expect(told?.who).toBe("ana@parks.example");
  const all = await readAll("audit", { from: "2024-01-01" }, "admin", { archive: env.ARCHIVE });
  expect(all.rows).toHaveLength(2);

  await env.DB.prepare("DELETE FROM schedules WHERE id IN ('goes-on', 'is-over')").run();
  expect(await archive()).toMatchObject({ rows: 1, failed: 0 });
});

test("the makers of a day's bookings leave the database by the month, and not a night after the other", async () => {
  const made = "2024-05-01T12:00:00.000Z";
  const ends = Array.from({ length: 10 }, (_, n) => `2024-06-${10 + n}T04:00:00.000Z`);
  await env.DB.batch(
    ends.flatMap((end, n) => [
      env.DB.prepare(
        `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, timezone, last_end_at, created_at)
         VALUES ('booking-' || ?1, 'city', 'park', 'Match', '2024-06-09T01:00:00.000Z', ?2, 'America/New_York', ?2, ?3)`,
      ).bind(n, end, made),
      env.DB.prepare(
        `INSERT INTO audit_logs (id, org_id, created_at, actor_email, action, resource_type, resource_id)
         VALUES ('made-' || ?1, 'city', ?2, 'ana@parks.example', 'create', 'schedule', 'booking-' || ?1)`,
      ).bind(n, made),
    ]),
  );
  const nights = [];
  // Ninety days after the first of them was over, and on until the next month begins.
  for (let day = 0; day < 30; day += 1) {
    nights.push(await archive({ now: new Date(Date.parse("2024-09-08T09:00:00.000Z") + day * 86_400_000) }));
  }
  expect(nights.filter(({ days }) => days > 0)).toMatchObject([{ days: 1, rows: 10, failed: 0 }]);
  await env.DB.prepare("DELETE FROM schedules WHERE id LIKE 'booking-%'").run();
});

test("who skipped a night is told on it, though that was a season ahead", async () => {
  const [made, skipped] = ["2024-05-01T12:00:00.000Z", "2024-05-20T12:00:00.000Z"];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, rrule, timezone, created_at, updated_at, skips)
       VALUES ('daily', 'city', 'park', 'Evening lights', '2024-05-02T01:00:00.000Z', '2024-05-02T04:00:00.000Z', 'FREQ=DAILY',
         'America/New_York', ?, ?, '[{"date":"2024-11-20","reason":null}]')`,
    ).bind(made, skipped),
    ...[
      ["skipped", skipped],
      ["skipped-before", "2024-05-19T12:00:00.000Z"],
    ].map(([id, at]) =>
      env.DB.prepare(
        `INSERT INTO audit_logs (id, org_id, created_at, actor_email, action, resource_type, resource_id)
         VALUES (?, 'city', ?, 'ana@parks.example', 'skip', 'schedule', 'daily')`,
      ).bind(id, at),
    ),
  ]);
  expect(await archive()).toMatchObject({ rows: 1, failed: 0 });
  const { results } = await env.DB.prepare("SELECT id FROM audit_logs").all();
  expect(results).toEqual([{ id: "skipped" }]);
  await env.DB.prepare("DELETE FROM schedules WHERE id = 'daily'").run();
});

test("a file of an older release, which lacks a column, is read and merged with null for it", async () => {
  await fill(["2024-05-01"], 3, ["scheduler_events"]);
  const before = await readAll("schedulerEvents", { sort: "oldest" }, "admin", {});
  await archive();
  const columns = columnsOf("scheduler-events").filter((name) => name !== "cause");
  const text = await unpacked("city/scheduler-events/2024-05-01.jsonl.gz");
  const rows = async function* (): AsyncGenerator<RawRow> {
    for (const line of text.trim().split("\n").slice(1)) yield JSON.parse(line).slice(0, -1);
  };
  const of = { org_id: "city", log: "scheduler-events", day: "2024-05-01", columns };
  const { bytes } = await writeDay(of, rows(), placeIn("scheduler-events", columns));
  await env.ARCHIVE.put("city/scheduler-events/2024-05-01.jsonl.gz", bytes);
  const read = () => readAll("schedulerEvents", { sort: "oldest" }, "admin", { archive: env.ARCHIVE });
  expect((await read()).rows).toEqual(before.rows);
  await fill(["2024-05-01"], 1, ["scheduler_events"], "late-");
  expect(await archive()).toMatchObject({ rows: 1, failed: 0 });
  expect((await read()).rows.length).toBe(4);
});

test("of many organizations each has its turn within days, however few one run gets through", async () => {
  const ids = Array.from({ length: 10 }, (_, n) => `town-${n}`);
  await env.DB.batch([
    env.DB.prepare("DELETE FROM archive_health"),
    ...ids.flatMap((id) => [
      env.DB.prepare("INSERT INTO organizations (id, name) VALUES (?1, ?1)").bind(id),
      env.DB.prepare(
        `INSERT INTO device_events (id, org_id, created_at, action, result)
         VALUES (?1 || '-event', ?1, '2024-05-01T12:00:00.000Z', 'on', 'success')`,
      ).bind(id),
    ]),
  ]);
  // Five runs in an hour of each day.
  for (const day of [0, 1, 2]) {
    for (const run of [0, 1, 2, 3, 4]) {
      await archive({ calls: 40, now: new Date(NOW.getTime() + day * 86_400_000 + run * 600_000) });
    }
  }
  const { results } = await env.DB.prepare("SELECT org_id FROM device_events WHERE org_id LIKE 'town-%'").all();
  expect(results).toEqual([]);
  await env.DB.prepare("DELETE FROM organizations WHERE id LIKE 'town-%'").run();
});

describe("entries as long as those of the largest calendars", () => {
  const LENGTH = 1_000_000;
  const [old, young] = ["2024-05-01", "2024-11-20"];
  const ids = (day: string) => Array.from({ length: 15 }, (_, n) => `${day}-${String(14 - n).padStart(2, "0")}`);
  const more = { archive: env.ARCHIVE, now: () => NOW };
  const sizeOf = (rows: unknown[]) => JSON.stringify(rows).length;

  beforeEach(async () => {
    const n = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 14)";
    for (const day of [old, young])
      await env.DB.prepare(
        `${n} INSERT INTO audit_logs (id, org_id, actor_email, action, resource_type, resource_id, details, created_at)
         SELECT ?1 || '-' || printf('%02d', i), 'city', 'ann@parks.example', 'update', 'calendar', 'c',
           '{"after":{"name":"' || hex(zeroblob(${LENGTH / 2})) || '"}}', ?1 || printf('T19:%02d:00.000Z', i) FROM n`,
      )
        .bind(day)
        .run();
  });

  /** The ids of all entries, page by page, each with as much from the database and from files as is read at once. */
  async function paged(query: Query): Promise<string[]> {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { rows: { id: string }[]; next: string | null } = await servicesOf("admin", more).audit.page({
        ...query,
        cursor,
      });
      expect(sizeOf(page.rows)).toBeLessThan(2 * MOST_BYTES + LENGTH);
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.next;
    }
    return seen;
  }

  async function ofApi(day: string): Promise<string[]> {
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { json } = await as("admin", more).get(`/admin/audit-logs?day=${day}&limit=1000${cursor}`);
      const rows: { id: string; created_at: string }[] = json.data;
      expect(sizeOf(rows)).toBeLessThan(MOST_BYTES + 2 * LENGTH);
      const last = rows.at(-1);
      if (!last) return seen;
      seen.push(...rows.map(({ id }) => id));
      cursor = `&cursor=${last.created_at}~${last.id}`;
    }
  }

  test.each(["in the database", "in the archive"])("%s are read some at a time, and each once", async (where) => {
    if (where === "in the archive") {
      expect(await archive()).toMatchObject({ rows: 15, failed: 0 });
      const file = await openDay(shelf("audit-log"), old);
      expect(file?.header.parts.map(({ rows }) => rows)).toEqual([3, 3, 3, 3, 3]);
    }
    expect(await paged({})).toEqual([...ids(young), ...ids(old)]);
    expect(await paged({ sort: "oldest" })).toEqual([...ids(old).toReversed(), ...ids(young).toReversed()]);
    expect(await paged({ q: "calendar", from: "2024-01-01" })).toEqual([...ids(young), ...ids(old)]);
    expect([await ofApi(young), await ofApi(old)]).toEqual([ids(young), ids(old)]);
    const latest = (await as("admin", more).get("/admin/audit-logs?limit=1000")).json.data;
    expect(latest.map(({ id }: { id: string }) => id)).toEqual(ids(young).slice(0, latest.length));
    expect(latest.length).toBeGreaterThan(3);
    expect(sizeOf(latest)).toBeLessThan(MOST_BYTES + LENGTH);
    const csv = await new Response(await servicesOf("admin", more).audit.csv({ from: "2024-01-01" })).text();
    expect(csv.match(/2024-\d\d-\d\dT19:\d\d:00/g)).toHaveLength(30);
  });

  test("what is long and new makes no page of what is old and short any shorter", async () => {
    const n = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2199)";
    await env.DB.prepare(
      `${n} INSERT INTO audit_logs (id, org_id, action, resource_type, created_at)
       SELECT 'short-' || printf('%04d', i), 'city', 'update', 'hub', '2024-04-30T19:00:00.000Z' FROM n`,
    ).run();
    await env.DB.prepare("DELETE FROM audit_logs WHERE id LIKE ? || '%'").bind(old).run();
    expect(await archive()).toMatchObject({ rows: 2_200, failed: 0 });
    const { rows, next } = await servicesOf("admin", more).audit.page({ sort: "oldest" });
    expect([rows.length, next]).toEqual([100, "2024-04-30T19:00:00.000Z~short-0099"]);
    const csv = await new Response(await servicesOf("admin", more).audit.csv({ sort: "oldest" })).text();
    expect(csv.match(/2024-04-30T19/g)).toHaveLength(2_200);
    expect(csv.match(/2024-11-20T19/g)).toHaveLength(15);
    expect(csv).not.toContain("The export ends");
  });
});

/** The real bucket with a count of its calls. */
function countedBucket(): { bucket: R2Bucket; counted: { calls: number } } {
  const counted = { calls: 0 };
  const bucket = new Proxy(env.ARCHIVE, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => ((counted.calls += 1), Reflect.apply(value, target, given));
    },
  });
  return { bucket, counted };
}

test("a run over many organizations makes no more calls than it may, and nearly all of them", async () => {
  const ids = Array.from({ length: 30 }, (_, n) => `hamlet-${n}`);
  await env.DB.batch(ids.map((id) => env.DB.prepare("INSERT INTO organizations (id, name) VALUES (?1, ?1)").bind(id)));
  const { bucket, counted } = countedBucket();
  // A file of each log that is too old is deleted, which is a call more.
  for (const log of ["device-events", "audit-log"]) {
    await env.ARCHIVE.put(`hamlet-0/${log}/2020-01-01.jsonl.gz`, "old");
  }
  const { d1, trips } = countedDatabase();
  const made = () => counted.calls + trips();
  expect(await archive({ calls: 120, bucket, DB: d1 })).toMatchObject({ dropped: 2, failed: 0 });
  expect(made()).toBeLessThanOrEqual(120);
  expect(made()).toBeGreaterThan(100);
  await env.DB.prepare("DELETE FROM organizations WHERE id LIKE 'hamlet-%'").run();
});

test("a day's file takes as many calls as are counted, and a page of an old day two of the bucket", async () => {
  await fill(OLD_DAYS, 20);
  const { bucket, counted } = countedBucket();
  const { db, trips } = countedDatabase();
  const budget = { calls: 450 };
  for (const day of OLD_DAYS) await archiveDay({ ...shelf(), bucket }, db, { day, before: "2024-08-22" }, budget);
  expect(counted.calls + trips()).toBe(450 - budget.calls);
  counted.calls = 0;
  await servicesOf("admin", { archive: bucket, now: () => NOW }).history.page({ from: "2024-07-30", to: "2024-07-30" });
  expect(counted.calls).toBe(2);
});

test("an export that many days stop ends some time, and says where", async () => {
  const days = Array.from({ length: 25 }, (_, n) => `2024-05-${String(n + 1).padStart(2, "0")}`);
  for (const day of days) await env.ARCHIVE.put(`city/device-events/${day}.jsonl.gz`, "torn");
  const { history } = servicesOf("admin", { archive: env.ARCHIVE, now: () => NOW });
  const lines = (await new Response(await history.csv({ from: "2024-05-01" })).text()).trim().split("\r\n");
  expect(lines.slice(1, -1).filter((line) => line.includes("could not be read"))).toHaveLength(20);
  expect(lines.at(-1)).toBe('"The export ends at 2024-05-06T00:00:00.000Z: please choose fewer days"');
});

test.each([
  { from: "0000-01-01" },
  { from: "0001-01-01", to: "9999-12-31" },
  { from: "9999-12-31", to: "0001-01-01" },
  { to: "2024-02-30" },
  { from: "../harbor", sort: "oldest" },
  { cursor: "2024-07-30T00:00:00.000Z~!" },
  { cursor: "0000-01-01T00:00:00Z~x", sort: "oldest" },
  { cursor: "9999-12-31T23:59:59.999Z~~", from: "2024-05-01" },
])("a screen takes %j for the days that it means, or none", async (query) => {
  const { history } = servicesOf("admin", { archive: env.ARCHIVE, now: () => NOW });
  const { rows, next, notes } = await history.page(query);
  expect([rows, next]).toEqual([[], null]);
  // Days that are older than what is kept are said to be so.
  for (const note of notes)
    expect(note).toEqual({ text: expect.stringMatching(/^Logs are kept for/), isWarning: false });
});

test.each([
  ["day=yesterday", "Day must be a day, YYYY-MM-DD"],
  ["day=2024-02-30", "Day must be a day, YYYY-MM-DD"],
  ["day=2024-07-30/../../harbor", "Day must be a day, YYYY-MM-DD"],
  ["day=", "Day must be a day, YYYY-MM-DD"],
  ["cursor=2024-07-30T00:00:00.000Z~a", "A cursor needs a day"],
  ["day=2024-07-30&cursor=a", "Cursor must be the time and id of an entry, 2026-08-01T10:00:00.000Z~id"],
])("the API refuses %s", async (query, detail) => {
  for (const path of ["/history/events", "/scheduler/events", "/admin/audit-logs"]) {
    const { status, json } = await as("admin", { archive: env.ARCHIVE, now: () => NOW }).get(`${path}?${query}`);
    expect([status, json.detail]).toEqual([422, detail]);
  }
});

async function unpacked(key: string): Promise<string> {
  const object = await env.ARCHIVE.get(key);
  if (!object) throw new Error(`there is no ${key}`);
  return new TextDecoder().decode(gunzipSync(new Uint8Array(await object.arrayBuffer())));
}
