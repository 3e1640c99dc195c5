import { and, count, desc, eq, inArray, isNotNull, isNull, lte, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { AcknowledgeAll, AlarmQuery, AlarmScreenQuery } from "#domain/alarms/alarm-schema";
import type { AlarmState } from "#domain/enums";
import { HUB_IS_AWAY } from "#domain/light/light-problem";
import type { Database } from "./database";
import { inDepts, isAmong, isHiddenFrom, isMeant, type Tasks } from "./department-filter";
import { belongs, is, named, pageOf, type Place } from "./page";
import { alarms as table, departments, devices, hubs, users, workorders } from "./schema";
import { isMember } from "./users";
import { nextVersion } from "./versions";

/** The department that its light has now; of a light that is gone, the one that it had. */
export const dept_id = sql`case when ${devices.id} is null then ${table.dept_id} else ${devices.dept_id} end`;
const dept_name = sql`case when ${devices.id} is null then ${table.dept_name} else
  (select ${departments.name} from ${departments} where ${departments.id} = ${devices.dept_id}) end`;

const STATES: Record<AlarmState, SQL | undefined> = {
  open: and(isNull(table.over_at), isNull(table.acknowledged_at)),
  acknowledged: and(isNull(table.over_at), isNotNull(table.acknowledged_at)),
  over: isNotNull(table.over_at),
};

/**
 * The silent hub, or the one of that id, that explains an alarm: its light fails, is behind the hub now, and failed when the
 * hub had given its last answer. What failed while its hub still answered is broken by itself.
 */
function silentHub(hub_id?: string): SQL {
  return sql`from devices light join hubs hub on hub.id = light.hub_id
    where light.id = ${table.device_id} and ${table.kind} = 'device_failed' and hub.status = 'offline'
      and instr(light.problem, ${HUB_IS_AWAY}) = 1 and ${table.opened_at} > coalesce(hub.last_seen, '')
      and ${is(sql`hub.id`, hub_id) ?? sql`1`}`;
}

function behindOf(behind: string | null | undefined): SQL {
  if (behind === undefined) return sql`1`;
  return behind === null ? sql`not exists (select 1 ${silentHub()})` : sql`exists (select 1 ${silentHub(behind)})`;
}

/** In the id of an alarm of a lamp that its light had before, which the light's own problem says nothing of. */
const OF_OLD_LAMP = ":pending_off:";

/** A light was wrong before people were told, when its tries had been in vain: its other screens say since when. */
const since = sql`case when ${table.over_at} is null and instr(${table.id}, ${OF_OLD_LAMP}) = 0 and ${devices.problem} is not null
  then min(${table.opened_at}, coalesce(${devices.problem_since}, ${table.opened_at})) else ${table.opened_at} end`;

/** The latest first, each state by its own instant: the order of the index. */
const LATEST = [desc(table.over_at), desc(table.acknowledged_at), desc(table.opened_at), desc(table.id)];

const recordFor = (depts: string[] | null) => ({
  id: table.id,
  version: table.version,
  kind: table.kind,
  what: table.what,
  why: table.why,
  since: named<string>(since, "since"),
  device_id: table.device_id,
  device_name: table.device_name,
  hub_id: table.hub_id,
  hub_name: table.hub_name,
  area_id: table.area_id,
  area_name: table.area_name,
  dept_id: named<string | null>(dept_id, "of_dept_id"),
  dept_name: named<string | null>(dept_name, "of_dept_name"),
  opened_at: table.opened_at,
  over_at: table.over_at,
  acknowledged_at: table.acknowledged_at,
  acknowledged_by: table.acknowledged_by,
  assigned_to: table.assigned_to,
  assigned_email: sql<string | null>`(select ${users.email} from ${users} where ${users.id} = ${table.assigned_to})`.as(
    "assigned_email",
  ),
  workorder_id: sql<string | null>`(select ${workorders.id} from ${workorders} where ${and(
    sql`${workorders.alarm_id} = ${table.id}`,
    inDepts(workorders.dept_id, depts),
  )})`.as("workorder_id"),
});

/** Those that were told by then, but for the departments that the person may only read. */
type Seen = AcknowledgeAll & { read_only: string[] };

/** The alarms of one organization; the engine opens and ends them. `depts` are those to show, null for all. */
export function alarms(db: Database, org_id: string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const idsOf = (condition: SQL | undefined) =>
    db
      .select({ id: table.id })
      .from(table)
      .leftJoin(devices, eq(devices.id, table.device_id))
      .where(and(eq(table.org_id, org_id), condition));
  const openFor = (user_id: string, tasks: Tasks) =>
    idsOf(and(eq(table.assigned_to, user_id), isNull(table.over_at), isAmong(dept_id, tasks, user_id)));
  const isUnseen = (lights: SQLWrapper | string, dept_of_light: SQLWrapper | string) =>
    and(
      belongs(table.org_id, org_id),
      sql`${table.device_id} in (${lights})`,
      isNull(table.over_at),
      isNotNull(table.assigned_to),
      isHiddenFrom(table.assigned_to, dept_of_light, org_id),
    );
  const visible = (depts: string[] | null) => (depts === null ? undefined : inDepts(dept_id, depts));
  const seen = ({ told_until, area_id, read_only }: Seen, depts: string[] | null) =>
    idsOf(
      and(
        STATES.open,
        lte(table.seq, told_until),
        is(table.area_id, area_id ?? undefined),
        isMeant(dept_id, depts, read_only),
      ),
    );
  const selected = (depts: string[] | null, condition: SQL | undefined) =>
    db
      .select(recordFor(depts))
      .from(table)
      .leftJoin(devices, eq(devices.id, table.device_id))
      .where(and(condition, visible(depts)));
  return {
    /**
     * A page of one state, the counts of each, and the silent hubs that explain some of the state. All alarms of the state
     * where the query does not say which of these are wanted.
     */
    page: ({ state, area_id, behind, page }: AlarmQuery & Partial<AlarmScreenQuery>, depts: string[] | null) => {
      const place = is(table.area_id, area_id);
      const isAsked = state === "over" ? sql`1` : behindOf(behind);
      const number = (of: AlarmState) => sql<number>`count(case when ${STATES[of]} then 1 end)`.as(of);
      const counts = {
        all: count(),
        open: number("open"),
        acknowledged: number("acknowledged"),
        over: number("over"),
        asked: sql<number>`count(case when ${STATES[state]} and ${isAsked} then 1 end)`.as("asked"),
        told_until: sql<number>`coalesce(max(case when ${STATES.open} then ${table.seq} end), 0)`.as("told_until"),
      };
      return pageOf(page, async (limit, offset) => {
        const [rows, found, silent_hubs] = await db.batch([
          selected(depts, and(eq(table.org_id, org_id), STATES[state], place, isAsked))
            .orderBy(...LATEST)
            .limit(limit)
            .offset(offset),
          db
            .select(counts)
            .from(table)
            .leftJoin(devices, eq(devices.id, table.device_id))
            .where(and(eq(table.org_id, org_id), place, visible(depts))),
          db
            .select({ id: hubs.id, name: hubs.name, last_seen: hubs.last_seen, alarms: count() })
            .from(table)
            .innerJoin(devices, eq(devices.id, table.device_id))
            .innerJoin(hubs, and(eq(hubs.id, devices.hub_id), sql`exists (select 1 ${silentHub()})`))
            .where(and(eq(table.org_id, org_id), isNull(table.over_at), STATES[state], place, visible(depts)))
            .groupBy(hubs.id),
        ]);
        const [of = { all: 0, open: 0, acknowledged: 0, over: 0, asked: 0, told_until: 0 }] = found;
        return { rows, counts: [{ total: of.asked, all: of.all }], of, silent_hubs };
      });
    },

    /** How many nobody has seen to. */
    openCount: (depts: string[] | null) =>
      db
        .select({ open: count() })
        .from(table)
        // Where everything is visible, SQLite leaves the lights out by itself.
        .leftJoin(devices, eq(devices.id, table.device_id))
        .where(and(eq(table.org_id, org_id), STATES.open, visible(depts))),

    /** Those of a device or an area that are not over, the latest first. */
    openOf: (place: Place, depts: string[] | null, limit: number) =>
      selected(
        depts,
        and(
          belongs(table.org_id, org_id),
          "device_id" in place ? eq(table.device_id, place.device_id) : eq(table.area_id, place.area_id),
          isNull(table.over_at),
        ),
      )
        .orderBy(desc(table.opened_at), desc(table.id))
        .limit(limit),

    /** Those that a person has and that are not over. */
    openFor: (user_id: string, tasks: Tasks) => openFor(user_id, tasks).orderBy(table.id),

    /** They are nobody's from now on. */
    releaseOf: (user_id: string, tasks: Tasks) =>
      db
        .update(table)
        .set({ assigned_to: null, version: nextVersion(table.version) })
        .where(inArray(table.id, openFor(user_id, tasks))),

    /** Those of a light that somebody has who would not see them, were it of the department; not those that are over. */
    unseenIn: (device_id: SQLWrapper | string, dept_id: SQLWrapper | string) =>
      db.select({ id: table.id }).from(table).where(isUnseen(device_id, dept_id)).orderBy(table.id),

    /** They are nobody's from now on. */
    releaseUnseen: (lights: SQLWrapper | string, dept_of_light: SQLWrapper | string) =>
      db
        .update(table)
        .set({ assigned_to: null, version: nextVersion(table.version) })
        .where(isUnseen(lights, dept_of_light)),

    find: (id: string, depts: string[] | null) => selected(depts, only(id)).get(),

    /** For whoever is first. */
    acknowledge: (id: string, by: { at: string; email: string }, if_match?: number) =>
      db
        .update(table)
        .set({
          acknowledged_at: by.at,
          acknowledged_by: by.email,
          version: nextVersion(table.version, if_match, isNull(table.acknowledged_at)),
        })
        .where(only(id)),

    /** How many of the open ones are meant that somebody has seen all at once. */
    countSeen: (which: Seen, depts: string[] | null) => db.select({ seen: count() }).from(sql`(${seen(which, depts)})`),

    /** All of them. */
    acknowledgeSeen: (which: Seen, depts: string[] | null, by: { at: string; email: string }) =>
      db
        .update(table)
        .set({ acknowledged_at: by.at, acknowledged_by: by.email, version: nextVersion(table.version) })
        .where(inArray(table.id, seen(which, depts))),

    /** Fails on the NOT NULL of `version` if whoever is to have it has left meanwhile. */
    assign: (id: string, assigned_to: string | null, if_match?: number) => {
      const still = assigned_to === null ? undefined : isMember(org_id, assigned_to);
      return db
        .update(table)
        .set({ assigned_to, version: nextVersion(table.version, if_match, still) })
        .where(only(id));
    },
  };
}
