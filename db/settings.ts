import { and, eq, inArray, sql } from "drizzle-orm";
import type { ProviderMode } from "#domain/enums";
import type { CityPlace } from "#domain/schedule/positions";
import type { Database } from "./database";
import { insertSelect } from "./insert-select";
import { settings as table } from "./schema";
import { NOW } from "./versions";

/** The settings of one organization: one row per key that was ever saved. The UAC key's value is sealed. */
export function settings(db: Database, org_id: string) {
  return {
    /** `stored` is the value's text, for `unchanged`. */
    list: () =>
      db
        .select({ key: table.key, value: table.value, stored: sql<string>`${table.value}`.as("stored") })
        .from(table)
        .where(eq(table.org_id, org_id)),

    /** Fails, on the NOT NULL of `value`, where the settings are no longer those that were read. */
    unchanged: (read: { key: string; stored: string }[]) => {
      const known = sql`json_each(${JSON.stringify(Object.fromEntries(read.map(({ key, stored }) => [key, stored])))})`;
      const same = sql`select count(k.key) from ${table} s left join ${known} k on k.key = s.key and k.value = s.value
        where s.org_id = ${org_id} having count(*) = ${read.length}`;
      const nothing = { org_id: sql`${org_id}`, key: sql`''`, value: sql`null` };
      return insertSelect(db, table, nothing, sql`where (${same}) is not ${read.length}`);
    },

    /** The provider mode: a row if it was ever saved. */
    mode: () =>
      db
        .select({ mode: sql<ProviderMode>`${table.value} ->> '$'` })
        .from(table)
        .where(and(eq(table.org_id, org_id), eq(table.key, "PROVIDER_MODE"))),

    /** Where the city is and has been, for times by the sun. */
    city: async (): Promise<CityPlace> => {
      const place = { CITY_LAT: null, CITY_LON: null, CITY_POSITIONS: [] };
      const rows = await db
        .select({ key: table.key, value: table.value })
        .from(table)
        .where(and(eq(table.org_id, org_id), inArray(table.key, Object.keys(place))));
      return { ...place, ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
    },

    /** One that is not stored has its default. */
    remove: (key: string) => db.delete(table).where(and(eq(table.org_id, org_id), eq(table.key, key))),

    save: (key: string, value: unknown) =>
      db
        .insert(table)
        .values({ org_id, key, value })
        .onConflictDoUpdate({ target: [table.org_id, table.key], set: { value, updated_at: NOW } }),
  };
}
