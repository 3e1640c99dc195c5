import { isNotNull, or, sql, type AnyColumn, type SQL, type SQLWrapper } from "drizzle-orm";
import type { TargetType } from "#domain/schedule/target";
import { inDepts } from "./department-filter";
import { ofDept } from "./page";
import { device_groups, devices } from "./schema";

/** The three columns of a schedule, a permit or a closure, of which one is set. */
type TargetTable = Record<"device_id" | "group_id" | "area_id", AnyColumn>;

/**
 * What the rows of a table are for: a device, a group or an area. The lights of these are looked up, never copied, so that
 * a light that joins is in every list at once. Queries join the target's device, group and area under these names.
 */
export function targetsOf(table: TargetTable) {
  /** The lights `l` of the row's group, and of its area. */
  const members = sql`group_devices m cross join devices l on l.id = m.device_id where m.group_id = ${table.group_id}`;
  const lightsOfArea = sql`devices l where l.area_id = ${table.area_id}`;
  const lightCount = of(
    "1",
    sql`(select count(*) from group_devices m where m.group_id = ${table.group_id})`,
    sql`(select count(*) from ${lightsOfArea})`,
  );

  /** By the kind of the row's target; texts are SQL. */
  function of(device: SQL | string, group: SQL | string, area: SQL | string): SQL {
    const [ofDevice, ofGroup, ofArea] = [device, group, area].map((it) => (typeof it === "string" ? sql.raw(it) : it));
    return sql`case when ${table.device_id} is not null then ${ofDevice}
      when ${table.group_id} is not null then ${ofGroup} else ${ofArea} end`;
  }

  function anyLight(isIt: (dept_id: SQLWrapper) => SQL): SQL {
    const found = isIt(sql`l.dept_id`);
    return of(
      isIt(devices.dept_id),
      sql`exists (select 1 from ${members} and ${found})`,
      sql`exists (select 1 from ${lightsOfArea} and ${found})`,
    );
  }

  /** The name of the device or group, or 'All lights'. */
  function name(depts: string[] | null): SQL<string> {
    const first = sql`(select min(l.name collate nocase) from ${members} and ${isLightShown(depts)})`;
    const more = sql`case when ${lightCount} > 1 then ' and ' || (${lightCount} - 1) || ' more' else '' end`;
    const ofGroup = sql`coalesce(${device_groups.name}, ${first} || ${more}, 'No lights')`;
    return sql<string>`case when ${table.device_id} is not null then ${devices.name}
      when ${table.group_id} is not null then ${ofGroup} else 'All lights' end`;
  }

  function isShown(depts: string[] | null): SQL | undefined {
    if (depts === null) return undefined;
    return sql`(${anyLight((dept_id) => inDepts(dept_id, depts) ?? sql`1`)} or ${lightCount} = 0)`;
  }

  return {
    name,

    /** The area that the target is or is in. */
    area_id: sql<string>`coalesce(${table.area_id}, ${device_groups.area_id}, ${devices.area_id})`,

    /** The target as it is answered. An unnamed group is named by the first of its lights that is shown. */
    record: (depts: string[] | null) => ({
      type: sql<TargetType>`${of("'device'", "'group'", "'area'")}`.as("target_type"),
      id: sql<string>`coalesce(${table.device_id}, ${table.group_id}, ${table.area_id})`.as("target_id"),
      name: sql<string>`${name(depts)}`.as("target_name"),
      devices: sql<number>`${lightCount}`.as("target_devices"),
    }),

    /** Whether one of the target's lights is shown, or it has none at all. */
    isShown,

    /** The same, but for an area always: what limits a whole place concerns whoever works there. */
    isLimitShown: (depts: string[] | null): SQL | undefined =>
      depts === null ? undefined : or(isNotNull(table.area_id), isShown(depts)),

    /** Whether one of the target's lights is of the department, or organization-wide; see `ofDept`. */
    isOfDept: (dept: string | undefined): SQL | undefined =>
      dept === undefined ? undefined : anyLight((dept_id) => ofDept(dept_id, dept) ?? sql`1`),

    /** Whether a shown light of a group or an area has the word in its name; all names of an area can be too long for one text. */
    isLightNamed: (word: SQL, depts: string[] | null): SQL => {
      const isNamed = sql`${isLightShown(depts)} and instr(lower(l.name), ${word}) > 0`;
      return sql`(${of(
        "0",
        sql`exists (select 1 from ${members} and ${isNamed})`,
        sql`exists (select 1 from ${lightsOfArea} and ${isNamed})`,
      )})`;
    },
  };
}

/** Whether the light `l` is shown. */
export function isLightShown(depts: string[] | null): SQL {
  return inDepts(sql`l.dept_id`, depts) ?? sql`1`;
}
