import { and, eq, inArray, isNotNull, isNull, sql, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { CLOUD_KINDS, CONNECTION_KINDS } from "#domain/alarms/attention";
import { HUB_IS_AWAY, LIT_AT_LAMP } from "#domain/light/light-problem";
import { OPEN_WORKORDERS, WORKORDER_PRIORITIES, type ProviderMode, type WorkorderPriority } from "#domain/enums";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { belongs, inOrder, named } from "./page";
import { alarms, areas, devices, hubs, state_changes, users, workorders } from "./schema";

const wanted = alias(state_changes, "wanted");
const every = sql<number>`count(*) over ()`.as("every");

type WrongLight = { id: SQLWrapper; problem: SQLWrapper };

/**
 * Whether a light is wrong by itself: people are told of it, as the engine does of none that only the way to it fails, or
 * somebody has lit it at its lamp, which people may not be told of yet.
 */
const isWrongItself = ({ id, problem }: WrongLight) =>
  sql`(instr(${problem}, ${LIT_AT_LAMP}) = 1
    or exists (select 1 from alarms own where own.device_id = ${id} and own.over_at is null))`;

/** Whether a wrong light is told of its hub only. */
const isBehindHub = (light: WrongLight) =>
  sql`case ${hubs.status} when 'offline' then instr(${light.problem}, ${HUB_IS_AWAY}) = 1
    when 'needs attention' then not ${isWrongItself(light)} else 0 end`;

/**
 * What needs a person in one organization. Each is one statement, `limit` rows at most, each row with the number of `every`
 * one. `depts` are the departments to show besides organization-wide records, null for all.
 */
export function attention(db: Database, org_id: string) {
  /** What was last wanted of a light, by the log's key. */
  const isLast = (device_id: SQLWrapper) =>
    and(
      eq(wanted.org_id, org_id),
      eq(wanted.device_id, device_id),
      eq(wanted.kind, "desired"),
      sql`${wanted.at} = (select max(l.at) from state_changes l where l.org_id = ${org_id}
        and l.device_id = ${device_id} and l.kind = 'desired')`,
    );

  /** Whether a wrong light goes by the cloud, maybe besides its hub, and that is in trouble. */
  const isBehindCloud = (mode: ProviderMode) =>
    sql`exists (select 1 from alarms cloud where cloud.org_id = ${org_id} and cloud.over_at is null
        and ${inArray(sql`cloud.kind`, [...CLOUD_KINDS])})
      and (${mode} = 'cloud' or ${mode} = 'hybrid' and coalesce(${hubs.connection_mode}, 'cloud') <> 'local')
      and not ${isWrongItself(devices)}`;

  return {
    /**
     * Lights that are not as they should be, dark ones first; not those that a hub or the cloud explains, which are told of
     * these.
     */
    lights: (depts: string[] | null, mode: ProviderMode, limit: number) => {
      const order = (column: "id" | "title") => sql<string | null>`(select ${sql.raw(`o.${column}`)} from workorders o
        where o.device_id = ${devices.id} and ${inArray(sql`o.status`, [...OPEN_WORKORDERS])} and ${inDepts(sql`o.dept_id`, depts) ?? sql`1`}
        order by o.created_at desc, o.id limit 1)`;
      const byWorst = [
        sql`case ${devices.current_state} when 'off' then 0 when 'on' then 1 else 2 end`,
        devices.problem_since,
        devices.id,
      ];
      // Details are looked up only for the lights that are returned: all of a city's may be wrong at once.
      const worst = db
        .select({ id: named(devices.id, "worst_id"), every })
        .from(devices)
        .leftJoin(hubs, eq(hubs.id, devices.hub_id))
        .where(
          and(
            eq(devices.org_id, org_id),
            isNotNull(devices.problem),
            inDepts(devices.dept_id, depts),
            sql`not (${isBehindHub(devices)})`,
            sql`not (${isBehindCloud(mode)})`,
          ),
        )
        .orderBy(...byWorst)
        .limit(limit);
      return db
        .select({
          id: devices.id,
          name: devices.name,
          area_id: devices.area_id,
          area_name: named<string>(areas.name, "area_name"),
          dept_id: devices.dept_id,
          current_state: devices.current_state,
          problem: devices.problem,
          problem_since: devices.problem_since,
          wanted_state: named<"on" | "off" | "unknown" | null>(wanted.state, "wanted_state"),
          wanted_reason: named<string | null>(wanted.reason, "wanted_reason"),
          wanted_sentence: named<string | null>(wanted.sentence, "wanted_sentence"),
          order_id: order("id").as("order_id"),
          order_title: order("title").as("order_title"),
          every: sql<number>`every`.as("every_one"),
        })
        .from(sql`(${worst})`)
        .innerJoin(devices, and(eq(devices.id, sql`worst_id`), belongs(devices.org_id, org_id)))
        .innerJoin(areas, eq(areas.id, devices.area_id))
        .leftJoin(wanted, isLast(devices.id))
        .orderBy(...byWorst);
    },

    /**
     * Hubs that are away or refuse us, those first that most wrong lights are told of, with the counts of their visible
     * lights. `behind` counts the wrong ones that are told of the hub only, `behind_all` those of all hubs.
     */
    hubs: (depts: string[] | null, limit: number) => {
      const lights = sql`from devices d where d.hub_id = ${hubs.id} and ${inDepts(sql`d.dept_id`, depts) ?? sql`1`}`;
      const behind = sql`(select count(*) ${lights} and d.problem is not null
        and ${isBehindHub({ id: sql`d.id`, problem: sql`d.problem` })})`;
      return db
        .select({
          id: hubs.id,
          name: hubs.name,
          area_id: hubs.area_id,
          area_name: named<string>(areas.name, "area_name"),
          status: hubs.status,
          last_seen: hubs.last_seen,
          lights: sql<number>`(select count(*) ${lights})`.as("lights"),
          unknown: sql<number>`(select count(*) ${lights} and d.current_state = 'unknown')`.as("unknown"),
          wrong: sql<number>`(select count(*) ${lights} and d.current_state <> 'unknown' and d.problem is not null)`.as(
            "wrong",
          ),
          behind: sql<number>`${behind}`.as("behind"),
          behind_all: sql<number>`sum(${behind}) over ()`.as("behind_all"),
          every,
        })
        .from(hubs)
        .innerJoin(areas, eq(areas.id, hubs.area_id))
        .where(and(eq(hubs.org_id, org_id), inArray(hubs.status, ["offline", "needs attention"])))
        .orderBy(sql`behind desc`, hubs.last_seen, hubs.id)
        .limit(limit);
    },

    /**
     * What many hubs or lights depend on and people were told of: the vendor's cloud, the account there, on-site agents, the
     * longest first. `wrong` counts all visible wrong lights, whatever they are told of.
     */
    connections: (depts: string[] | null, limit: number) => {
      const wrong = sql`(select count(*) from devices d where d.org_id = ${org_id} and d.problem is not null
        and ${inDepts(sql`d.dept_id`, depts) ?? sql`1`})`;
      return db
        .select({
          id: alarms.id,
          kind: alarms.kind,
          what: alarms.what,
          why: alarms.why,
          opened_at: alarms.opened_at,
          wrong: sql<number>`${wrong}`.as("wrong"),
          every,
        })
        .from(alarms)
        .where(and(eq(alarms.org_id, org_id), isNull(alarms.over_at), inArray(alarms.kind, [...CONNECTION_KINDS])))
        .orderBy(inOrder(alarms.kind, CONNECTION_KINDS), alarms.opened_at, alarms.id)
        .limit(limit);
    },

    /**
     * Open work orders made before the instant (ISO) of their priority, the most urgent first. Where nobody has chosen an
     * area, each is told with that of its light, if that is visible.
     */
    orders: (depts: string[] | null, before: Record<WorkorderPriority, string>, limit: number) => {
      const cases = WORKORDER_PRIORITIES.map((priority) => sql`when ${priority} then ${before[priority]}`);
      const latest = Object.values(before).toSorted().at(-1) ?? "";
      return db
        .select({
          id: workorders.id,
          title: workorders.title,
          priority: workorders.priority,
          created_at: workorders.created_at,
          area_id: named<string | null>(areas.id, "in_area_id"),
          area_name: named<string | null>(areas.name, "area_name"),
          assignee: named<string | null>(users.email, "assignee"),
          every,
        })
        .from(workorders)
        .leftJoin(devices, and(eq(devices.id, workorders.device_id), inDepts(devices.dept_id, depts)))
        .leftJoin(areas, eq(areas.id, sql`coalesce(${workorders.area_id}, ${devices.area_id})`))
        .leftJoin(users, eq(users.id, workorders.assigned_to))
        .where(
          and(
            eq(workorders.org_id, org_id),
            sql`${workorders.created_at} < ${latest}`,
            inArray(workorders.status, OPEN_WORKORDERS),
            sql`${workorders.created_at} < case ${workorders.priority} ${sql.join(cases, sql` `)} end`,
            inDepts(workorders.dept_id, depts),
          ),
        )
        .orderBy(inOrder(workorders.priority, WORKORDER_PRIORITIES.toReversed()), workorders.created_at, workorders.id)
        .limit(limit);
    },

    /**
     * What the visible lit lights are lit for, of the `limit` areas with the most of them: a row for each area and
     * sentence. `sentence` is null where nobody asked for the light.
     */
    lit: (depts: string[] | null, limit: number) => {
      const shown = inDepts(sql`d.dept_id`, depts) ?? sql`1`;
      const most = sql`(select d.area_id as of_area, sum(d.current_state = 'on') as lit, count(*) as lights,
        count(*) over () as every, sum(sum(d.current_state = 'on')) over () as every_lit
        from devices d where d.org_id = ${org_id} and ${shown} group by d.area_id having lit > 0
        order by lit desc, d.area_id limit ${limit})`;
      return db
        .select({
          id: areas.id,
          name: areas.name,
          on: sql<number>`lit`.as("lit_here"),
          all: sql<number>`lights`.as("lights_here"),
          in_areas: sql<number>`every`.as("lit_areas"),
          total_on: sql<number>`every_lit`.as("lit_everywhere"),
          sentence: sql<string | null>`case when ${wanted.state} = 'on' then ${wanted.sentence} end`.as("why"),
          lights: sql<number>`count(*)`.as("lit_for_it"),
        })
        .from(most)
        .innerJoin(areas, eq(areas.id, sql`of_area`))
        .innerJoin(
          sql`devices d`,
          and(belongs(sql`d.org_id`, org_id), sql`d.area_id = of_area and d.current_state = 'on' and ${shown}`),
        )
        .leftJoin(wanted, isLast(sql`d.id`))
        .groupBy(sql`of_area`, sql`why`)
        .orderBy(sql`lit desc`, areas.id, sql`lit_for_it desc`, sql`why`);
    },
  };
}
