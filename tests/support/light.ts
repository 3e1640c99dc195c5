import { env } from "cloudflare:test";
import type { SchedulerEvent } from "#domain/records/records";

/** A city with fields and lamps, written straight to D1, for the engine to plan from. */
export async function aField(org_id: string, devices: string[] = [`${org_id}-lamp`]): Promise<void> {
  await env.DB.batch([
    sql("INSERT INTO organizations (id, name) VALUES (?, ?)", org_id, org_id),
    sql(
      "INSERT INTO areas (id, org_id, name, type, updated_at) VALUES (?, ?, 'Field 3', 'field', '2026-01-01')",
      `${org_id}-area`,
      org_id,
    ),
    sql(
      "INSERT INTO hubs (id, org_id, area_id, name) VALUES (?, ?, ?, 'Hub')",
      `${org_id}-hub`,
      org_id,
      `${org_id}-area`,
    ),
    ...devices.map((id) =>
      sql(
        "INSERT INTO devices (id, org_id, area_id, hub_id, name, updated_at) VALUES (?, ?, ?, ?, ?, '2026-01-01')",
        id,
        org_id,
        `${org_id}-area`,
        `${org_id}-hub`,
        id,
      ),
    ),
    setting(org_id, "APP_TIMEZONE", "UTC"),
    // Off unless a test is about them, so that no behavior depends on them by accident.
    setting(org_id, "WATCHDOG_ENABLED", false),
    setting(org_id, "HUB_CHECK_INTERVAL_SEC", 86_400),
  ]);
}

type Plan = { device?: string; title?: string; rrule?: string; at?: string };

/** A schedule in UTC, created at `at`. */
export async function aSchedule(
  org_id: string,
  id: string,
  start: string,
  end: string,
  plan: Plan = {},
): Promise<void> {
  await schedule(org_id, id, start, end, plan).run();
}

/** A schedule in UTC for each lamp, `s-` and its id; all in one batch, because each batch waits for the disk. */
export async function aScheduleEach(
  org_id: string,
  lamps: readonly string[],
  start: string,
  end: string,
): Promise<void> {
  await env.DB.batch(lamps.map((lamp) => schedule(org_id, `s-${lamp}`, start, end, { device: lamp })));
}

/** A field of lamps without hubs, all on from 18:00 to 20:00 on June 10. */
export async function aCrowd(org_id: string, count: number): Promise<string[]> {
  const lamps = Array.from({ length: count }, (_, n) => `${org_id}-${n}`);
  await aField(org_id, lamps);
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = ?", org_id).run();
  await aScheduleEach(org_id, lamps, "2026-06-10T18:00:00Z", "2026-06-10T20:00:00Z");
  return lamps;
}

function schedule(org_id: string, id: string, start: string, end: string, plan: Plan): D1PreparedStatement {
  return sql(
    `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'UTC', ?8, ?8)`,
    id,
    org_id,
    plan.device ?? `${org_id}-lamp`,
    plan.title ?? "Practice",
    start,
    end,
    plan.rrule ?? null,
    plan.at ?? "2026-01-01T00:00:00.000Z",
  );
}

/** `at` is when it was set; without it, in the moment in which the engine hears of it. */
export function setting(org_id: string, key: string, value: unknown, at = "9999-12-31"): D1PreparedStatement {
  return sql(
    `INSERT INTO settings (org_id, key, value, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    org_id,
    key,
    JSON.stringify(value),
    at,
  );
}

export function sql(query: string, ...bindings: (string | number | null)[]): D1PreparedStatement {
  return env.DB.prepare(query).bind(...bindings);
}

/** The scheduler events as people read them, one a line, oldest first. */
export async function events(org_id: string): Promise<string[]> {
  const { results } = await sql(
    "SELECT * FROM scheduler_events WHERE org_id = ? ORDER BY ts, rowid",
    org_id,
  ).all<SchedulerEvent>();
  return results.map((e) => `${e.ts.slice(11, 19)} ${e.source} ${e.action} ${e.result} ${e.attempts}`);
}

export async function notes(org_id: string): Promise<string[]> {
  const { results } = await sql("SELECT note FROM scheduler_events WHERE org_id = ? ORDER BY ts, rowid", org_id).all<{
    note: string;
  }>();
  return results.map((e) => e.note);
}

/** The events' causes, in order. */
export async function causes(org_id: string): Promise<(string | null)[]> {
  const { results } = await sql("SELECT cause FROM scheduler_events WHERE org_id = ? ORDER BY ts, rowid", org_id).all<{
    cause: string | null;
  }>();
  return results.map((e) => e.cause);
}

export async function deviceRow(id: string): Promise<{ current_state: string; last_state_at: string | null }> {
  const row = await sql("SELECT current_state, last_state_at FROM devices WHERE id = ?", id).first<{
    current_state: string;
    last_state_at: string | null;
  }>();
  if (!row) throw new Error(`no device ${id}`);
  return row;
}

/** The hold that lists show for a light; null for none. */
export async function holdOf(id: string): Promise<unknown> {
  const row = await sql("SELECT hold FROM devices WHERE id = ?", id).first<{ hold: string | null }>();
  return row?.hold ? JSON.parse(row.hold) : null;
}

/** The messages to people with their status, oldest first. */
export async function messages(org_id: string): Promise<string[]> {
  const { results } = await sql("SELECT * FROM notifications WHERE org_id = ? ORDER BY created_at, rowid", org_id).all<{
    kind: string;
    message: string;
    status: string;
  }>();
  return results.map((n) => `${n.kind} ${n.status}: ${n.message}`);
}
