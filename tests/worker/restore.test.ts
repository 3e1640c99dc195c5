import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { pruneOldRecords } from "#worker/sweep";
import { bringBack, readBackup } from "../../worker/local/backup-transfer.mjs";
import { everything } from "../support/everything";
import { CITY, seedCity } from "../support/city";
import { bindings, rows } from "../support/door";
import { backUp, operatorOf, Refused, restore as restoreTo, type Backup } from "../support/operator";

const HARBOR = "harbor";
const run = (...statements: string[]) => env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));

/** The organization's rows of every table, in no order. */
async function rowsOf(org_id: string): Promise<Record<string, unknown[]>> {
  const tables = Object.entries(await everything());
  return Object.fromEntries(
    tables.map(([table, all]) => [
      table,
      all
        .filter((row) => JSON.stringify(row).includes(`"${org_id}"`))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    ]),
  );
}

/** An engine that hears of no restore: one that does begins to ask lights and hubs, and D1 has what it heard, in a moment. */
const DEAF = new Proxy(env.SCHEDULER, {
  get: (namespace, key) =>
    key === "get" ? () => ({ sync: async () => undefined }) : Reflect.get(namespace, key).bind(namespace),
});
const restore = (backup: Backup) => restoreTo(backup, { SCHEDULER: DEAF });

let city: Backup;

beforeAll(async () => {
  await seedCity();
  await run(
    "INSERT INTO agents (id, org_id, name, secret_hash, hint, status) VALUES ('box', 'city', 'Box', 'hash', '1234', 'online')",
    "INSERT INTO webhooks (id, org_id, name, url, secret, hint) VALUES ('pager', 'city', 'Pager', 'https://pager.example', 'v1.seen', '1111')",
    "UPDATE hubs SET agent_id = 'box', local_client_secret = 'v1.sealed' WHERE id = 'park-hub'",
    "INSERT INTO calendars (id, org_id, name, dates) VALUES ('holidays', 'city', 'Holidays', '[{\"date\":\"2026-12-25\",\"name\":\"\"}]')",
    "INSERT INTO device_groups (id, org_id, area_id) VALUES ('both', 'city', 'park')",
    "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'both', 'gate'), ('city', 'both', 'court')",
    `INSERT INTO schedules (id, org_id, group_id, title, start_at, end_at, timezone, calendar_id)
     VALUES ('evening', 'city', 'both', 'Evening', '2026-11-20T18:00', '2026-11-20T22:00', 'UTC', 'holidays')`,
    "INSERT INTO policies (org_id, scope, scope_id, MAX_ON_DURATION_MIN) VALUES ('city', 'area', 'park', 90)",
    "INSERT INTO settings (org_id, key, value) VALUES ('city', 'APP_TIMEZONE', '\"UTC\"')",
    `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq, assigned_to)
     VALUES ('dark', 'city', 'device_failed', 'Dark', 'off', '2026-11-20T18:00:00.000Z', 1, 'manager')`,
    "INSERT INTO workorders (id, org_id, title, alarm_id, assigned_to) VALUES ('fix', 'city', 'Fix it', 'dark', 'manager')",
    "INSERT INTO notifications (id, org_id, incident, kind, message, recipients, status) VALUES ('text', 'city', 'x', 'y', 'z', '[]', 'pending')",
    "INSERT INTO scheduler_events (id, org_id, ts, source, action, result, attempts) VALUES ('old', 'city', '2026-01-01', 'manual', 'on', 'ok', 1)",
    "INSERT INTO second_factors (user_id, sealed_secret) VALUES ('manager', 'v1.sealed')",
  );
  city = await backUp(CITY);
});

