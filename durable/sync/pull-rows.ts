import { and, eq, gt, inArray, sql as q, type SQL } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/database";
import { packed } from "#db/packed";
import { PLANNED, type Member } from "#db/planned";
import * as t from "#db/schema";
import type { D1Rows, PlanKind } from "#durable/state/plan-rows";

/** As many rows of a kind fill a page: ten megabytes at most, as long as each text of a record may be. */
export const PAGE = 2_000;
/** While somebody waits, who does so for several pages, one at each step of a toggle. */
export const PAGE_MEANWHILE = 250;
/** A group has up to 500 devices: of a city in which each light is in fifty, all at once are more than an object can hold. */
const ROWS_OF_A_GROUP = 10;
export const GROUPS_A_PAGE = PAGE / ROWS_OF_A_GROUP;

/** How many rows of a kind are a page that has room for so many. */
export function rowsIn(page: number, kind: Paged): number {
  return kind === "group" ? page / ROWS_OF_A_GROUP : page;
}

export type RowsByKind = { [K in PlanKind]: D1Rows[K][] };

/** Which rows of a kind are asked for, by the column of their id. */
export type Only = (kind: PlanKind, id: SQLiteColumn | SQL) => SQL | undefined;

/** As the triggers name it in the changes. */
const POLICY_ID = q`${t.policies.scope} || ':' || ${t.policies.scope_id}`;

/** The plan's version and epoch. */
export function headOf(db: Database, org_id: string) {
  const { config_version, epoch } = t.organizations;
  return db.select({ version: config_version, epoch }).from(t.organizations).where(eq(t.organizations.id, org_id));
}

/** All settings that are stored, and as two more of them the webhooks that are in use and the people who hear of alarms. */
export function storedSettings(db: Database, org_id: string) {
  const { key, value, updated_at } = t.settings;
  const { id, name, url, secret, previous_secret, previous_until } = t.webhooks;
  const webhooks = q`json_group_array(json_object('id', ${id}, 'name', ${name}, 'url', ${url}, 'secret', ${secret},
    'previous_secret', ${previous_secret}, 'previous_until', ${previous_until}))`;
  return db
    .select({ key, value, updated_at })
    .from(t.settings)
    .where(eq(t.settings.org_id, org_id))
    .unionAll(
      db
        .select({
          key: q<string>`'WEBHOOKS'`,
          value: q<unknown>`${webhooks}`,
          updated_at: q<string>`coalesce(max(${t.webhooks.updated_at}), '')`,
        })
        .from(t.webhooks)
        .where(and(eq(t.webhooks.org_id, org_id), eq(t.webhooks.active, true))),
    )
    .unionAll(recipientsOf(db, org_id));
}

/** Active members who have chosen a channel, each with what they may see. */
function recipientsOf(db: Database, org_id: string) {
  const { message_choices: choice, org_memberships: membership, dept_memberships: dept, users } = t;
  const depts = q`(select json_group_array(d.dept_id) from ${dept} d
    where d.org_id = ${choice.org_id} and d.user_id = ${choice.user_id})`;
  const recipients = q`json_group_array(json_object('user_id', ${choice.user_id}, 'role', ${membership.role},
    'dept_ids', json(${depts}), 'phone', ${choice.phone}, 'email', coalesce(${choice.email}, ${users.email}),
    'urgent_by', json(${choice.urgent_by}), 'other_by', json(${choice.other_by}), 'left_out', json(${choice.left_out}),
    'quiet_from', ${choice.quiet_from}, 'quiet_to', ${choice.quiet_to},
    'digest', json(iif(${choice.digest}, 'true', 'false'))))`;
  const isMember = and(
    eq(membership.org_id, choice.org_id),
    eq(membership.user_id, choice.user_id),
    eq(membership.active, true),
    eq(membership.pending, false),
  );
  return db
    .select({
      key: q<string>`'RECIPIENTS'`,
      value: q<unknown>`${recipients}`,
      updated_at: q<string>`coalesce(max(${choice.updated_at}), '')`,
    })
    .from(choice)
    .innerJoin(membership, isMember)
    .innerJoin(users, eq(users.id, choice.user_id))
    .where(and(eq(choice.org_id, org_id), q`(${choice.urgent_by} <> '[]' or ${choice.other_by} <> '[]')`));
}

/** Kinds of which a city has thousands, each after those that it names; of the others it has few. */
export const PAGED = ["hub", "group", "device", "schedule"] as const;
export type Paged = (typeof PAGED)[number];

/** The devices of a group; hundreds of rows of their own would be objects several times over. */
const MEMBERS = q<Member[]>`(
  select json_group_array(json_object('device_id', device_id, 'added_at', added_at))
  from (select device_id, added_at from ${t.group_devices} where group_id = ${t.device_groups.id} order by device_id))`.mapWith(
  (members: string): Member[] => JSON.parse(members),
);

type Question<Row> = RunnableQuery<{ row: Row }[], "sqlite">;

