import { env } from "cloudflare:workers";
import { HUB_IS_AWAY } from "#domain/light/light-problem";
import { anOrganization, aPerson } from "./door";
import { everything } from "./everything";

/** A part of every text of the other organization; no answer to this one may contain it. */
export const MARKER = "harbor-secret-7f3a";

/** The ids of its records. */
export const HARBOR_IDS =
  "docks pier pier-hub buoy beacon tide leak keeper pair feast fog wreck rust fuse pilot bell rung cargo mate log".split(
    " ",
  );

const DAY = "'2026-11-20T20:00:00.000Z', '2036-11-20T21:00:00.000Z'";
const PAST = "'2026-11-18T20:00:00.000Z', '2026-11-18T21:00:00.000Z'";

const EMERGENCY = '{"action":"on","until":"2036-11-20T21:00:00.000Z","reason":"M","by":"M","emergency":true}';

/** Rows of `harbor` in each table of an organization, which has one keeper; M stands for the marker. */
const ROWS = [
  "UPDATE users SET email = 'M' WHERE id = 'keeper'",
  "UPDATE organizations SET name = 'M' WHERE id = 'harbor'",
  "INSERT INTO departments (id, org_id, name) VALUES ('docks', 'harbor', 'M')",
  "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('mate', 'harbor', 'docks', 'keeper', 'dept_staff')",
  "INSERT INTO sessions (id, org_id, user_id, expires_at, address, user_agent) VALUES ('log', 'harbor', 'keeper', '2036-01-01', 'M', 'M')",
  "INSERT INTO one_time_codes (code_hash, org_id, user_id, expires_at) VALUES ('M', 'harbor', 'keeper', '2036-01-01')",
  "INSERT INTO second_factors (user_id, sealed_secret) VALUES ('keeper', 'M')",
  "INSERT INTO recovery_codes (code_hash, user_id) VALUES ('M', 'keeper')",
  `INSERT INTO areas (id, org_id, name, location) VALUES ('pier', 'harbor', 'M', '{"address":"M"}')`,
  "INSERT INTO agents (id, org_id, name, secret_hash, hint, agent_version, plan_refused) VALUES ('pilot', 'harbor', 'M', 'M', 'M', 'M', 'M')",
  "INSERT INTO hubs (id, org_id, area_id, agent_id, name, notes, ip_address, status) VALUES ('pier-hub', 'harbor', 'pier', 'pilot', 'M', 'M', 'M', 'offline')",
  `INSERT INTO devices (id, org_id, area_id, hub_id, dept_id, name, model, notes, cloud_device_id, current_state, problem, problem_since, hold)
   VALUES ('buoy', 'harbor', 'pier', 'pier-hub', 'docks', 'M', 'M', 'M', 'M', 'on', '${HUB_IS_AWAY}' || 'M', '2026-11-20T20:00:00.000Z', '${EMERGENCY}')`,
  // Alone wrong: the one before is told with its hub.
  "INSERT INTO devices (id, org_id, area_id, name, current_state, problem, problem_since) VALUES ('beacon', 'harbor', 'pier', 'M', 'on', 'M', '2026-11-20T20:00:00.000Z')",
  "INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('pair', 'harbor', 'pier', 'M')",
  "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('harbor', 'pair', 'buoy')",
  `INSERT INTO calendars (id, org_id, name, dates) VALUES ('feast', 'harbor', 'M', '[{"date":"2026-12-25","name":"M"}]')`,
  // Its hours are told as a running one's, which comes before whatever is to come.
  `INSERT INTO schedules (id, org_id, device_id, title, description_short, start_at, end_at, timezone, window_start_at, window_end_at)
   VALUES ('tide', 'harbor', 'buoy', 'M', 'M', '2026-11-20T20:00:00.000Z', '2026-11-20T21:00:00.000Z', 'UTC', '2026-11-20T20:00:00.000Z', '2026-11-20T21:00:00.000Z')`,
  "INSERT INTO policies (org_id, scope, scope_id, BLACKOUT_WINDOW) VALUES ('harbor', 'area', 'pier', 'M')",
  // The types' names are the same everywhere.
  "INSERT INTO policies (org_id, scope, scope_id, BLACKOUT_WINDOW) VALUES ('harbor', 'type', 'park', '20:00-04:00')",
  `INSERT INTO permits (id, org_id, area_id, from_at, to_at, reason, created_by) VALUES ('fog', 'harbor', 'pier', ${DAY}, 'M', 'M')`,
  `INSERT INTO closures (id, org_id, area_id, from_at, to_at, reason, created_by) VALUES ('wreck', 'harbor', 'pier', ${DAY}, 'M', 'M')`,
  `INSERT INTO permits (id, org_id, area_id, from_at, to_at, reason, created_by) VALUES ('fog over', 'harbor', 'pier', ${PAST}, 'M', 'M')`,
  `INSERT INTO closures (id, org_id, area_id, from_at, to_at, reason, created_by) VALUES ('wreck over', 'harbor', 'pier', ${PAST}, 'M', 'M')`,
  `INSERT INTO alarms (id, org_id, kind, device_id, device_name, area_id, area_name, what, why, opened_at, seq, assigned_to)
   VALUES ('rust', 'harbor', 'device_failed', 'buoy', 'M', 'pier', 'M', 'M', 'M', '2026-11-20T20:00:00.000Z', 1, 'keeper')`,
  `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq) VALUES ('fuse', 'harbor', 'cloud_refused', 'M', 'M', '2026-11-20T20:00:00.000Z', 2)`,
  "INSERT INTO workorders (id, org_id, title, description, area_id, device_id, dept_id, alarm_id, priority, created_at) VALUES ('leak', 'harbor', 'M', 'M', 'pier', 'buoy', 'docks', 'rust', 'urgent', '2026-11-01T20:00:00.000Z')",
  `INSERT INTO settings (org_id, key, value) VALUES ('harbor', 'NOTIFY_SMS_TO', '"M"'), ('harbor', 'PROVIDER_MODE', '"local"'),
   ('harbor', 'APP_TIMEZONE', '"America/New_York"'), ('harbor', 'CITY_LAT', '40'), ('harbor', 'CITY_LON', '-74')`,
  "INSERT INTO device_events (id, org_id, device_id, area_id, device_name, response_snippet, action, result) VALUES ('he', 'harbor', 'buoy', 'pier', 'M', 'M', 'on', 'success')",
  "INSERT INTO scheduler_events (id, org_id, ts, device_id, device_name, source, action, result, attempts, note) VALUES ('hs', 'harbor', '2026-11-20T20:00:00.000Z', 'buoy', 'M', 'manual', 'on', 'ok', 1, 'M')",
  `INSERT INTO state_changes (org_id, device_id, kind, at, state, sentence) VALUES
   ('harbor', 'buoy', 'desired', '2026-11-18T20:00:00.000Z', 'off', 'M'), ('harbor', 'buoy', 'desired', '2026-11-20T20:00:00.000Z', 'on', 'M')`,
  "INSERT INTO connectivity_logs (id, org_id, action, device_name, hub_name, result, response_snippet) VALUES ('hc', 'harbor', 'on', 'M', 'M', 'success', 'M')",
  "INSERT INTO audit_logs (id, org_id, actor_email, action, resource_type, details) VALUES ('ha', 'harbor', 'M', 'M', 'M', '\"M\"')",
  `INSERT INTO notifications (id, org_id, incident, kind, message, recipients, status) VALUES ('hn', 'harbor', 'M', 'M', 'M', '["M"]', 'sent')`,
  "INSERT INTO webhooks (id, org_id, name, url, secret, hint) VALUES ('bell', 'harbor', 'M', 'M', 'M', 'M')",
  "INSERT INTO webhook_deliveries (id, org_id, webhook_id, type, subject, body, status, answer) VALUES ('rung', 'harbor', 'bell', 'test', 'M', 'M', 'failed', 'M')",
  "INSERT INTO message_choices (org_id, user_id, phone, email) VALUES ('harbor', 'keeper', 'M', 'M')",
  "INSERT INTO idempotency_keys (org_id, user_id, key, fingerprint, record_id) VALUES ('harbor', 'keeper', 'M', 'M', 'M')",
  `INSERT INTO imports (id, org_id, user_id, file_name, state, rows, counts, problems) VALUES ('cargo', 'harbor', 'keeper', 'M', 'failed', 1, '{}', '[]')`,
  "INSERT INTO restores (org_id, id, manifest) VALUES ('harbor', 'M', '{}')",
  "INSERT INTO restore_rows (org_id, table_name, row, body) VALUES ('harbor', 'areas', 1, '\"M\"')",
  "INSERT OR REPLACE INTO archive_health (org_id, run_at, failed) VALUES ('harbor', '2026-11-20T20:00:00.000Z', 'M')",
  "INSERT OR REPLACE INTO scheduler_health (org_id, asked_at) VALUES ('harbor', '2026-11-20T20:00:00.000Z')",
];

/** Makes another organization, with something in each of its tables. */
export async function aHarbor(): Promise<void> {
  await anOrganization("harbor");
  await aPerson("keeper", { harbor: "admin" });
  const marked = ROWS.map((row) => row.replaceAll("'M'", `'${MARKER}'`).replaceAll('"M"', `"${MARKER}"`));
  await env.DB.batch(marked.map((row) => env.DB.prepare(row)));
}

/** Every row of it, by table. */
export async function rowsOfHarbor(): Promise<Record<string, unknown[]>> {
  const isOfHarbor = (row: unknown) => Reflect.get(Object(row), "org_id") === "harbor";
  const tables = Object.entries(await everything()).map(([name, all]) => [name, all.filter(isOfHarbor)] as const);
  return Object.fromEntries(tables);
}