test("a restore undoes what was deleted, edited and added since, and touches no other organization", async () => {
  // Of what a restore takes away and puts aside, the other one has something, too.
  const theirs = ["settings", "calendars", "idempotency_keys", "imports", "restores", "restore_rows"];
  await run(
    "INSERT INTO settings (org_id, key, value) VALUES ('harbor', 'APP_TIMEZONE', '\"UTC\"')",
    "INSERT INTO calendars (id, org_id, name, dates) VALUES ('feasts', 'harbor', 'Feasts', '[]')",
    "INSERT INTO idempotency_keys (org_id, user_id, key, fingerprint, record_id) VALUES ('harbor', 'stranger', 'k', 'f', 'buoy')",
    `INSERT INTO imports (id, org_id, user_id, state, rows, counts, problems)
     VALUES ('cargo', 'harbor', 'stranger', 'ready', 1, '{}', '[]')`,
    "INSERT INTO restores (org_id, id, manifest) VALUES ('harbor', 'theirs', '{}')",
    // Of a deployment in which the manager here is the admin there.
    `INSERT INTO restore_rows (org_id, table_name, row, body) VALUES ('harbor', 'areas', 1, '{}'),
     ('harbor', 'users', 0, '{"id":"manager","email":"admin@parks.example"}'),
     ('harbor', 'second_factors', 0, '{"user_id":"stranger"}'),
     ('harbor', 'agents', 0, '{"id":"boat","status":"online"}')`,
  );
  const [before, harbor] = [await rowsOf(CITY), await rowsOf(HARBOR)];
  await run(
    "UPDATE devices SET name = 'Renamed', area_id = 'field', version = 7 WHERE id = 'court'",
    "DELETE FROM areas WHERE id = 'park'",
    "DELETE FROM departments WHERE id = 'rivers'",
    "INSERT INTO areas (id, org_id, name) VALUES ('new', 'city', 'New')",
    "INSERT INTO devices (id, org_id, area_id, name) VALUES ('extra', 'city', 'new', 'Extra')",
    "UPDATE settings SET value = '\"America/New_York\"' WHERE org_id = 'city'",
    "INSERT INTO idempotency_keys (org_id, user_id, key, fingerprint, record_id) VALUES ('city', 'admin', 'k', 'f', 'extra')",
  );
  const epoch = await restore(city);
  const after = await rowsOf(CITY);
  for (const table of [
    "device_groups",
    "group_devices",
    "calendars",
    "schedules",
    "policies",
    "settings",
    "dept_memberships",
  ])
    expect([table, withoutVersions(after[table])]).toEqual([table, withoutVersions(before[table])]);
  expect(await rows("SELECT name, area_id FROM devices WHERE org_id = 'city' ORDER BY id")).toEqual([
    { name: "Court light", area_id: "park" },
    { name: "Gate light", area_id: "park" },
    { name: "Weir light", area_id: "park" },
  ]);
  expect(await rows("SELECT alarm_id, assigned_to FROM workorders WHERE id = 'fix'")).toEqual([
    { alarm_id: "dark", assigned_to: "manager" },
  ]);
  expect(await rows("SELECT epoch FROM organizations WHERE id = 'city'")).toEqual([{ epoch }]);
  expect(after["idempotency_keys"]).toEqual([]);
  expect(await rowsOf(HARBOR)).toEqual(harbor);
  await run(...theirs.map((table) => `DELETE FROM ${table} WHERE org_id = 'harbor'`));
  expect(await rows("SELECT id, actor_role FROM audit_logs WHERE action = 'restored' AND id = ?", epoch)).toEqual([
    { id: epoch, actor_role: "operator" },
  ]);
});

function withoutVersions(all: unknown[] = []): unknown[] {
  return all.map((row) => ({ ...(typeof row === "object" ? row : {}), version: null, updated_at: null }));
}

test("what another organization puts aside meanwhile has no say in which columns come back", async () => {
  const deaf = operatorOf({ SCHEDULER: DEAF });
  const beside: typeof deaf = async (method, path, ...more) => {
    if (path.endsWith("/commit"))
      await run("INSERT INTO restore_rows (org_id, table_name, row, body) VALUES ('harbor', 'hubs', 0, '{}')");
    return deaf(method, path, ...more);
  };
  const named = () => rows("SELECT id, name FROM hubs WHERE org_id = 'city' ORDER BY id");
  const before = await named();
  await bringBack(beside, city.manifest, (table) => city.lines.get(table) ?? []);
  await run("DELETE FROM restore_rows WHERE org_id = 'harbor' AND table_name = 'hubs'");
  expect(await named()).toEqual(before);
});

