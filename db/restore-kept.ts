import { inArray, sql, type SQL } from "drizzle-orm";
import { OPEN_WORKORDERS } from "#domain/enums";
import { IN_BACKUPS } from "./backup-tables";
import { restoredTable } from "./restored-table";
import { ADMINS } from "./users";

// What a restore leaves as it is: staged rows take it over from the rows that they replace, before those are deleted.

/** Somebody who has another id here than in the backup, and the same e-mail. */
export type SamePerson = { id: string; here: string };

/** The staged rows name the person as this deployment does. */
export function samePerson(org_id: string, { id, here }: SamePerson): SQL[] {
  return IN_BACKUPS.flatMap(({ table }) => {
    const named = restoredTable(table).references.filter(({ parent }) => parent === "users");
    return named.map(
      ({ column }) => sql`update restore_rows set body = json_set(body, ${path(column)}, ${here})
        where ${staged(org_id, table)} and json_extract(body, ${path(column)}) = ${id}`,
    );
  });
}

/**
 * A restore lets nobody in who was shut out since the backup. People, passwords, second factors and the members of
 * departments stay as they are; a deleted membership comes back inactive, a deleted agent without a secret. A webhook keeps
 * its present secret, since the one in the backup may have been replaced because somebody had seen it. Nor does who was
 * shut out, of a department too, have open work orders again, which nobody else would take.
 */
export function keepShutOut(org_id: string): SQL[] {
  const isOld = sql`exists (select 1 from organizations where id = ${org_id})`;
  return [
    sql`delete from restore_rows where org_id = ${org_id} and table_name in ('second_factors', 'recovery_codes')
      and exists (select 1 from users where users.id = json_extract(restore_rows.body, '$.user_id'))`,
    sql`update restore_rows set body = json_set(body, '$.active', 0) where ${staged(org_id, "org_memberships")} and ${isOld}`,
    // Before the members of the backup go: they tell who was in a department and is so no more.
    sql`${nobodysOrders(org_id)} and ${isOld}`,
    sql`delete from restore_rows where ${staged(org_id, "dept_memberships")}
      and exists (select 1 from departments here where here.id = json_extract(restore_rows.body, '$.dept_id'))`,
    sql`update restore_rows set body = json_set(body, '$.revoked_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
        '$.generation', json_extract(body, '$.generation') + 1)
      where ${staged(org_id, "agents")} and ${isOld} and not ${isHere("agents", org_id)}`,
    keep(org_id, "agents", ["secret_hash", "hint", "issued_at", "generation", "revoked_at"]),
    keep(org_id, "webhooks", ["secret", "hint", "issued_at", "previous_secret", "previous_until"]),
  ];
}

/** Open work orders are nobody's where their person is no member any more, or saw their department once and does so no longer. */
function nobodysOrders(org_id: string): SQL {
  const person = sql`json_extract(restore_rows.body, '$.assigned_to')`;
  const dept = sql`json_extract(restore_rows.body, '$.dept_id')`;
  const isMember = (condition: SQL) =>
    sql`exists (select 1 from org_memberships here where here.org_id = ${org_id} and here.user_id = ${person} and ${condition})`;
  return sql`update restore_rows set body = json_set(body, '$.assigned_to', null)
    where ${staged(org_id, "workorders")} and ${inArray(sql`json_extract(body, '$.status')`, [...OPEN_WORKORDERS])}
    and (not ${isMember(sql`here.active and not here.pending`)}
      or (exists (select 1 from restore_rows was join departments here on here.id = ${dept}
          where was.org_id = ${org_id} and json_extract(was.body, '$.user_id') = ${person}
          and (was.table_name = 'dept_memberships' and json_extract(was.body, '$.dept_id') = ${dept}
            or was.table_name = 'org_memberships' and ${isAdmin(sql`json_extract(was.body, '$.role')`)}))
        and not exists (select 1 from dept_memberships here
          where here.org_id = ${org_id} and here.user_id = ${person} and here.dept_id = ${dept})
        and not ${isMember(isAdmin(sql`here.role`))}))`;
}

/** Who sees every department. */
function isAdmin(role: SQL): SQL {
  return inArray(role, [...ADMINS]);
}

/** States of lights, hubs and agents: kept, since they are newer than the backup's; unknown where a record comes back. */
export function keepStates(org_id: string): SQL[] {
  return [
    forget(org_id, "devices", DEVICE_STATE),
    keep(org_id, "devices", Object.keys(DEVICE_STATE)),
    forget(org_id, "hubs", HUB_STATE),
    keep(org_id, "hubs", Object.keys(HUB_STATE)),
    forget(org_id, "agents", AGENT_STATE),
    sql`update restore_rows set body = json_set(body, '$.status', 'offline')
      where ${staged(org_id, "agents")} and json_extract(body, '$.status') <> 'never'`,
    keep(org_id, "agents", ["status", "last_seen", "agent_version", ...Object.keys(AGENT_STATE)]),
  ];
}

/** Versions go on from the present ones: otherwise somebody with a record open could save over the restored one. */
export function keepVersions(org_id: string): SQL[] {
  return IN_BACKUPS.filter(({ table, restored }) => {
    const { columns } = restoredTable(table);
    return restored === "replace" && columns.includes("version");
  }).map(
    ({ table }) => sql`update restore_rows set body = json_set(restore_rows.body, '$.version', here.version + 1)
      from ${sql.identifier(table)} here where ${staged(org_id, table)} and ${sameAs(org_id, table)}`,
  );
}

/** The columns that these statements write, also where the rows of an older release lack them. */
export const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  agents: ["plan_refused", "health_seq"],
  devices: ["current_state", "hold", "problem", "problem_since", "state_seq", "hold_seq", "problem_seq"],
  hubs: ["health_seq"],
};

const DEVICE_STATE = {
  current_state: "unknown",
  last_state_at: null,
  hold: null,
  problem: null,
  problem_since: null,
  state_seq: 0,
  hold_seq: 0,
  problem_seq: 0,
};
const HUB_STATE = { status: "unknown", last_seen: null, rtt_ms: null, health_seq: 0 };
const AGENT_STATE = { connected_since: null, plan_refused: null, health_seq: 0 };

function keep(org_id: string, table: string, columns: string[]): SQL {
  const values = columns.map((column) => sql`${path(column)}, here.${sql.identifier(column)}`);
  return sql`update restore_rows set body = json_set(restore_rows.body, ${sql.join(values, sql`, `)})
    from ${sql.identifier(table)} here where ${staged(org_id, table)} and ${sameAs(org_id, table)}`;
}

function forget(org_id: string, table: string, state: Record<string, string | number | null>): SQL {
  const values = Object.entries(state).map(([column, value]) => sql`${path(column)}, ${value}`);
  return sql`update restore_rows set body = json_set(body, ${sql.join(values, sql`, `)}) where ${staged(org_id, table)}`;
}

function isHere(table: string, org_id: string): SQL {
  return sql`exists (select 1 from ${sql.identifier(table)} here where ${sameAs(org_id, table)})`;
}

function sameAs(org_id: string, table: string): SQL {
  const own = restoredTable(table).key.filter((column) => column !== "org_id");
  const isSame = own.map(
    (column) => sql`here.${sql.identifier(column)} = json_extract(restore_rows.body, ${path(column)})`,
  );
  return sql`${sql.join(isSame, sql` and `)} and here.org_id = ${org_id}`;
}

function staged(org_id: string, table: string): SQL {
  return sql`restore_rows.org_id = ${org_id} and restore_rows.table_name = ${table}`;
}

function path(column: string): SQL {
  return sql.raw(`'$."${column}"'`);
}
