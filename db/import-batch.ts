import { and, eq, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { ImportAction, ImportKind } from "#domain/enums";
import { IMPORTED_FIELDS } from "#domain/organization/imported-fields";
import type { Database } from "./database";
import { credentialsAt } from "./hubs";
import { insertSelect } from "./insert-select";
import { alarms, areas, audit_logs, devices, hubs, import_rows, imports } from "./schema";
import { NOW } from "./versions";

// The statements of an import's one batch: what the staged rows say, their audit entries, and what must hold.

export type Actor = { user_id: string; email: string; role: string };

/** What a row gives a field. */
export const after = (name: string) => sql`json_extract(${import_rows.details}, ${`$.after.${name}`})`;
const afterAll = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, after(name)]));

/** The rows of an import of one kind. */
export const rowsOf = (id: string, kind: ImportKind, action?: ImportAction) =>
  and(
    eq(import_rows.import_id, id),
    eq(import_rows.kind, kind),
    action === undefined ? undefined : eq(import_rows.action, action),
  );

/** Areas first, then what is in them. */
export function applied(db: Database, org_id: string, id: string) {
  const inserted = (target: Target, kind: ImportKind) =>
    insertSelect(
      db,
      target,
      { ...afterAll(IMPORTED_FIELDS[kind]), id: sql`${import_rows.record_id}`, org_id: sql`${org_id}` },
      sql`from ${import_rows} where ${rowsOf(id, kind, "create")} order by ${import_rows.row}`,
    );
  const where = (target: Target, kind: ImportKind) =>
    and(rowsOf(id, kind, "update"), eq(target.id, import_rows.record_id), eq(target.org_id, org_id));
  const next = (target: Target) => ({ updated_at: NOW, version: sql`${target.version} + 1` });
  const credentials = credentialsAt(after("ip_address"), after("port"));
  return [
    inserted(areas, "area"),
    db
      .update(areas)
      .set({ ...afterAll(IMPORTED_FIELDS.area), ...next(areas) })
      .from(import_rows)
      .where(where(areas, "area")),
    inserted(hubs, "hub"),
    db
      .update(hubs)
      .set({ ...afterAll(IMPORTED_FIELDS.hub), ...credentials, ...next(hubs) })
      .from(import_rows)
      .where(where(hubs, "hub")),
    inserted(devices, "device"),
    db
      .update(devices)
      .set({ ...afterAll(IMPORTED_FIELDS.device), ...next(devices) })
      .from(import_rows)
      .where(where(devices, "device")),
  ];
}

type Target = typeof areas | typeof hubs | typeof devices;

/** The lights that it takes to another department; and which one the light of an alarm has by then. */
export function movedBetweenDepts(id: string): SQL {
  return sql`select ${import_rows.record_id} from ${import_rows}
    where ${rowsOf(id, "device", "update")} and ${isOtherDept}`;
}
const isOtherDept = sql`json_extract(${import_rows.details}, '$.before.dept_id') is not ${after("dept_id")}`;
export const DEPT_OF_LIGHT = sql`(select ${devices.dept_id} from ${devices} where ${devices.id} = ${alarms.device_id})`;

/**
 * One entry per record, as its form would have left it. The row number keeps them in the order of the file. `unseen` are the
 * alarms that a row's light takes from who does not see its new department, before they are released.
 */