test("a save of what somebody had open before the restore is refused by its version", async () => {
  await run("UPDATE devices SET name = 'Edited', version = 9 WHERE id = 'gate'");
  await restore(city);
  expect(await rows("SELECT name, version FROM devices WHERE id = 'gate'")).toEqual([
    { name: "Gate light", version: 10 },
  ]);
});

test("so is one of a policy, which has no id of its own", async () => {
  // The types' names are the same in another organization, which has changed its policy more often.
  await run(
    `INSERT INTO policies (org_id, scope, scope_id, MAX_ON_DURATION_MIN, version)
     VALUES ('city', 'type', 'river', 60, 4), ('harbor', 'type', 'river', 60, 40)`,
  );
  const backup = await backUp(CITY);
  await run("UPDATE policies SET MAX_ON_DURATION_MIN = 30, version = 9 WHERE org_id = 'city'");
  await restore(backup);
  const kept = "SELECT scope_id, MAX_ON_DURATION_MIN, version FROM policies WHERE org_id = 'city' ORDER BY scope_id";
  expect(await rows(kept)).toEqual([
    { scope_id: "park", MAX_ON_DURATION_MIN: 90, version: 10 },
    { scope_id: "river", MAX_ON_DURATION_MIN: 60, version: 10 },
  ]);
  await run("DELETE FROM policies WHERE scope = 'type'");
});

test("what the engine knows of lights and hubs stays as it is", async () => {
  await run(
    "UPDATE devices SET current_state = 'off', state_seq = 99, problem = 'dark' WHERE id = 'court'",
    "UPDATE hubs SET status = 'offline' WHERE id = 'park-hub'",
    "DELETE FROM devices WHERE id = 'weir'",
  );
  await restore(city);
  expect(
    await rows("SELECT current_state, state_seq, problem FROM devices WHERE id IN ('court', 'weir') ORDER BY id"),
  ).toEqual([
    { current_state: "off", state_seq: 99, problem: "dark" },
    { current_state: "unknown", state_seq: 0, problem: null },
  ]);
  expect(await rows("SELECT status FROM hubs WHERE id = 'park-hub'")).toEqual([{ status: "offline" }]);
});

test("nobody who was shut out since comes in again by a restore", async () => {
  await run(
    "UPDATE org_memberships SET active = 0 WHERE user_id = 'employee'",
    "DELETE FROM org_memberships WHERE user_id = 'auditor'",
    "UPDATE users SET password_hash = 'newer' WHERE id = 'manager'",
    "DELETE FROM second_factors WHERE user_id = 'manager'",
    "DELETE FROM dept_memberships WHERE user_id = 'manager'",
    "UPDATE agents SET revoked_at = '2026-11-21', generation = 5 WHERE id = 'box'",
  );
  await restore(city);
  expect(
    await rows("SELECT user_id, active FROM org_memberships WHERE org_id = 'city' AND active = 0 ORDER BY 1"),
  ).toEqual([
    { user_id: "auditor", active: 0 },
    { user_id: "employee", active: 0 },
  ]);
  expect(await rows("SELECT password_hash FROM users WHERE id = 'manager'")).toEqual([{ password_hash: "newer" }]);
  expect(await rows("SELECT * FROM second_factors")).toEqual([]);
  expect(await rows("SELECT * FROM dept_memberships WHERE user_id = 'manager'")).toEqual([]);
  expect(await rows("SELECT revoked_at, generation FROM agents")).toEqual([
    { revoked_at: "2026-11-21", generation: 5 },
  ]);
  await run("DELETE FROM agents");
  await restore(city);
  const [agent] = await rows("SELECT revoked_at, generation FROM agents");
  expect(agent).toEqual({ revoked_at: expect.any(String), generation: 2 });
});

