import { and, count, desc, eq, inArray, isNotNull, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { DeviceInput } from "#domain/light/device-schema";
import type { DEVICE_SORTS, DeviceQuery } from "#domain/lists/list-query";
import { DEVICE_STATES } from "#domain/enums";
import type { Hold } from "#domain/resolve/hold";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { areaChoices, asTyped, belongs, byName, counted, hasWords, inOrder, is, named, ofDept, pageOf } from "./page";
import { areas, devices as table, hubs } from "./schema";
import { nextVersion, NOW } from "./versions";

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
