import { and, count, desc, eq, gte, inArray, isNotNull, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { DeviceInput } from "#domain/light/device-schema";
import type { DEVICE_SORTS, DeviceQuery } from "#domain/lists/list-query";
import { DEVICE_STATES } from "#domain/enums";
import type { Emergencies } from "#domain/resolve/emergencies";
import type { Hold } from "#domain/resolve/hold";
import type { Target, TargetType } from "#domain/schedule/target";
import type { Database } from "./database";
import { inDepts, isMeant } from "./department-filter";
import { areaChoices, asTyped, belongs, byName, counted, hasWords, inOrder, is, named, ofDept, pageOf } from "./page";
import { areas, device_groups, devices as table, group_devices, hubs } from "./schema";
import { nextVersion, NOW } from "./versions";

/** A light, or what has lights. */
export type Place = { type: TargetType | "hub"; id: string };

export type DeviceValues = Pick<typeof table.$inferInsert, keyof DeviceInput>;

const record = {
  id: table.id,
  version: table.version,
  created_at: table.created_at,
  updated_at: table.updated_at,
  name: table.name,
  area_id: table.area_id,
  area_name: named(areas.name, "area_name"),
  hub_id: table.hub_id,
  hub_name: named<string | null>(hubs.name, "hub_name"),
  dept_id: table.dept_id,
  model: table.model,
  cloud_device_id: table.cloud_device_id,
  local_ref: table.local_ref,
  on_payload: table.on_payload,
  off_payload: table.off_payload,
  notes: table.notes,
  restrike_min: table.restrike_min,
  current_state: table.current_state,
  last_state_at: table.last_state_at,
  problem: table.problem,
  problem_since: table.problem_since,
  /** One that is over counts for nothing, whether or not the engine has said so yet. */
  hold: sql<Hold | null>`case when ${table.hold} ->> 'until' > ${NOW} then ${table.hold} end`
    .mapWith(table.hold)
    .as("hold"),
};

const { id, name, area_id, area_name, hub_id, dept_id, restrike_min } = record;
const choice = { id, name, area_id, area_name, hub_id, dept_id, restrike_min };

const ORDERS: Record<(typeof DEVICE_SORTS)[number], SQL[]> = {
  name: [],
  area: [byName(areas.name)],
  // What is wrong comes before any state.
  state: [sql`${table.problem} is null`, inOrder(table.current_state, DEVICE_STATES)],
  updated: [desc(table.last_state_at)],
};

function hasAll(words: string[]): SQL | undefined {
  return hasWords(words, table.name, areas.name, hubs.name, table.model, table.current_state);
}

/** The devices of one organization; `depts` are the departments to show besides organization-wide devices, null for all. */
export function devices(db: Database, org_id: string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const selected = (condition: SQL | undefined) =>
    db
      .select(record)
      .from(table)
      .innerJoin(areas, eq(areas.id, table.area_id))
      .leftJoin(hubs, eq(hubs.id, table.hub_id))
      .where(condition);

  return {
    list: (depts: string[] | null) =>
      selected(and(eq(table.org_id, org_id), inDepts(table.dept_id, depts))).orderBy(table.name, table.id),

    page: (query: DeviceQuery, depts: string[] | null) => {
      const visible = and(eq(table.org_id, org_id), inDepts(table.dept_id, depts));
      const found = and(
        is(table.area_id, query.area),
        is(areas.type, query.type),
        ofDept(table.dept_id, query.dept),
        is(table.current_state, query.state),
        query.show === "problems" ? isNotNull(table.problem) : undefined,
        hasAll(query.q),
      );
      return pageOf(query.page, async (limit, offset) => {
        const [rows, counts, places, every] = await db.batch([
          selected(and(visible, found))
            .orderBy(...ORDERS[query.sort], byName(table.name), table.id)
            .limit(limit)
            .offset(offset),
          db
            .select({
              ...counted(found),
              wrong: sql<number>`count(case when ${found ?? sql`1`} then ${table.problem} end)`,
            })
            .from(table)
            .innerJoin(areas, eq(areas.id, table.area_id))
            .leftJoin(hubs, eq(hubs.id, table.hub_id))
            .where(visible),
          areaChoices(db, org_id),
          db.select({ count: count() }).from(table).where(eq(table.org_id, org_id)),
        ]);
        const wrong = counts[0]?.wrong ?? 0;
        return { rows, counts, areas: places, wrong, hidden: (every[0]?.count ?? 0) - (counts[0]?.all ?? 0) };
      });
    },

    /** The first ones that contain all the words: those that say them as typed, then by name. */
    hits: (words: string[], depts: string[] | null, limit: number) =>
      db
        .select({ id: table.id, name: table.name, place: named<string>(areas.name, "place") })
        .from(table)
        .innerJoin(areas, eq(areas.id, table.area_id))
        .leftJoin(hubs, eq(hubs.id, table.hub_id))
        .where(and(eq(table.org_id, org_id), inDepts(table.dept_id, depts), hasAll(words)))
        .orderBy(asTyped(words, table.name, areas.name), byName(table.name), table.id)
        .limit(limit),

    /** The first devices of an area, by name. */
    ofArea: (area_id: string, depts: string[] | null, limit: number) =>
      selected(and(belongs(table.org_id, org_id), eq(table.area_id, area_id), inDepts(table.dept_id, depts)))
        .orderBy(byName(table.name), table.id)
        .limit(limit),

    /** The choices of a select, of one area or all. */
    choices: (area_id: string | undefined, depts: string[] | null) =>
      db
        .select(choice)
        .from(table)
        .innerJoin(areas, eq(areas.id, table.area_id))
        .where(
          and(
            area_id === undefined ? eq(table.org_id, org_id) : belongs(table.org_id, org_id),
            is(table.area_id, area_id),
            inDepts(table.dept_id, depts),
          ),
        )
        .orderBy(byName(table.name), table.id),

    /** Whether there are more visible devices than so many; looks at no more than that takes. */
    areMore: async (than: number, depts: string[] | null): Promise<boolean> => {
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.org_id, org_id), inDepts(table.dept_id, depts)))
        .limit(1)
        .offset(than);
      return rows.length > 0;
    },

    find: (id: string, depts: string[] | null) => selected(and(only(id), inDepts(table.dept_id, depts))).get(),

    /** The visible devices of an area in the order of their ids, from an id on. */
    idsOfArea: async (area_id: string, depts: string[] | null, { from, limit }: { from: string; limit: number }) => {
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(
          and(
            belongs(table.org_id, org_id),
            eq(table.area_id, area_id),
            gte(table.id, from),
            inDepts(table.dept_id, depts),
          ),
        )
        .orderBy(table.id)
        .limit(limit);
      return rows.map((row) => row.id);
    },

    /** Whether an area has a visible device that is in none of the departments `but`. */
    isAnyOutside: async (area_id: string, depts: string[] | null, but: string[]): Promise<boolean> => {
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), eq(table.area_id, area_id), isMeant(table.dept_id, depts, but)))
        .limit(1);
      return rows.length > 0;
    },

    /**
     * An emergency of any visible device of an area, and of each of its named groups that has one, but of none in the
     * departments `but`. One round trip.
     */
    emergenciesIn: async (area_id: string, depts: string[] | null, but: string[]): Promise<Emergencies> => {
      const [ofArea, ofGroups] = await db.batch([
        db
          .select({ hold: table.hold })
          .from(table)
          .where(
            and(
              belongs(table.org_id, org_id),
              eq(table.area_id, area_id),
              isEmergency(table.hold),
              isMeant(table.dept_id, depts, but),
            ),
          )
          .limit(1),
        db
          .select({
            id: device_groups.id,
            hold: sql<Hold | null>`(select l.hold from group_devices m cross join devices l on l.id = m.device_id
              where m.group_id = device_groups.id and ${isEmergency(sql`l.hold`)}
              and ${isMeant(sql`l.dept_id`, depts, but)} limit 1)`.mapWith(table.hold),
          })
          .from(device_groups)
          .where(
            and(eq(device_groups.org_id, org_id), eq(device_groups.area_id, area_id), isNotNull(device_groups.name)),
          ),
      ]);
      const groups = ofGroups.flatMap(({ id, hold }) => (hold === null ? [] : [{ id, hold }]));
      return { area: ofArea[0]?.hold ?? null, groups };
    },

    /** How many visible devices an area has. */
    countIn: async (area_id: string, depts: string[] | null): Promise<number> => {
      const [row] = await db
        .select({ lights: count() })
        .from(table)
        .where(and(belongs(table.org_id, org_id), eq(table.area_id, area_id), inDepts(table.dept_id, depts)));
      return row?.lights ?? 0;
    },

    /** The names of devices by their ids. */
    namesOf: async (ids: string[]): Promise<Map<string, string>> => {
      const listed = inArray(table.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
      const rows = await db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(and(eq(table.org_id, org_id), listed));
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    /** Those of the ids that are visible devices. */
    among: async (ids: string[], depts: string[] | null): Promise<string[]> => {
      const listed = inArray(table.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.org_id, org_id), listed, inDepts(table.dept_id, depts)));
      return rows.map((row) => row.id);
    },

    /** The departments of the devices in an area or on a hub; null stands for organization-wide devices. */
    depts: async (place: { area_id: string } | { hub_id: string }): Promise<(string | null)[]> => {
      const there = "area_id" in place ? eq(table.area_id, place.area_id) : eq(table.hub_id, place.hub_id);
      const rows = await db
        .selectDistinct({ dept_id: table.dept_id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), there));
      return rows.map(({ dept_id }) => dept_id);
    },

    /** The departments of the devices of so many places, each with the place's id. Organization-wide devices have none. */
    deptsAt: async (places: Place[]): Promise<{ id: string; dept_id: string }[]> => {
      const listed = (type: Place["type"]) => {
        const ids = new Set(places.flatMap((place) => (place.type === type ? [place.id] : [])));
        return sql`json_each(${JSON.stringify([...ids])}) p`;
      };
      const ofDept = sql`${belongs(sql`l.org_id`, org_id)} and l.dept_id is not null`;
      return db.all<{ id: string; dept_id: string }>(sql`
        select p.value as id, l.dept_id from ${listed("device")} cross join devices l on l.id = p.value where ${ofDept}
        union select p.value, l.dept_id from ${listed("group")} cross join group_devices m on m.group_id = p.value
          cross join devices l on l.id = m.device_id where ${ofDept}
        union select p.value, l.dept_id from ${listed("area")} cross join devices l on l.area_id = p.value where ${ofDept}
        union select p.value, l.dept_id from ${listed("hub")} cross join devices l on l.hub_id = p.value where ${ofDept}`);
    },

    /** The departments of the devices that a target is for, each with the number of its devices. */
    deptsOf: (target: Target) =>
      db
        .select({ dept_id: table.dept_id, lights: count() })
        .from(table)
        .where(and(belongs(table.org_id, org_id), isIn(table, target)))
        .groupBy(table.dept_id),

    /** The groups with a policy that a target's devices are in, and how many devices are in just these. */
    inPolicies: (target: Target) => {
      const own = sql`select p.scope_id from ${group_devices} m cross join policies p on p.org_id = ${org_id}
        and p.scope = 'group' and p.scope_id = m.group_id where m.device_id = "devices"."id" order by p.scope_id`;
      return db
        .select({
          group_ids: sql`(select json_group_array(scope_id) from (${own}))`
            .mapWith((ids: string): string[] => JSON.parse(ids))
            .as("group_ids"),
          lights: count(),
        })
        .from(table)
        .where(and(belongs(table.org_id, org_id), isIn(table, target)))
        .groupBy(sql`group_ids`);
    },

    /** The visible devices that a target is for, by name, `most` at most. */
    inTarget: (target: Target, depts: string[] | null, most: number) =>
      db
        .select({ id: table.id, dept_id: table.dept_id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), isIn(table, target), inDepts(table.dept_id, depts)))
        .orderBy(byName(table.name), table.id)
        .limit(most),

    /** The department of each of the ids that is a visible device of the area. */
    deptsAmong: async (ids: string[], area_id: string, depts: string[] | null): Promise<(string | null)[]> => {
      const listed = inArray(table.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
      const rows = await db
        .select({ dept_id: table.dept_id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), listed, eq(table.area_id, area_id), inDepts(table.dept_id, depts)));
      return rows.map(({ dept_id }) => dept_id);
    },

    /** The ids, in the order of the devices' names. */
    byName: async (ids: string[]): Promise<string[]> => {
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(inArray(table.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`))
        .orderBy(byName(table.name), table.id);
      return rows.map((row) => row.id);
    },

    /** Fails on the NOT NULL of `version` if its hub has been moved to another area meanwhile. */
    create: (id: string, values: DeviceValues) =>
      db.insert(table).values({
        ...values,
        id,
        org_id,
        ...(values.hub_id && { version: sql`case when ${isTogether(values.hub_id, values.area_id)} then 1 end` }),
      }),

    /**
     * Fails its batch, as a conflict, if a device besides these has one of the vendor's ids (in small letters, without
     * sockets): otherwise two people who add the same lamp at the same moment would create two devices.
     */
    alone: (ids: string[], vendor_ids: string[]) => {
      const given = (values: string[]) => sql`(select value from json_each(${JSON.stringify(values)}))`;
      const vendorId = (id: SQLWrapper) => sql`lower(trim(substr(${id}, 1, instr(${id} || '#', '#') - 1)))`;
      const other = sql`select 1 from ${table} where ${table.org_id} = ${org_id} and ${table.id} not in ${given(ids)}
        and (${vendorId(table.cloud_device_id)} in ${given(vendor_ids)} or ${vendorId(table.local_ref)} in ${given(vendor_ids)})`;
      return db
        .update(table)
        .set({ version: sql`case when not exists (${other}) then ${table.version} end` })
        .where(only(ids[0] ?? ""));
    },

    /** The same. */
    save: (id: string, values: DeviceValues, if_match?: number) => {
      const { hub_id = table.hub_id, area_id } = values;
      const still = hub_id === null ? undefined : isTogether(hub_id, area_id);
      return db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextVersion(table.version, if_match, still) })
        .where(only(id));
    },

    remove: (id: string) => db.delete(table).where(only(id)),
  };
}

/** Whether a hub is in the area; one that is gone is in no other. */
function isTogether(hub_id: SQLWrapper | string, area_id: string): SQL {
  return sql`not exists (select 1 from ${hubs} where ${hubs.id} = ${hub_id} and ${hubs.area_id} <> ${area_id})`;
}

/** Whether an emergency lights a device now, by its hold. */
function isEmergency(hold: SQLWrapper): SQL {
  return sql`${hold} ->> 'until' > ${NOW} and ${hold} ->> 'emergency'`;
}

/** Whether the device is in the target. */
function isIn(device: typeof table, { type, id }: Target): SQL {
  if (type === "device") return eq(device.id, id);
  if (type === "area") return eq(device.area_id, id);
  return sql`${device.id} in (select ${group_devices.device_id} from ${group_devices} where ${group_devices.group_id} = ${id})`;
}