test("who has left since has no open work order again, and keeps those that are done", async () => {
  await run(
    "UPDATE org_memberships SET active = 1 WHERE org_id = 'city'",
    "INSERT INTO workorders (id, org_id, title, assigned_to) VALUES ('lens', 'city', 'Lens', 'employee'), ('pole', 'city', 'Pole', 'inspector')",
    `INSERT INTO workorders (id, org_id, title, assigned_to, status, completed_at)
     VALUES ('done', 'city', 'Done', 'employee', 'completed', '2026-11-20T18:00:00.000Z')`,
  );
  const backup = await backUp(CITY);
  await run(
    "UPDATE org_memberships SET active = 0 WHERE user_id = 'employee'",
    "DELETE FROM org_memberships WHERE user_id = 'inspector'",
    "INSERT INTO org_memberships (org_id, user_id, role) VALUES ('harbor', 'inspector', 'employee')",
    "UPDATE workorders SET assigned_to = NULL WHERE assigned_to IN ('employee', 'inspector') AND status = 'open'",
  );
  await restore(backup);
  expect(await rows("SELECT id, assigned_to FROM workorders WHERE org_id = 'city' ORDER BY id")).toEqual(
    expect.arrayContaining([
      { id: "done", assigned_to: "employee" },
      { id: "fix", assigned_to: "manager" },
      { id: "lens", assigned_to: null },
      { id: "pole", assigned_to: null },
    ]),
  );
});

test("a restore that ends under another SETTINGS_KEY than it has begun under is refused, and changes nothing", async () => {
  const backup = await backUp(CITY);
  const before = await rowsOf(CITY);
  const begun = operatorOf({ SCHEDULER: DEAF });
  const ended = operatorOf({ SCHEDULER: DEAF, SETTINGS_KEY: btoa("another key of the thirty-two by") });
  const ask: typeof begun = (method, path, ...more) =>
    (path.endsWith("/commit") ? ended : begun)(method, path, ...more);
  await expect(bringBack(ask, backup.manifest, (table) => backup.lines.get(table) ?? [])).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining("sealed with another SETTINGS_KEY"),
  });
  for (const table of ["hubs", "devices", "settings", "organizations"])
    expect([table, (await rowsOf(CITY))[table]]).toEqual([table, before[table]]);
});

test("who has left a department since has no open work order of it again, unless they see it all the same", async () => {
  await run(
    "UPDATE org_memberships SET active = 1 WHERE org_id = 'city'",
    "INSERT INTO departments (id, org_id, name) VALUES ('ponds', 'city', 'Ponds'), ('lawns', 'city', 'Lawns')",
    `INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('pe', 'city', 'ponds', 'employee', 'dept_staff'),
       ('pa', 'city', 'ponds', 'admin', 'dept_staff'), ('le', 'city', 'lawns', 'employee', 'dept_staff')`,
    `INSERT INTO workorders (id, org_id, dept_id, title, assigned_to) VALUES ('p-left', 'city', 'ponds', 'Left', 'employee'),
       ('p-admin', 'city', 'ponds', 'Seen', 'admin'), ('p-lent', 'city', 'ponds', 'Lent', 'manager'),
       ('p-stays', 'city', 'lawns', 'Stays', 'employee'), ('p-city', 'city', NULL, 'City', 'employee')`,
    `INSERT INTO workorders (id, org_id, dept_id, title, assigned_to, status) VALUES
       ('p-done', 'city', 'ponds', 'Done', 'employee', 'canceled')`,
  );
  const backup = await backUp(CITY);
  await run(
    "DELETE FROM dept_memberships WHERE dept_id = 'ponds'",
    // Whom another organization, which is on its way back, had as an admin has seen nothing of it here.
    `INSERT INTO restore_rows (org_id, table_name, row, body)
     VALUES ('harbor', 'org_memberships', 0, '{"user_id":"manager","role":"admin"}')`,
    "UPDATE workorders SET assigned_to = NULL WHERE id = 'p-left'",
  );
  await restore(backup);
  expect(await rows("SELECT id, assigned_to FROM workorders WHERE id LIKE 'p-%' ORDER BY id")).toEqual([
    { id: "p-admin", assigned_to: "admin" },
    { id: "p-city", assigned_to: "employee" },
    { id: "p-done", assigned_to: "employee" },
    { id: "p-left", assigned_to: null },
    { id: "p-lent", assigned_to: "manager" },
    { id: "p-stays", assigned_to: "employee" },
  ]);
  await run("DELETE FROM restore_rows WHERE org_id = 'harbor' AND table_name = 'org_memberships'");
});

