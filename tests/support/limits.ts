import type { PolicyScope } from "#domain/enums";
import type { PolicyValues } from "#domain/guardrails/policy";
import { columnsOf, type Target } from "#domain/schedule/target";
import { setting, sql } from "./light";

type More = { target?: Target; reason?: string; at?: string };

/** The organization's only dark time: a blackout ('00:00-01:00'), or none. */
export async function onlyBlackout(org_id: string, blackout = ""): Promise<void> {
  await setting(org_id, "BLACKOUT_WINDOW", blackout).run();
  await setting(org_id, "HARD_CURFEW_OFF", "").run();
}

const BEFORE = "2026-01-01T00:00:00.000Z";

/** A closure of the field's area, or of another target; `to` null until it is reopened. `at` is when it was made. */
export async function aClosure(org_id: string, id: string, from: string, to: string | null, more: More = {}) {
  await limit("closures", org_id, id, from, to, more);
}

/** A permit, in the same way. */
export async function aPermit(org_id: string, id: string, from: string, to: string, more: More = {}) {
  await limit("permits", org_id, id, from, to, more);
}

async function limit(
  table: "closures" | "permits",
  org_id: string,
  id: string,
  from: string,
  to: string | null,
  { target = { type: "area", id: `${org_id}-area` }, reason = "wet ground", at = BEFORE }: More,
): Promise<void> {
  const { device_id, group_id, area_id } = columnsOf(target);
  await sql(
    `INSERT INTO ${table} (id, org_id, device_id, group_id, area_id, from_at, to_at, reason, created_by, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'staff@parks.example', ?9, ?9)`,
    id,
    org_id,
    device_id,
    group_id,
    area_id,
    from,
    to,
    reason,
    at,
  ).run();
}

/** What is not told is inherited. Replaces the one that there is. */
export async function aPolicy(
  org_id: string,
  scope: PolicyScope,
  id: string,
  values: Partial<PolicyValues>,
  at: string = BEFORE,
): Promise<void> {
  const { HARD_CURFEW_OFF = null, BLACKOUT_WINDOW = null, MAX_ON_DURATION_MIN = null } = values;
  await sql(
    `INSERT INTO policies (org_id, scope, scope_id, HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT DO UPDATE SET HARD_CURFEW_OFF = ?4, BLACKOUT_WINDOW = ?5, MAX_ON_DURATION_MIN = ?6, updated_at = ?7`,
    org_id,
    scope,
    id,
    HARD_CURFEW_OFF,
    BLACKOUT_WINDOW,
    MAX_ON_DURATION_MIN,
    at,
  ).run();
}

/** A group of devices of the field's area. */
export async function aGroup(org_id: string, id: string, devices: string[]): Promise<void> {
  await sql(
    "INSERT INTO device_groups (id, org_id, area_id, name) VALUES (?1, ?2, ?3, ?1)",
    id,
    org_id,
    `${org_id}-area`,
  ).run();
  for (const device of devices) {
    await sql(
      "INSERT INTO group_devices (org_id, group_id, device_id, added_at) VALUES (?, ?, ?, ?)",
      org_id,
      id,
      device,
      BEFORE,
    ).run();
  }
}
