import { and, eq, lte, sql } from "drizzle-orm";
import type { SchedulerReport } from "#domain/alarms/scheduler-health";
import type { Database } from "./database";
import { alarms, organizations, scheduler_health as table } from "./schema";

/** What an organization's scheduler answered; null: nothing in time. */
export type Answered = { org_id: string; report: SchedulerReport | null };

/** How the schedulers of all active organizations are: for the sweep, and for whoever watches the deployment. */
export function schedulerHealth(db: Database) {
  return {
    /** Every active organization, with what its scheduler last answered. */
    list: () =>
      db
        .select({
          org_id: organizations.id,
          name: organizations.name,
          created_at: organizations.created_at,
          asked_at: table.asked_at,
          silent_since: table.silent_since,
          report: table.report,
          swept_at: table.swept_at,
        })
        .from(organizations)
        .leftJoin(table, eq(table.org_id, organizations.id))
        .where(eq(organizations.active, true))
        .orderBy(organizations.id),

    /**
     * Answers which of them the caller is to ask: those that nobody has asked since `stale`. One statement takes them, so that
     * a thousand simultaneous visitors ask once.
     */
    claim: (org_ids: string[], at: string, stale: string) =>
      db
        .insert(table)
        .select(sql`select value, ${at}, null, null, null from json_each(${JSON.stringify(org_ids)}) where true`)
        .onConflictDoUpdate({
          target: table.org_id,
          set: { asked_at: sql`excluded.asked_at` },
          setWhere: lte(table.asked_at, stale),
        })
        .returning({ org_id: table.org_id }),

    /** Keeps what they answered at `at`, and since when one is silent; `isSweep`: the sweep has asked. */
    note: (answers: Answered[], at: string, { isSweep }: { isSweep: boolean }) =>
      db
        .insert(table)
        .select(
          sql`select value ->> 'org_id', ${at}, case when value ->> 'report' is null then ${at} end, value ->> 'report',
              ${isSweep ? at : null}
            from json_each(${JSON.stringify(answers)}) where true`,
        )
        .onConflictDoUpdate({
          target: table.org_id,
          set: {
            asked_at: sql`excluded.asked_at`,
            silent_since: sql`case when excluded.report is null then coalesce(${table.silent_since}, ${at}) end`,
            report: sql`coalesce(excluded.report, ${table.report})`,
            swept_at: sql`coalesce(excluded.swept_at, ${table.swept_at})`,
          },
        }),

    /**
     * Opens an alarm for each that did not answer at `asked_at`, and has been silent since before `late`: nobody else can,
     * since it is the scheduler that opens alarms. One for each silence.
     */
    openAlarms: (asked_at: string, late: string) =>
      db
        .insert(alarms)
        .select(
          db
            .select({
              id: sql<string>`${table.org_id} || ${SILENT} || ${table.silent_since}`.as("id"),
              org_id: table.org_id,
              kind: sql<"scheduler_late">`'scheduler_late'`.as("kind"),
              device_id: nothing("device_id"),
              device_name: nothing("device_name"),
              hub_id: nothing("hub_id"),
              hub_name: nothing("hub_name"),
              area_id: nothing("area_id"),
              area_name: nothing("area_name"),
              dept_id: nothing("dept_id"),
              dept_name: nothing("dept_name"),
              what: sql<string>`'Silent'`.as("what"),
              why: sql<string>`'the scheduler does not answer, and switches nothing'`.as("why"),
              opened_at: sql<string>`${table.silent_since}`.as("opened_at"),
              over_at: nothing("over_at"),
              seq: sql<number>`${Date.parse(asked_at)}`.as("seq"),
              acknowledged_at: nothing("acknowledged_at"),
              acknowledged_by: nothing("acknowledged_by"),
              assigned_to: nothing("assigned_to"),
              version: sql<number>`1`.as("version"),
            })
            .from(table)
            .where(and(eq(table.asked_at, asked_at), lte(table.silent_since, late))),
        )
        .onConflictDoNothing(),

    /** Ends those of the schedulers that answer again. */
    endAlarms: (at: string) =>
      db
        .update(alarms)
        .set({ over_at: at })
        .where(
          sql`${alarms.org_id} in (select ${table.org_id} from ${table} where ${table.silent_since} is null)
            and ${alarms.over_at} is null and instr(${alarms.id}, ${SILENT}) > 0`,
        ),
  };
}

const SILENT = ":scheduler:silent:";

function nothing(name: string) {
  return sql<null>`null`.as(name);
}