test("who is admin no more since has no open work order of a department again that they no longer see", async () => {
  const role = (is: string) =>
    run(`UPDATE org_memberships SET role = '${is}' WHERE org_id = 'city' AND user_id = 'employee'`);
  await role("admin");
  await run(
    "UPDATE org_memberships SET active = 1 WHERE org_id = 'city'",
    "INSERT INTO departments (id, org_id, name) VALUES ('moats', 'city', 'Moats'), ('quays', 'city', 'Quays')",
    "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('qe', 'city', 'quays', 'employee', 'dept_staff')",
    `INSERT INTO workorders (id, org_id, dept_id, title, assigned_to) VALUES ('m-unseen', 'city', 'moats', 'Unseen', 'employee'),
       ('m-seen', 'city', 'quays', 'Seen', 'employee'), ('m-city', 'city', NULL, 'City', 'employee')`,
  );
  const backup = await backUp(CITY);
  await role("employee");
  await run("UPDATE workorders SET assigned_to = NULL WHERE id = 'm-unseen'");
  await restore(backup);
  expect(await rows("SELECT id, assigned_to FROM workorders WHERE id LIKE 'm-%' ORDER BY id")).toEqual([
    { id: "m-city", assigned_to: "employee" },
    { id: "m-seen", assigned_to: "employee" },
    { id: "m-unseen", assigned_to: null },
  ]);
});

test("a webhook goes on signing with the secret that took the place of the one in the backup", async () => {
  const renewed = { secret: "v1.fresh", hint: "2222", previous_secret: "v1.seen", previous_until: "2026-11-23" };
  await run(
    `UPDATE webhooks SET name = 'Renamed', secret = 'v1.fresh', hint = '2222', previous_secret = 'v1.seen',
     previous_until = '2026-11-23' WHERE id = 'pager'`,
  );
  await restore(city);
  expect(await rows("SELECT name, secret, hint, previous_secret, previous_until FROM webhooks")).toEqual([
    { name: "Pager", ...renewed },
  ]);
});

test("entries of logs that are newer than the backup stay, and those that are gone come back", async () => {
  await run(
    "INSERT INTO scheduler_events (id, org_id, ts, source, action, result, attempts) VALUES ('newer', 'city', '2026-11-21', 'manual', 'on', 'ok', 1)",
    "DELETE FROM scheduler_events WHERE id = 'old'",
    "DELETE FROM notifications",
  );
  await restore(city);
  expect(await rows("SELECT id FROM scheduler_events WHERE org_id = 'city' ORDER BY id")).toEqual([
    { id: "newer" },
    { id: "old" },
  ]);
  expect(await rows("SELECT status FROM notifications")).toEqual([{ status: "not_sent" }]);
});

test("an empty deployment gets the whole organization, people and agents with their secrets", async () => {
  await run(
    "DELETE FROM organizations WHERE id = 'city'",
    "DELETE FROM alarms",
    "DELETE FROM users WHERE id NOT IN ('stranger', 'manager')",
    // The first admin of the new deployment is one of them.
    "INSERT INTO users (id, email, password_hash) VALUES ('first', 'admin@parks.example', 'mine')",
  );
  await restore(city);
  expect(await rows("SELECT user_id, active FROM org_memberships WHERE org_id = 'city' ORDER BY 1")).toEqual(
    ["auditor", "employee", "first", "inspector", "manager"].map((user_id) => ({ user_id, active: 1 })),
  );
  expect(await rows("SELECT password_hash FROM users WHERE email = 'admin@parks.example'")).toEqual([
    { password_hash: "mine" },
  ]);
  expect(await rows("SELECT secret_hash, revoked_at, status FROM agents")).toEqual([
    { secret_hash: "hash", revoked_at: null, status: "offline" },
  ]);
  expect(await rows("SELECT local_client_secret FROM hubs WHERE id = 'park-hub'")).toEqual([
    { local_client_secret: "v1.sealed" },
  ]);
  expect(await rows("SELECT current_state FROM devices WHERE id = 'court'")).toEqual([{ current_state: "unknown" }]);
});