/** The question for rows of a kind, by id: so many at most. */
const PAGE_OF: {
  [K in Paged]: (db: Database, org_id: string, only: SQL | undefined, most: number) => Question<D1Rows[K]>;
} = {
  hub: (db, org_id, only, most) =>
    db
      .select({ row: packed(PLANNED.hub) })
      .from(t.hubs)
      .where(and(eq(t.hubs.org_id, org_id), only))
      .orderBy(t.hubs.id)
      .limit(most),
  group: (db, org_id, only, most) =>
    db
      .select({ row: { ...PLANNED.group, members: MEMBERS } })
      .from(t.device_groups)
      .where(and(eq(t.device_groups.org_id, org_id), only))
      .orderBy(t.device_groups.id)
      .limit(most),
  device: (db, org_id, only, most) =>
    db
      .select({ row: packed(PLANNED.device) })
      .from(t.devices)
      .where(and(eq(t.devices.org_id, org_id), only))
      .orderBy(t.devices.id)
      .limit(most),
  schedule: (db, org_id, only, most) =>
    db
      .select({ row: packed(PLANNED.schedule) })
      .from(t.schedules)
      .where(and(eq(t.schedules.org_id, org_id), only))
      .orderBy(t.schedules.id)
      .limit(most),
};

const ID = { hub: t.hubs.id, group: t.device_groups.id, device: t.devices.id, schedule: t.schedules.id } as const;

/** The question for the next page of rows of a kind, after an id. */
export function rowsAfter<K extends Paged>(
  db: Database,
  org_id: string,
  kind: K,
  after: string,
  most: number,
): Question<D1Rows[K]> {
  return PAGE_OF[kind](db, org_id, gt(ID[kind], after), most);
}

/** The questions for the rows of some lights, and for those of their hubs and groups. */
export function lightsOf(db: Database, org_id: string, device_ids: string[]) {
  const isOne = q`${t.devices.id} in (select value from json_each(${JSON.stringify(device_ids)}))`;
  const hubs = db
    .select({ id: t.devices.hub_id })
    .from(t.devices)
    .where(and(eq(t.devices.org_id, org_id), isOne));
  const groups = db
    .select({ id: t.group_devices.group_id })
    .from(t.group_devices)
    .where(q`${t.group_devices.device_id} in (select value from json_each(${JSON.stringify(device_ids)}))`);
  return [
    PAGE_OF.hub(db, org_id, inArray(t.hubs.id, hubs), PAGE),
    PAGE_OF.group(db, org_id, inArray(t.device_groups.id, groups), PAGE),
    PAGE_OF.device(db, org_id, isOne, PAGE),
  ] as const;
}

/** The questions for the rows of every kind; of those that a city has thousands of `most` at most, by id. */
export function rowsOf(db: Database, org_id: string, only: Only, most: (kind: Paged) => number) {
  const of = (org: SQLiteColumn, kind: PlanKind, id: SQLiteColumn | SQL) => and(eq(org, org_id), only(kind, id));
  const pageOf = <K extends Paged>(kind: K) => PAGE_OF[kind](db, org_id, only(kind, ID[kind]), most(kind));
  return [
    db
      .select(PLANNED.area)
      .from(t.areas)
      .where(of(t.areas.org_id, "area", t.areas.id)),
    db
      .select(PLANNED.agent)
      .from(t.agents)
      .where(of(t.agents.org_id, "agent", t.agents.id)),
    pageOf("hub"),
    pageOf("group"),
    db
      .select(PLANNED.calendar)
      .from(t.calendars)
      .where(of(t.calendars.org_id, "calendar", t.calendars.id)),
    db
      .select(PLANNED.policy)
      .from(t.policies)
      .where(of(t.policies.org_id, "policy", POLICY_ID)),
    db
      .select(PLANNED.permit)
      .from(t.permits)
      .where(of(t.permits.org_id, "permit", t.permits.id)),
    db
      .select(PLANNED.closure)
      .from(t.closures)
      .where(of(t.closures.org_id, "closure", t.closures.id)),
    pageOf("device"),
    pageOf("schedule"),
  ] as const;
}

type Answers<Asked extends readonly RunnableQuery<unknown, "sqlite">[]> = {
  -readonly [N in keyof Asked]: Asked[N]["_"]["result"];
};

/** What the questions of `rowsOf` were answered with. */
export function byKind(found: Answers<ReturnType<typeof rowsOf>>): RowsByKind {
  const [area, agent, hubs, groups, calendar, policies, permit, closure, devices, schedules] = found;
  const [hub, group] = [hubs.map(rowIn), groups.map(rowIn)];
  const [device, schedule] = [devices.map(rowIn), schedules.map(rowIn)];
  const policy = policies.map((row) => ({ ...row, id: `${row.scope}:${row.scope_id}` }));
  return { area, agent, hub, group, calendar, policy, permit, closure, device, schedule };
}

/** Of a question for a page. */
export function rowIn<Row>({ row }: { row: Row }): Row {
  return row;
}
