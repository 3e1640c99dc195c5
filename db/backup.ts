import { eq, sql, type SQL } from "drizzle-orm";
import type { BackedUp } from "./backup-tables";
import type { Database } from "./database";
import { parts } from "./parts";
import { restoredTable } from "./restored-table";
import { organizations } from "./schema";

/** The most rows at a time, and their characters: a thousand changes of long calendars are more than a worker holds. */
const [MOST_ROWS, MOST_CHARACTERS] = [1_000, 2_000_000];

/** A row as SQLite has it. */
export type BackupRow = Record<string, string | number | null>;

/** Rows of a table, and behind which the next page begins; null where there is none. */
export type BackupPage = { rows: BackupRow[]; next: number | null };

/** What an organization has in D1, as its backup reads it. */
export function backups(db: Database, org_id: string) {
  return {
    /** Its name, and the version of what the engine plans from: equal before and after, nobody has changed that meanwhile. */
    head: () =>
      db
        .select({ name: organizations.name, version: organizations.config_version, epoch: organizations.epoch })
        .from(organizations)
        .where(eq(organizations.id, org_id))
        .get(),

    /**
     * The rows behind `after`, in the order in which they were written: what is added meanwhile comes last. One at least,
     * however long it is, unless there is none.
     */
    page: async (of: BackedUp, after: number): Promise<BackupPage> => {
      const columns = columnsOf(of);
      const behind = sql`from ${sql.identifier(of.table)} where ${belongs(of, org_id)} and rowid > ${after}`;
      const lengths = columns.map((column) => sql`coalesce(length(${column}), 0)`);
      const ahead = await db.all<{ place: number; length: number }>(sql`
        select rowid as place, ${sql.join(lengths, sql` + `)} as length ${behind} order by rowid limit ${MOST_ROWS}`);
      const [part = []] = parts(ahead, MOST_CHARACTERS, ({ length }) => length);
      const last = part.at(-1)?.place ?? after;
      const rows = await db.all<BackupRow>(sql`
        select ${sql.join(columns, sql`, `)} ${behind} and rowid <= ${last} order by rowid`);
      const isAll = part.length === ahead.length && ahead.length < MOST_ROWS;
      return { rows, next: isAll ? null : last };
    },
  };
}

/** Those that this release knows: after a rollback the tables have more, which only a newer one could bring back. */
function columnsOf({ table }: BackedUp) {
  return restoredTable(table).columns.map((column) => sql.identifier(column));
}

/** The plus keeps SQLite off the index on the organization, in whose order each page would be sorted anew. */
function belongs({ scope }: BackedUp, org_id: string): SQL {
  if ("column" in scope) return sql`+${sql.identifier(scope.column)} = ${org_id}`;
  return sql`+${sql.identifier(scope.person)} in (select user_id from org_memberships where org_id = ${org_id})`;
}