test("rows of an older release have their new columns' defaults", async () => {
  const lines = new Map(city.lines);
  const older = (lines.get("devices") ?? []).map((line) => {
    const { restrike_min: _, hold_seq: __, ...row } = JSON.parse(line);
    return JSON.stringify(row);
  });
  await run("UPDATE devices SET restrike_min = 15");
  await restore({ ...city, lines: lines.set("devices", older) });
  expect(await rows("SELECT DISTINCT restrike_min FROM devices WHERE org_id = 'city'")).toEqual([{ restrike_min: 0 }]);
});

test("what names a record that was deleted while the backup was read comes back without it", async () => {
  await run(
    "INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES ('boat', 'harbor', 'Boat', 'hash', '1234')",
  );
  const lines = new Map(city.lines);
  const without = (table: string, id: string) =>
    lines.set(
      table,
      (lines.get(table) ?? []).filter((line) => JSON.parse(line).id !== id),
    );
  without("hubs", "park-hub");
  without("devices", "court");
  const [field = "{}"] = (lines.get("hubs") ?? []).filter((line) => JSON.parse(line).id === "field-hub");
  lines.set("hubs", [JSON.stringify({ ...JSON.parse(field), agent_id: "boat" })]);
  const files = city.manifest.files.map((file) => ({ ...file, rows: lines.get(file.table)?.length ?? 0 }));
  await restore({ lines, manifest: { ...city.manifest, files } });
  expect(await rows("SELECT id, hub_id FROM devices WHERE org_id = 'city' ORDER BY id")).toEqual([
    { id: "gate", hub_id: null },
    { id: "weir", hub_id: null },
  ]);
  expect(await rows("SELECT device_id FROM group_devices")).toEqual([{ device_id: "gate" }]);
  // Nor is there what another organization has.
  expect(await rows("SELECT id, agent_id FROM hubs WHERE org_id = 'city'")).toEqual([
    { id: "field-hub", agent_id: null },
  ]);
});

/** A backup with something wrong in it. */
function spoiled(change: { manifest?: object; lines?: Record<string, string[]> }): Backup {
  return {
    manifest: { ...city.manifest, ...change.manifest },
    lines: new Map([...city.lines, ...Object.entries(change.lines ?? {})]),
  };
}

const areaOf = (more: object) => JSON.stringify({ id: "x", org_id: "city", name: "X", ...more });

const SPOILED: [string, Parameters<typeof spoiled>[0], number, string][] = [
  ["nonsense for a manifest", { manifest: { files: "none" } }, 422, "This is not the manifest of a backup."],
  ["a newer format", { manifest: { format: 2 } }, 422, "The backup's format is 2, and this release reads up to 1."],
  ["a newer database", { manifest: { migrations: { database: 999, object: 1 } } }, 422, "made on a newer database"],
  [
    "newer tables of the object",
    { manifest: { migrations: { database: 1, object: 999 } } },
    422,
    "Deploy that release first.",
  ],
  ["another SETTINGS_KEY", { manifest: { key_check: "ab" } }, 409, "sealed with another SETTINGS_KEY"],
  [
    "half of its rows",
    { lines: { areas: [areaOf({})] } },
    409,
    "Of areas, 1 of 2 rows have arrived. Run the restore again.",
  ],
  ["a line of nonsense", { lines: { areas: ["{", "}"] } }, 422, "Line 1 of this page of areas is no row of a backup."],
  ["a list for a row", { lines: { areas: ["[]", "[]"] } }, 422, "Line 1 of this page of areas is no row of a backup."],
  ["a column that there is not", { lines: { areas: [areaOf({ 'x" , (': 1 })] } }, 422, "areas has no column"],
  [
    "a row of another organization",
    { lines: { areas: [areaOf({ org_id: "harbor" })] } },
    422,
    "a row of areas belongs to another organization",
  ],
  [
    "the id of another organization's area",
    { lines: { areas: [areaOf({ id: "pier" }), areaOf({})] } },
    422,
    "Nothing was restored.",
  ],
  [
    "a row without what it needs",
    { lines: { areas: [areaOf({ name: null }), areaOf({})] } },
    422,
    "Nothing was restored.",
  ],
];

