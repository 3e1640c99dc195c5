import { eq, sql, type SQL } from "drizzle-orm";
import type { BackedUp } from "./backup-tables";
import type { Database } from "./database";
import { restoredTable } from "./restored-table";
import { organizations } from "./schema";

/** So many rows at a time: some 300 kB, and a few MB where each says much. */
const PAGE = 1_000;

/** A row as SQLite has it. */
export type BackupRow = Record<string, string | number | null>;

/** Rows of a table, and behind which the next page begins; null where there is none. */
export type BackupPage = { rows: BackupRow[]; next: number | null };

type Rowid = { "#": number };

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

    /** The rows behind `after`, in the order in which they were written: what is added meanwhile comes last. */
    page: async (of: BackedUp, after: number): Promise<BackupPage> => {
      const found = await db.all<BackupRow & Rowid>(sql`
        select rowid as "#", ${columnsOf(of)} from ${sql.identifier(of.table)}
        where ${belongs(of, org_id)} and rowid > ${after} order by rowid limit ${PAGE}`);
      const next = found.length < PAGE ? null : (found.at(-1)?.["#"] ?? null);
      return { rows: found.map(withoutPlace), next };
    },
  };
}

/** Those that this release knows: after a rollback the tables have more, which only a newer one could bring back. */
function columnsOf({ table }: BackedUp): SQL {
  return sql.join(
    restoredTable(table).columns.map((column) => sql.identifier(column)),
    sql`, `,
  );
}

/** The plus keeps SQLite off the index on the organization, in whose order each page would be sorted anew. */
function belongs({ scope }: BackedUp, org_id: string): SQL {
  if ("column" in scope) return sql`+${sql.identifier(scope.column)} = ${org_id}`;
  return sql`+${sql.identifier(scope.person)} in (select user_id from org_memberships where org_id = ${org_id})`;
}

function withoutPlace(found: BackupRow & Rowid): BackupRow {
  const { "#": _, ...row } = found;
  return row;
}
