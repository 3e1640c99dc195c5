import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { beforeEach, expect, test } from "vitest";
import { database } from "#db/database";
import { prune } from "#db/retention";
import { slowSteps } from "#tests/support/query-plans";

const NOW = new Date("2026-11-20T20:00:00.000Z");

beforeEach(() => env.DB.exec("DELETE FROM scheduler_events"));

/** Events of one organization, one a second back from the given instant. */
async function createEvents(org_id: string, count: number, newest: string): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
     INSERT INTO scheduler_events (id, org_id, ts, source, action, result, attempts)
     SELECT ?1 || ?3 || i, ?1, strftime('%Y-%m-%dT%H:%M:%fZ', ?3, '-' || i || ' seconds'), 'manual', 'on', 'ok', 1 FROM n`,
  )
    .bind(org_id, count, newest)
    .run();
}

async function countEvents(org_id: string) {
  const row = await env.DB.prepare("SELECT COUNT(*) AS n FROM scheduler_events WHERE org_id = ?")
    .bind(org_id)
    .first<{ n: number }>();
  return row?.n;
}

test("deletes logs older than the retention period and keeps the younger ones", async () => {
  await env.DB.prepare("INSERT OR IGNORE INTO organizations (id, name) VALUES ('o', 'O')").run();
  for (const day of ["2025-10-01", "2026-11-19"]) await createEvents("o", 1, `${day}T00:00:00.000Z`);
  await prune(database(env.DB), NOW, 400);
  const { results } = await env.DB.prepare("SELECT ts FROM scheduler_events").all();
  expect(results).toEqual([{ ts: "2026-11-19T00:00:00.000Z" }]);
});

test("a light that has not changed for longer than that keeps what it was last", async () => {
  await env.DB.prepare("INSERT OR IGNORE INTO organizations (id, name) VALUES ('o', 'O')").run();
  for (const [device, day, state] of [
    ["still", "2025-08-01", "on"],
    ["still", "2025-09-01", "off"],
    ["busy", "2025-09-01", "off"],
    ["busy", "2026-11-19", "on"],
  ]) {
    await env.DB.prepare(
      "INSERT INTO state_changes (org_id, device_id, kind, at, state) VALUES ('o', ?, 'reported', ?, ?)",
    )
      .bind(device, `${day}T00:00:00.000Z`, state)
      .run();
  }
  await prune(database(env.DB), NOW, 400);
  const kept = env.DB.prepare("SELECT device_id, at, state FROM state_changes ORDER BY device_id, at");
  expect(await kept.raw()).toEqual([
    ["busy", "2025-09-01T00:00:00.000Z", "off"],
    ["busy", "2026-11-19T00:00:00.000Z", "on"],
    ["still", "2025-09-01T00:00:00.000Z", "off"],
  ]);
});

test("the last message that left for a webhook is kept, by which people see whether it takes them", async () => {
  await env.DB.prepare("INSERT OR IGNORE INTO organizations (id, name) VALUES ('o', 'O')").run();
  await env.DB.prepare(
    `INSERT INTO webhooks (id, org_id, name, url, secret, hint) VALUES
      ('quiet', 'o', 'Quiet', 'https://hooks.example/quiet', '', ''), ('busy', 'o', 'Busy', 'https://hooks.example/busy', '', '')`,
  ).run();
  for (const [id, webhook, day, left] of [
    ["q1", "quiet", "2026-08-01", "2026-08-01"],
    ["q2", "quiet", "2026-09-01", "2026-09-01"],
    ["q3", "quiet", "2026-09-02", null],
    ["b1", "busy", "2026-09-01", "2026-09-01"],
    ["b2", "busy", "2026-11-19", "2026-11-19"],
    ["g1", "gone", "2026-09-01", "2026-09-01"],
  ]) {
    await env.DB.prepare(
      `INSERT INTO webhook_deliveries (id, org_id, webhook_id, type, subject, body, status, created_at, last_at)
       VALUES (?, 'o', ?, 'alarm.opened', 'Dark', '{}', 'delivered', ? || 'T00:00:00.000Z', ? || 'T00:00:00.000Z')`,
    )
      .bind(id, webhook, day, left)
      .run();
  }
  await prune(database(env.DB), NOW, 400);
  expect(await env.DB.prepare("SELECT id FROM webhook_deliveries ORDER BY id").raw()).toEqual([["b2"], ["q2"]]);
});

test("a session is kept for thirty days after its end, for the next sign-in to start where it was", async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT OR IGNORE INTO organizations (id, name) VALUES ('o', 'O')"),
    env.DB.prepare("INSERT INTO users (id, email, password_hash) VALUES ('ann', 'ann@parks.example', '')"),
    env.DB.prepare(
      `INSERT INTO sessions (id, org_id, user_id, expires_at) VALUES
        ('old', 'o', 'ann', '2026-10-21T19:00:00.000Z'), ('kept', 'o', 'ann', '2026-10-21T21:00:00.000Z')`,
    ),
  ]);
  await prune(database(env.DB), NOW, 400);
  expect(await env.DB.prepare("SELECT id FROM sessions").raw()).toEqual([["kept"]]);
});

test("deletes in chunks, and leaves for the next night what is too much for one", async () => {
  await env.DB.prepare("INSERT OR IGNORE INTO organizations (id, name) VALUES ('o', 'O'), ('p', 'P')").run();
  await createEvents("o", 2_500, "2025-10-01T00:00:00.000Z");
  await createEvents("p", 10, "2025-10-01T00:00:00.000Z");
  await createEvents("p", 20, "2026-11-19T00:00:00.000Z");

  // Six statements find nothing in the short-lived tables; two are left.
  expect(await prune(database(env.DB), NOW, 400, 8)).toBe(2_000);
  expect(await countEvents("o")).toBe(500);
  await prune(database(env.DB), NOW, 400);
  expect([await countEvents("o"), await countEvents("p")]).toEqual([0, 20]);
});

test("reaches each log of each of many organizations in one night", async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
     INSERT INTO organizations (id, name) SELECT 'town-' || i, 'Town' FROM n`,
  ).run();
  await env.DB.prepare(
    `INSERT INTO audit_logs (id, org_id, created_at, action, resource_type)
     SELECT 'old-' || id, id, '2025-06-01T00:00:00.000Z', 'create', 'area' FROM organizations WHERE id LIKE 'town-%'`,
  ).run();
  await prune(database(env.DB), NOW, 400);
  const left = env.DB.prepare("SELECT org_id FROM audit_logs WHERE org_id LIKE 'town-%'");
  expect(await left.raw()).toEqual([]);
  await env.DB.prepare("DELETE FROM organizations WHERE id LIKE 'town-%'").run();
});