test("whatever is wrong with a backup is said in a sentence, and nothing is changed", async () => {
  await restore(city);
  const before = await rowsOf(CITY);
  for (const [what, change, status, sentence] of SPOILED) {
    const refused = await restore(spoiled(change)).catch((caught: unknown) => caught);
    expect([what, refused]).toMatchObject([what, { status, message: expect.stringContaining(sentence) }]);
  }
  const { restores: _began, restore_rows: _staged, ...after } = await rowsOf(CITY);
  expect({ ...after, restores: before["restores"], restore_rows: before["restore_rows"] }).toEqual(before);
});

test("a backup of another organization is refused", async () => {
  const said = operatorOf()("POST", `/organizations/${HARBOR}/restore`, JSON.stringify(city.manifest));
  await expect(said).rejects.toThrow("This is a backup of City Parks (city), not of harbor.");
});

test("a restore that is begun as another one ends stops that one, and the organization stays as it is", async () => {
  const to = "/organizations/city/restore";
  const begunMeanwhile = new Proxy(env.DB, {
    get: (d1, key) => {
      if (key !== "batch") return Reflect.get(d1, key).bind(d1);
      return async (statements: D1PreparedStatement[]) => {
        await operatorOf()("POST", to, JSON.stringify(city.manifest));
        return d1.batch(statements);
      };
    },
  });
  const late = operatorOf({ SCHEDULER: DEAF, DB: begunMeanwhile });
  const call: typeof late = (method, path, body) =>
    path.endsWith("/commit") ? late(method, path, body) : operatorOf()(method, path, body);
  const before = await rows("SELECT id FROM devices WHERE org_id = 'city' ORDER BY id");
  const ended = bringBack(call, city.manifest, (table) => city.lines.get(table) ?? []);
  await expect(ended).rejects.toThrow("Another restore of this organization has begun since.");
  expect(await rows("SELECT id FROM devices WHERE org_id = 'city' ORDER BY id")).toEqual(before);
});

test("a page that the database writes late is not put among the rows of a restore that has begun meanwhile", async () => {
  const [call, to] = [operatorOf(), "/organizations/city/restore"];
  const begin = async (): Promise<string> => (await call("POST", to, JSON.stringify(city.manifest))).data.id;
  const old = await begin();
  const latest: string[] = [];
  const slow = new Proxy(env.DB, {
    get: (d1, key) => {
      if (key !== "prepare") return Reflect.get(d1, key).bind(d1);
      return (query: string) => {
        const bind = (...given: unknown[]) => ({
          run: async () => {
            latest.push(await begin());
            return d1
              .prepare(query)
              .bind(...given)
              .run();
          },
        });
        return query.includes("insert or replace") ? { bind } : d1.prepare(query);
      };
    },
  });
  const row = JSON.stringify({ id: "park", org_id: "city", name: "As it was long ago" });
  await operatorOf({ DB: slow })("PUT", `${to}/${old}/rows/areas?first=0`, row);
  expect(await rows("SELECT id FROM restores WHERE org_id = 'city'")).toEqual(latest.map((id) => ({ id })));
  expect(await rows("SELECT body FROM restore_rows WHERE org_id = 'city'")).toEqual([]);
});

test("a restore that was broken off is begun anew, and the old one goes no further", async () => {
  const call = operatorOf();
  let begun = "";
  const breaking: typeof call = async (method, path, body) => {
    if (path.includes("/rows/devices")) throw new Error("the line is cut");
    const answer = await call(method, path, body);
    if (method === "POST") begun = answer.data.id;
    return answer;
  };
  await expect(bringBack(breaking, city.manifest, (table) => city.lines.get(table) ?? [])).rejects.toThrow("cut");
  await restore(city);
  await expect(call("POST", `/organizations/city/restore/${begun}/commit`, "")).rejects.toThrow(
    "Another restore of this organization has begun since.",
  );
});

