import { and, eq, inArray, isNotNull, or, sql, type SQL } from "drizzle-orm";
import type { PolicyScope } from "#domain/enums";
import type { PolicyValues } from "#domain/guardrails/policy";
import type { Database } from "./database";
import { named } from "./page";
import { areas, device_groups, policies as table } from "./schema";
import { nextVersion, NOW } from "./versions";

/** A type's name is the type. */
const record = {
  scope: table.scope,
  id: table.scope_id,
  name: named(
    sql`coalesce((select name from areas where ${table.scope} = 'area' and areas.id = ${table.scope_id}),
      (select name from device_groups where ${table.scope} = 'group' and device_groups.id = ${table.scope_id}),
      ${table.scope_id})`,
    "name",
  ),
  HARD_CURFEW_OFF: table.HARD_CURFEW_OFF,
  BLACKOUT_WINDOW: table.BLACKOUT_WINDOW,
  MAX_ON_DURATION_MIN: table.MAX_ON_DURATION_MIN,
  version: table.version,
};

/** The policies of one organization, by scope and the scope's id. */
export function policies(db: Database, org_id: string) {
  const only = (scope: PolicyScope, id: string | SQL) =>
    and(
      eq(table.org_id, org_id),
      eq(table.scope, scope),
      typeof id === "string" ? eq(table.scope_id, id) : inArray(table.scope_id, id),
    );

  return {
    list: () => db.select(record).from(table).where(eq(table.org_id, org_id)).orderBy(table.scope, table.scope_id),

    /** Those of an area, of its type and of all its groups. */
    ofArea: (area_id: string) =>
      db
        .select(record)
        .from(table)
        .where(
          or(
            only("type", sql`(select type from areas where id = ${area_id} and org_id = ${org_id})`),
            only("area", area_id),
            only("group", sql`(select id from device_groups where org_id = ${org_id} and area_id = ${area_id})`),
          ),
        )
        .orderBy(table.scope_id),

    /** Those of areas and of their types. */
    ofAreas: (area_ids: string[]) => {
      const ids = sql`(select value from json_each(${JSON.stringify(area_ids)}))`;
      return db
        .select(record)
        .from(table)
        .where(
          or(only("area", ids), only("type", sql`(select type from areas where id in ${ids} and +org_id = ${org_id})`)),
        );
    },

    find: (scope: PolicyScope, id: string) => db.select(record).from(table).where(only(scope, id)).get(),

    /** The area or named group that a policy may be for. */
    place: (scope: "area" | "group", id: string) => {
      const owner = scope === "area" ? areas : device_groups;
      return db
        .select({ name: owner.name })
        .from(owner)
        .where(and(eq(owner.org_id, org_id), eq(owner.id, id), isNotNull(owner.name)))
        .get();
    },

    /** Fails on the NOT NULL of `version` if the area or group is gone: nobody could take the policy back. */
    create: (scope: PolicyScope, id: string, values: PolicyValues) => {
      const owner = { area: areas, group: device_groups, type: null }[scope];
      const version = owner && sql`case when exists (select 1 from ${owner} where ${owner.id} = ${id}) then 1 end`;
      return db.insert(table).values({ ...values, org_id, scope, scope_id: id, ...(version && { version }) });
    },

    save: (scope: PolicyScope, id: string, values: PolicyValues, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextVersion(table.version, if_match) })
        .where(only(scope, id)),

    remove: (scope: PolicyScope, id: string) => db.delete(table).where(only(scope, id)),
  };
}
