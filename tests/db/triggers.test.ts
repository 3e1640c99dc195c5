import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { expect, test } from "vitest";
import { PLANNED } from "#db/planned";
import {
  agents,
  areas,
  calendars,
  closures,
  device_groups,
  devices,
  hubs,
  permits,
  policies,
  schedules,
} from "#db/schema";

const TABLES = {
  area: areas,
  agent: agents,
  hub: hubs,
  group: device_groups,
  calendar: calendars,
  policy: policies,
  permit: permits,
  closure: closures,
  device: devices,
  schedule: schedules,
};
/** Written once, or only together with other columns, so no trigger watches them. */
const NEVER_CHANGE_ALONE = ["id", "scope", "scope_id", "area_since", "created_at", "updated_at"];

test.each(Object.entries(PLANNED))(
  "the trigger watches every column of a %s that the engine plans from, and no other",
  async (kind, columns) => {
    const table = Object.entries(TABLES).find(([name]) => name === kind)?.[1];
    const name = table && getTableName(table);
    const trigger = await env.DB.prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?")
      .bind(`${name}_update_change`)
      .first<{ sql: string }>();
    const watched = /UPDATE OF ([\w, ]+) ON/.exec(trigger?.sql ?? "")?.[1]?.split(", ");
    const planned = Object.keys(columns).filter((column) => !NEVER_CHANGE_ALONE.includes(column));
    expect(watched?.toSorted()).toEqual(planned.toSorted());
  },
);

test("a deleted agent leaves its hubs without one, and the engine hears of both", async () => {
  const run = (text: string) => env.DB.prepare(text).run();
  await run("INSERT INTO organizations (id, name) VALUES ('elm', 'Elm City')");
  await run("INSERT INTO areas (id, org_id, name) VALUES ('park', 'elm', 'Elm Park')");
  await run("INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES ('pc', 'elm', 'Shed', 'x', 'y')");
  await run("INSERT INTO hubs (id, org_id, area_id, name, agent_id) VALUES ('hub', 'elm', 'park', 'Hub 1', 'pc')");
  await run("DELETE FROM changes");
  await run("DELETE FROM agents WHERE id = 'pc'");
  expect(await env.DB.prepare("SELECT agent_id FROM hubs").first("agent_id")).toBeNull();
  const { results } = await env.DB.prepare("SELECT kind, record_id FROM changes ORDER BY kind").all();
  expect(results).toEqual([
    { kind: "agent", record_id: "pc" },
    { kind: "hub", record_id: "hub" },
  ]);
});

test("what the engine writes of an agent does not count as a change of the plan", async () => {
  const run = (text: string) => env.DB.prepare(text).run();
  await run("INSERT INTO organizations (id, name) VALUES ('ash', 'Ash City')");
  await run("INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES ('pc2', 'ash', 'Shed', 'x', 'y')");
  await run("DELETE FROM changes");
  await run(
    "UPDATE agents SET status = 'online', connected_since = '2026-11-22T12:00:00.000Z', last_seen = '2026-11-22T12:00:00.000Z', agent_version = '1.0.0'",
  );
  expect(await env.DB.prepare("SELECT count(*) AS n FROM changes").first("n")).toBe(0);
});