test("a backup begins again where somebody edits the organization meanwhile, and says so in the end", async () => {
  const call = operatorOf();
  const edited = async (times: number) => {
    let left = times;
    const seen: string[] = [];
    const busy: typeof call = async (method, path, body) => {
      if (path.endsWith("/backup/schedules") && left-- > 0)
        await run("UPDATE devices SET name = name || '!' WHERE id = 'gate'");
      return call(method, path, body);
    };
    await readBackup(busy, CITY, { begin: (table) => void seen.push(table), write: () => undefined });
    return seen.filter((table) => table === "devices").length;
  };
  expect(await edited(1)).toBe(2);
  await expect(edited(99)).rejects.toThrow("city was edited during each of 5 tries.");
});

test("an organization, a table and a place that there are not are refused", async () => {
  const call = operatorOf();
  const status = (path: string) =>
    call("GET", path).catch((caught: unknown) => (caught instanceof Refused ? caught.status : caught));
  expect(await status("/organizations/nowhere/backup")).toBe(404);
  expect(await status("/organizations/nowhere/backup/areas")).toBe(404);
  expect(await status("/organizations/city/backup/sessions")).toBe(404);
  expect(await status("/organizations/city/backup/object.meta")).toBe(404);
  expect(await status("/organizations/city/backup/object.constructor")).toBe(404);
  expect(await status("/organizations/city/backup/object.claims?after=%5B1%5D")).toBe(422);
  expect(await status("/organizations/city/backup/object.claims?after=x")).toBe(422);
  expect((await call("GET", "/organizations")).data).toEqual([
    { id: "city", name: "City Parks" },
    { id: "harbor", name: "Harbor" },
  ]);
});

test("what was put aside is not kept: not after a restore, and of one that was broken off for a day", async () => {
  await restore(city);
  expect(await rows("SELECT * FROM restore_rows")).toEqual([]);
  await restore(spoiled({ lines: { areas: [areaOf({})] } })).catch(() => undefined);
  expect(await rows("SELECT * FROM restore_rows LIMIT 1")).toHaveLength(1);
  await pruneOldRecords(bindings());
  expect(await rows("SELECT * FROM restore_rows LIMIT 1")).toHaveLength(1);
  await run("UPDATE restores SET begun_at = '2026-01-01T00:00:00.000Z'");
  await pruneOldRecords(bindings());
  expect(await rows("SELECT * FROM restore_rows")).toEqual([]);
});

test("a page that is too large is refused before it is read as rows", async () => {
  const said = operatorOf()("PUT", "/organizations/city/restore/x/rows/areas?first=0", "x".repeat(4 * 1024 * 1024 + 1));
  await expect(said).rejects.toThrow("The request is too large: at most 4096 KiB");
});

test("a release that was taken back restores what it knows of wider tables", async () => {
  await run("ALTER TABLE areas ADD COLUMN next_column TEXT NOT NULL DEFAULT 'next'");
  const backup = await backUp(CITY);
  expect(Object.keys(JSON.parse(backup.lines.get("areas")?.[0] ?? ""))).not.toContain("next_column");
  await restore(backup);
  expect(await rows("SELECT DISTINCT next_column FROM areas WHERE org_id = 'city'")).toEqual([{ next_column: "next" }]);
});

test("an import that was checked before a restore is over, and says why", async () => {
  const values = (id: string, state: string) =>
    `INSERT INTO imports (id, org_id, user_id, file_name, state, rows, counts, problems)
     VALUES ('${id}', 'city', 'manager', 'lights.csv', '${state}', 1, '{}', '[]')`;
  await run(values("checked", "ready"), values("applied", "done"));
  await restore(city);
  expect(await rows("SELECT id, state, reason FROM imports ORDER BY id")).toEqual([
    { id: "applied", state: "done", reason: null },
    {
      id: "checked",
      state: "failed",
      reason: "A backup was restored meanwhile. Nothing was imported. Choose the file again.",
    },
  ]);
});
