import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { database } from "#db/database";
import { retention } from "#db/retention";

const NOW = new Date("2026-11-20T20:00:00.000Z");

test("deletes logs older than the retention period and keeps the younger ones", async () => {
  await env.DB.batch(
    ["2025-10-01", "2026-11-19"].map((day) =>
      env.DB.prepare(
        "INSERT INTO scheduler_events (id, org_id, ts, source, action, result, attempts) VALUES (?1, 'o', ?1, 'manual', 'on', 'ok', 1)",
      ).bind(`${day}T00:00:00.000Z`),
    ),
  );
  await database(env.DB).batch([...retention(database(env.DB), NOW, 400)]);
  const { results } = await env.DB.prepare("SELECT ts FROM scheduler_events").all();
  expect(results).toEqual([{ ts: "2026-11-19T00:00:00.000Z" }]);
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
  await database(env.DB).batch([...retention(database(env.DB), new Date(), 1)]);
  expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM audit_logs").first()).toEqual({ n: 1 });
});