test("finds what is old by an index and sorts nothing", async () => {
  await env.DB.prepare("INSERT OR IGNORE INTO organizations (id, name) VALUES ('o', 'O')").run();
  const statements: { sql: string; params: unknown[] }[] = [];
  const logger = { logQuery: (sql: string, params: unknown[]) => void statements.push({ sql, params }) };
  await prune(drizzle(env.DB, { logger }), NOW, 400);
  const deletes = statements.filter(({ sql }) => sql.startsWith("delete"));
  expect(new Set(deletes.map(({ sql }) => sql)).size).toBe(16);
  for (const { sql, params } of deletes) {
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    const steps = results.map(({ detail }) => detail);
    expect(slowSteps(steps), sql).toEqual([]);
    expect(steps.join("; "), sql).not.toMatch(/TEMP B-TREE/);
  }
});

test("audit entries cannot be changed, nor deleted within a month, however short the retention", async () => {
  const young = new Date(Date.now() - 86_400_000).toISOString();
  await env.DB.prepare(
    "INSERT INTO audit_logs (id, org_id, created_at, action, resource_type) VALUES ('a', 'o', ?, 'create', 'area')",
  )
    .bind(young)
    .run();
  await expect(env.DB.prepare("UPDATE audit_logs SET action = 'x'").run()).rejects.toThrow("cannot be changed");
  await expect(env.DB.prepare("DELETE FROM audit_logs").run()).rejects.toThrow("cannot be deleted");
  await prune(database(env.DB), new Date(), 1);
  expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM audit_logs").first()).toEqual({ n: 1 });
});
