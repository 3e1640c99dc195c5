import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { database } from "#db/database";
import { storedSettings } from "#durable/sync/pull-rows";

const run = (text: string) => env.DB.prepare(text).run();

/** The changes that the engine hears of since the last look, by kind and record. */
async function changes(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT kind, record_id FROM changes ORDER BY version").all<{
    kind: string;
    record_id: string;
  }>();
  await run("DELETE FROM changes");
  return results.map(({ kind, record_id }) => `${kind} ${record_id}`);
}

test("the engine hears of a person's choice, role and departments, but not of who has made no choice", async () => {
  await run("INSERT INTO organizations (id, name) VALUES ('oak', 'Oak City')");
  await run(
    "INSERT INTO users (id, email, password_hash) VALUES ('ana', 'ana@oak.example', ''), ('ben', 'ben@oak.example', '')",
  );
  await run(
    "INSERT INTO org_memberships (org_id, user_id, role) VALUES ('oak', 'ana', 'employee'), ('oak', 'ben', 'employee')",
  );
  await run("INSERT INTO departments (id, org_id, name) VALUES ('oak-sports', 'oak', 'Sports')");
  await run("DELETE FROM changes");
  const joins = (id: string) =>
    run(
      `INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('m-${id}', 'oak', 'oak-sports', '${id}', 'dept_staff')`,
    );

  await joins("ben");
  await run("UPDATE org_memberships SET role = 'manager' WHERE user_id = 'ben'");
  expect(await changes()).toEqual([]);

  await run("INSERT INTO message_choices (org_id, user_id) VALUES ('oak', 'ana')");
  await run("UPDATE message_choices SET tested_at = '2026-11-22T12:00:00.000Z', version = 2");
  expect(await changes()).toEqual(["message_choice ana"]);
  await run("UPDATE message_choices SET quiet_from = '22:00', quiet_to = '06:00'");
  await joins("ana");
  await run("DELETE FROM departments WHERE id = 'oak-sports'");
  await run("UPDATE org_memberships SET active = 0 WHERE user_id = 'ana'");
  await run("UPDATE org_memberships SET sessions_end_at = '2026-11-22T12:00:00.000Z' WHERE user_id = 'ana'");
  await run("DELETE FROM org_memberships WHERE user_id = 'ana'");
  await run("DELETE FROM users WHERE id = 'ana'");
  expect(await changes()).toEqual(Array.from({ length: 6 }, () => "message_choice ana"));
});

test("the engine reads the settings of its own organization, and what its people are there", async () => {
  await run("INSERT INTO organizations (id, name) VALUES ('elm', 'Elm City'), ('fir', 'Fir City')");
  await run("INSERT INTO departments (id, org_id, name) VALUES ('fir-docks', 'fir', 'Docks')");
  await run(
    "INSERT INTO users (id, email, password_hash) VALUES ('cal', 'cal@elm.example', ''), ('dan', 'dan@elm.example', '')",
  );
  await run(
    `INSERT INTO org_memberships (org_id, user_id, role, active) VALUES ('elm', 'cal', 'employee', 0),
     ('elm', 'dan', 'employee', 1), ('fir', 'cal', 'admin', 1), ('fir', 'dan', 'admin', 1)`,
  );
  await run(
    "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('m-dan', 'fir', 'fir-docks', 'dan', 'dept_staff')",
  );
  await run(
    `INSERT INTO message_choices (org_id, user_id, phone, urgent_by) VALUES ('elm', 'cal', '+1', '["sms"]'),
     ('elm', 'dan', '+2', '["sms"]'), ('fir', 'dan', '+3', '["sms"]')`,
  );
  await run("INSERT INTO settings (org_id, key, value) VALUES ('fir', 'HARD_CURFEW_OFF', '\"21:00\"')");
  await run(
    "INSERT INTO webhooks (id, org_id, name, url, secret, hint) VALUES ('bell', 'fir', 'Bell', 'https://fir.example/', 'v1', '1')",
  );
  const read = await storedSettings(database(env.DB), "elm");
  expect(Object.fromEntries(read.map(({ key, value }) => [key, value]))).toEqual({
    WEBHOOKS: [],
    RECIPIENTS: [expect.objectContaining({ user_id: "dan", role: "employee", dept_ids: [], phone: "+2" })],
  });
});
