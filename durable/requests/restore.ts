import { CHARACTERS_AT_ONCE, parts } from "#db/parts";
import { restores, type StagedPage } from "#db/restore";
import { OBJECT_IN_BACKUPS } from "#durable/state/backup-tables";
import { meta } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { D1_DEADLINE_MS, withDeadline } from "#durable/state/deadline";
import { isObjectTable, type ObjectRow, type ObjectTable } from "./backup";
import { TAKE_UP } from "./restored-rows";

/** What the epoch of a restore begins with. */
export const RESTORED = "restore-";

/**
 * D1 has an epoch that this object does not know. Where a restore made it, and the object has never had a plan, it takes up
 * what the one before it remembered; one that lives knows more than any backup. Called before the plan is pulled. May run
 * again after a death half-way. Rejects where D1 does not answer.
 */
export async function takeUpBackup(context: EngineContext, org_id: string, epoch: string): Promise<void> {
  if (meta(context.sql, "version") !== null || !epoch.startsWith(RESTORED)) return;
  const restore = restores(context.db, org_id);
  const asked = <T>(work: PromiseLike<T>) => withDeadline(context, D1_DEADLINE_MS, work);
  if ((await asked(restore.find()))?.id !== epoch) return;
  for (const table of Object.keys(OBJECT_IN_BACKUPS).filter(isObjectTable)) {
    for (let first: number | null = 0; first !== null;) {
      const { bodies, next }: StagedPage = await asked(restore.page(`object.${table}`, first));
      takeUp(
        context,
        table,
        bodies.map((body) => JSON.parse(body)),
      );
      first = next;
    }
  }
  context.log({ level: "info", event: "restore.taken_up", epoch });
}

/** A row that is there is newer. */
function takeUp(context: EngineContext, table: ObjectTable, rows: ObjectRow[]): void {
  const { storage, sql } = context;
  const now = context.now();
  const taken = rows.map((row) => TAKE_UP[table](row, now)).filter((row) => row !== null);
  const known = new Set(
    sql
      .exec<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
      .toArray()
      .map(({ name }) => name),
  );
  // The rows of an older release lack columns, which have their defaults.
  const columns = Object.keys(taken[0] ?? {}).filter((column) => known.has(column));
  if (columns.length === 0) return;
  const values = columns.map((column) => `json_extract(value, '$."${column}"')`);
  storage.transactionSync(() => {
    // Of agents' plans, some hundred kB each, a page is more than one statement takes.
    for (const part of parts(taken, CHARACTERS_AT_ONCE)) {
      sql.exec(
        `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`,
        JSON.stringify(part),
      );
    }
  });
  sql.kept?.forget();
}
