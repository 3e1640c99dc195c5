import { and, asc, desc, eq, getTableColumns, inArray, lt, sql, type SQL } from "drizzle-orm";
import type { ImportDetail } from "#domain/organization/import-records";
import { alarms } from "./alarms";
import type { Database } from "./database";
import { insertSelect } from "./insert-select";
import { applied, audits, clashes, DEPT_OF_LIGHT, movedBetweenDepts, verified, type Actor } from "./import-batch";
import { belongs } from "./page";
import { devices, import_rows, imports as table } from "./schema";
import { NOW } from "./versions";

type Owner = { org_id: string; user_id: string };
export type StagedValues = Omit<typeof import_rows.$inferInsert, "import_id">;

/** Imports that a screen lists. */
const LISTED = 10;
/** Problems and changes that one is shown with. */
export const SHOWN = 100;

/** The imports of one person in one organization. Nobody else may read them: a file can name departments they do not see. */
export function imports(db: Database, { org_id, user_id }: Owner) {
  const {
    org_id: _org,
    user_id: _user,
    problems,
    updated_at: _at,
    version: _version,
    ...record
  } = getTableColumns(table);
  const own = and(eq(table.org_id, org_id), eq(table.user_id, user_id));
  const only = (id: string) => and(own, eq(table.id, id));
  const told = alarms(db, org_id);
  const staged = (id: string) => sql`${import_rows.import_id} = (select id from ${table} where ${only(id)})`;

  return {
    list: () => db.select(record).from(table).where(own).orderBy(desc(table.created_at), desc(table.id)).limit(LISTED),

    find: async (id: string): Promise<ImportDetail | undefined> => {
      const { row, kind, action, name, fields } = import_rows;
      const [found, changes] = await db.batch([
        db
          .select({ ...record, problems })
          .from(table)
          .where(only(id)),
        db
          .select({ row, kind, action, name, fields })
          .from(import_rows)
          .where(staged(id))
          .orderBy(asc(import_rows.row))
          .limit(SHOWN),
      ]);
      return found[0] && { ...found[0], changes };
    },

    create: (id: string, values: Pick<typeof table.$inferInsert, "file_name" | "rows" | "counts">) =>
      db.insert(table).values({ ...values, id, org_id, user_id, state: "checking", problems: [] }),

    /** Writes a set of rows, and how far the check has come. */
    stage: (id: string, rows: StagedValues[], done: number) =>
      [
        insertSelect(
          db,
          import_rows,
          {
            ...staging(["row", "kind", "action", "record_id", "read_version", "name", "fields", "details"]),
            import_id: sql`${id}`,
          },
          sql`from json_each(${JSON.stringify(rows)})`,
        ),
        db.update(table).set({ done, updated_at: NOW }).where(only(id)),
      ] as const,

    /** The end of a check. Does nothing if it was given up for dead meanwhile. */
    checked: (id: string, result: Partial<typeof table.$inferInsert>) =>
      db
        .update(table)
        .set({ ...result, updated_at: NOW })
        .where(and(only(id), eq(table.state, "checking"))),

    /** From one state to another; the rows are empty where it was in another. */
    move: (id: string, from: "ready" | "applying", to: Partial<typeof table.$inferInsert>) =>
      db
        .update(table)
        .set({ ...to, updated_at: NOW })
        .where(and(only(id), eq(table.state, from)))
        .returning({ id: table.id }),

    /**
     * Marks as failed the running imports that were last updated before `since`: their process died, and nothing was changed.
     * Deletes the staged rows of failed imports.
     */
    giveUp: (since: string, reason: string) =>
      db.batch([
        db
          .update(table)
          .set({ state: "failed", reason, updated_at: NOW })
          .where(and(own, inArray(table.state, ["checking", "applying"]), lt(table.updated_at, since))),
        db.delete(import_rows).where(
          inArray(
            import_rows.import_id,
            db
              .select({ id: table.id })
              .from(table)
              .where(and(own, eq(table.state, "failed"))),
          ),
        ),
      ]),

    /** The departments that the staged devices are in or leave; null among them for organization-wide. */
    depts: async (id: string): Promise<(string | null)[]> => {
      const dept = (side: string) => sql<string | null>`${import_rows.details} ->> ${`$.${side}.dept_id`}`;
      const rows = await db
        .selectDistinct({ after: dept("after"), before: dept("before") })
        .from(import_rows)
        .where(and(staged(id), eq(import_rows.kind, "device")));
      return rows.flatMap(({ before, after }) => [before, after]);
    },

    /** The departments of the lights that are by now in the areas which it takes out of use, or back. */
    deptsOfSwitched: async (id: string): Promise<(string | null)[]> => {
      const isActive = (side: string) => sql`${import_rows.details} ->> ${`$.${side}.active`}`;
      const rows = await db
        .selectDistinct({ dept_id: devices.dept_id })
        .from(import_rows)
        .innerJoin(devices, and(eq(devices.area_id, import_rows.record_id), belongs(devices.org_id, org_id)))
        .where(and(staged(id), eq(import_rows.kind, "area"), sql`${isActive("after")} is not ${isActive("before")}`));
      return rows.map(({ dept_id }) => dept_id);
    },

    /**
     * Everything the staged rows say, with an audit entry each: statements for one batch, so that it is all or nothing.
     * A record that is no longer as the check has read it makes `imports.version` null, and the batch fails.
     */
    apply: (id: string, actor: Actor, counted: number) => [
      ...applied(db, org_id, id),
      ...audits(db, org_id, id, actor, told.unseenIn(import_rows.record_id, devices.dept_id)),
      told.releaseUnseen(movedBetweenDepts(id), DEPT_OF_LIGHT),
      verified(db, only(id), org_id, id, counted),
      db.delete(import_rows).where(eq(import_rows.import_id, id)),
    ],

    /** The first statement of the batch: it must be this import's turn, and nobody may have made the same meanwhile. */
    begun: (id: string) =>
      db
        .update(table)
        .set({
          version: sql`case when ${table.state} = 'applying' and not (${clashes(org_id, id)}) then ${table.version} end`,
        })
        .where(only(id)),
  };
}

/** A column of the rows that are staged as JSON: texts and numbers as they are, lists and objects as JSON again. */
function staging(names: string[]): Record<string, SQL> {
  return Object.fromEntries(names.map((name) => [name, sql`json_extract(value, ${`$.${name}`})`]));
}
