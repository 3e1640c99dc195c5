import { Hono } from "hono";
import { z } from "zod";
import journal from "../../db/migrations/meta/_journal.json";
import { backups } from "#db/backup";
import { IN_BACKUPS } from "#db/backup-tables";
import { database } from "#db/database";
import { organizations } from "#db/organizations";
import { BACKUP_FORMAT } from "#domain/operations/backup";
import { Refusal } from "#domain/errors";
import { VERSION } from "#domain/version";
import { isObjectTable, type ObjectTable } from "#durable/requests/backup";
import { OBJECT_IN_BACKUPS } from "#durable/state/backup-tables";
import type { ApiEnv } from "#worker/api/session";
import { keyCheck } from "#worker/operator/backup-key";
import { OF_OBJECT } from "#worker/operator/restore-manifest";
import { found, invalid } from "#worker/services/refuse";
import { objectOf } from "#worker/scheduler";
import { parseJson } from "#domain/fields/json";

/** How many migrations of D1 this release knows. */
export const D1_MIGRATIONS = journal.entries.length;

const OBJECT_TABLES = Object.keys(OBJECT_IN_BACKUPS).map((table) => OF_OBJECT + table);
const isLog = new Set(IN_BACKUPS.flatMap(({ table, isLog }) => (isLog ? [table] : [])));

/** Logs grow without end, and are read last: what is edited, and what the engine remembers of it, lies close together. */
const TABLES = [
  ...IN_BACKUPS.map(({ table }) => table).filter((table) => !isLog.has(table)),
  ...OBJECT_TABLES,
  ...isLog,
];

/** Reading a backup, page by page. */
export const backupApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await organizations(database(c.env.DB)).all() }))

  /** What the manifest is to say, and which tables are to be read; `at` is compared before and after. */
  .get("/:org/backup", async (c) => {
    const org_id = c.req.param("org");
    const { name, ...at } = found(await backups(database(c.env.DB), org_id).head(), "Organization");
    const object = await objectOf(c.env.SCHEDULER, org_id).prepareBackup(org_id);
    if (object === null)
      throw new Refusal(
        "unavailable",
        "A newer release has written what the scheduler remembers. Deploy that release first.",
      );
    return c.json({
      format: BACKUP_FORMAT,
      version: VERSION,
      organization: { id: org_id, name },
      taken_at: new Date().toISOString(),
      migrations: { database: D1_MIGRATIONS, object },
      key_check: await keyCheck(c.env.SETTINGS_KEY),
      tables: TABLES,
      logs: [...isLog],
      at,
    });
  })

  .get("/:org/backup/:table", async (c) => {
    const { org: org_id, table } = c.req.param();
    const after = c.req.query("after") ?? null;
    found(await backups(database(c.env.DB), org_id).head(), "Organization");
    const ofObject = table.startsWith(OF_OBJECT) ? table.slice(OF_OBJECT.length) : "";
    if (isObjectTable(ofObject)) {
      const object = objectOf(c.env.SCHEDULER, org_id);
      const { rows, next } = await object.backupPage(org_id, ofObject, cursorOf(ofObject, after));
      return c.json({ rows, next });
    }
    const of = found(
      IN_BACKUPS.find((one) => one.table === table),
      "Table",
    );
    const { rows, next } = await backups(database(c.env.DB), org_id).page(of, Number(after ?? 0) || 0);
    return c.json({ rows, next: next === null ? null : String(next) });
  });

/** The key of the last row that was read, as it was answered. */
function cursorOf(table: ObjectTable, after: string | null): string | null {
  if (after === null) return null;
  const { data } = cursor.safeParse(after);
  if (data?.length !== OBJECT_IN_BACKUPS[table].length) throw invalid("after", "This is no place in the table.");
  return after;
}

const cursor = z
  .string()
  .max(2_000)
  .transform(parseJson)
  .pipe(z.array(z.union([z.string(), z.number()])));