export function audits(db: Database, org_id: string, id: string, { user_id, email, role }: Actor, unseen: SQLWrapper) {
  const entries = (target: Target, kind: ImportKind) => {
    const { action, details, record_id, row } = import_rows;
    const now = [sql`'$.after.version'`, sql`${target.version}`, sql`'$.after.updated_at'`, sql`${target.updated_at}`];
    const released = sql`when ${isOtherDept} and exists ${unseen} then json_set(${details}, ${sql.join(now, sql`, `)},
      '$.before.open_alarms', json((select json_group_array(id) from ${unseen})))`;
    return insertSelect(
      db,
      audit_logs,
      {
        id: sql`${`${id}:`} || printf('%05d', ${row})`,
        org_id: sql`${org_id}`,
        actor_id: sql`${user_id}`,
        actor_email: sql`${email}`,
        actor_role: sql`${role}`,
        action: sql`${action}`,
        resource_type: sql`${kind}`,
        resource_id: sql`${record_id}`,
        details: sql`case when ${action} = 'create' then ${details} ${kind === "device" ? released : sql``}
          else json_set(${details}, ${sql.join(now, sql`, `)}) end`,
      },
      sql`from ${import_rows} join ${target} on ${target.id} = ${record_id} where ${rowsOf(id, kind)} order by ${row}`,
    );
  };
  return [entries(areas, "area"), entries(hubs, "hub"), entries(devices, "device")];
}

/**
 * Whether somebody else, since the check, has created what a row creates (an area of that name, for example) or given the
 * row's Cloud ID to another light. New records are found first, and each row is looked up among them: comparing each row of
 * two large imports with each of the other would block the database for everybody.
 */
export function clashes(org_id: string, id: string): SQL {
  const began = sql`(select began.created_at from ${imports} as began where began.id = ${id})`;
  const made = (target: Target, kind: ImportKind, names: SQL, isSame: SQL) => sql`exists (
    with recent as materialized (
      select ${target.id} as id, ${names} from ${target} where ${target.org_id} = ${org_id} and ${target.updated_at} >= ${began})
    select 1 from ${import_rows} cross join recent on ${isSame} where ${rowsOf(id, kind)})`;
  const isNew = sql`${import_rows.action} = 'create'`;
  const isNamed = sql`${isNew} and recent.name = lower(${import_rows.name})`;
  const isThere = sql`${isNamed} and recent.area_id = ${after("area_id")}`;
  const name = ({ name: of }: Target) => sql`lower(${of}) as name`;
  const place = (target: typeof hubs | typeof devices) => sql`${name(target)}, ${target.area_id} as area_id`;
  const differs = (field: string) =>
    sql`json_extract(${import_rows.details}, ${`$.before.${field}`}) is not ${after(field)}`;
  const isGiven = sql`recent.cloud_id = lower(${after("cloud_device_id")}) and recent.id <> ${import_rows.record_id}
    and (${isNew} or ${differs("cloud_device_id")} or ${differs("local_ref")})`;
  return sql.join(
    [
      made(areas, "area", name(areas), isNamed),
      made(hubs, "hub", place(hubs), isThere),
      made(devices, "device", place(devices), isThere),
      made(devices, "device", sql`lower(${devices.cloud_device_id}) as cloud_id`, isGiven),
    ],
    sql` or `,
  );
}

/** Behind the changes: every record has exactly its next version, and every device's hub is in the device's area. */
export function verified(db: Database, only: SQL | undefined, org_id: string, id: string, counted: number) {
  const { kind, read_version, record_id } = import_rows;
  const versionIn = (target: Target) =>
    sql`(select ${target.version} from ${target} where ${target.id} = ${record_id} and ${target.org_id} = ${org_id})`;
  const isOff = sql`exists (
    select 1 from ${import_rows} where ${import_rows.import_id} = ${id} and coalesce(${read_version}, 0) + 1 is not
      case ${kind} when 'area' then ${versionIn(areas)} when 'hub' then ${versionIn(hubs)} else ${versionIn(devices)} end)`;
  const isApart = sql`exists (
    select 1 from ${import_rows} join ${devices} on ${devices.id} = ${record_id}
    join ${hubs} on ${hubs.id} = ${devices.hub_id}
    where ${rowsOf(id, "device")} and ${hubs.area_id} <> ${devices.area_id})`;
  return db
    .update(imports)
    .set({
      state: "done",
      done: counted,
      updated_at: NOW,
      version: sql`case when not (${isOff} or ${isApart}) then ${imports.version} + 1 end`,
    })
    .where(only);
}
