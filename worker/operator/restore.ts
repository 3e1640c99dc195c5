import { Hono, type Context } from "hono";
import { auditEntry } from "#db/audit";
import type { BackupRow } from "#db/backup";
import { IN_BACKUPS } from "#db/backup-tables";
import { isNullRefused } from "#db/constraint-failure";
import { database } from "#db/database";
import { restores } from "#db/restore";
import { faultOf } from "#db/restore-rows";
import type { Manifest } from "#domain/operations/backup";
import { causeOf, Refusal } from "#domain/errors";
import { isObjectTable } from "#durable/requests/backup";
import { RESTORED } from "#durable/requests/restore";
import { SCHEMA_VERSION } from "#durable/state/migrate";
import { body, type ApiEnv } from "#worker/api/session";
import { log } from "#worker/log";
import { D1_MIGRATIONS } from "#worker/operator/backup";
import { keyCheck } from "#worker/operator/backup-key";
import { missingOf, OF_OBJECT, restorable, type Here } from "#worker/operator/restore-manifest";
import { rowsIn } from "#worker/operator/restore-rows";
import { found, invalid } from "#worker/services/refuse";
import { objectOf } from "#worker/scheduler";

type Call = Context<ApiEnv, "/:org/restore/:id">;

/**
 * A backup comes back in three steps: its manifest, its rows page by page, and the one batch that puts them in the place
 * of the organization's. Until then nothing of the organization has changed but for entries that its logs have lost.
 */
export const restoreApi = new Hono<ApiEnv>()
  .post("/:org/restore", async (c) => {
    const org_id = c.req.param("org");
    const manifest = restorable(await body(c), await hereOf(c));
    const id = `${RESTORED}${crypto.randomUUID()}`;
    await restores(database(c.env.DB), org_id).begin(id, manifest);
    return c.json({ data: { id } }, 201);
  })

  .put("/:org/restore/:id/rows/:table", async (c) => {
    await underWay(c);
    const { table } = c.req.param();
    const rows = rowsIn(table, await c.req.text());
    if (rows.length > 0) await put(c, table, rows);
    return c.json({ success: true });
  })

  .post("/:org/restore/:id/commit", async (c) => {
    const { id, ...begun } = await underWay(c);
    // Its rows may have been on their way for an hour: another key or release may have been deployed since.
    const manifest = restorable(begun.manifest, await hereOf(c));
    const org_id = c.req.param("org");
    const restore = restores(database(c.env.DB), org_id);
    const missing = missingOf(manifest, await restore.counts());
    if (missing !== null) throw new Refusal("conflict", missing);
    await restore.swap(id, audited(c, org_id, id, manifest)).catch(refused);
    try {
      await objectOf(c.env.SCHEDULER, org_id).sync(org_id);
      await restore.end();
    } catch (caught) {
      // It is told by D1's epoch as well, and what it is to take up waits for it.
      log("warn", "scheduler.sync_failed", { org_id, ...causeOf(caught) });
    }
    return c.json({ data: { epoch: id } });
  });

async function hereOf(c: Context<ApiEnv, "/:org/restore">): Promise<Here> {
  return {
    org_id: c.req.param("org"),
    d1_migrations: D1_MIGRATIONS,
    object_migrations: SCHEMA_VERSION,
    key_check: await keyCheck(c.env.SETTINGS_KEY),
  };
}

/** Another restore may have begun since, or this one may be over: 409. */
async function underWay(c: Call) {
  const { org: org_id, id } = c.req.param();
  const restore = found(await restores(database(c.env.DB), org_id).find(), "Restore");
  if (restore.id !== id) throw new Refusal("conflict", BEGUN_SINCE);
  return restore;
}

const BEGUN_SINCE = "Another restore of this organization has begun since.";

async function put(c: Call, table: string, rows: BackupRow[]): Promise<void> {
  const { org: org_id, id } = c.req.param();
  const restore = restores(database(c.env.DB), org_id);
  const first = Number(c.req.query("first") ?? 0);
  if (!Number.isSafeInteger(first) || first < 0) throw invalid("first", "The rows of a table are numbered from 0.");
  if (table.startsWith(OF_OBJECT) && isObjectTable(table.slice(OF_OBJECT.length))) {
    await restore.stage(id, table, first, rows);
    return;
  }
  const of = found(
    IN_BACKUPS.find((one) => one.table === table),
    "Table",
  );
  for (const row of rows) {
    const fault = faultOf(of, org_id, row);
    if (fault !== null) throw invalid("rows", `This is no backup of this organization: ${fault}.`);
  }
  if (of.isLog) await restore.addLog(of, table === "notifications" ? rows.map(unsent) : rows).catch(refused);
  else await restore.stage(id, table, first, rows);
}

/** The message that was to be sent is not part of a backup. */
function unsent(row: BackupRow): BackupRow {
  if (row["status"] !== "pending") return row;
  return { ...row, status: "not_sent", detail: "not sent: it waited when the backup was made that was restored since" };
}

function audited(c: Context<ApiEnv>, org_id: string, id: string, { taken_at, version }: Manifest) {
  return auditEntry(database(c.env.DB), {
    id,
    org_id,
    created_at: new Date().toISOString(),
    actor_id: null,
    actor_email: null,
    actor_role: "operator",
    action: "restored",
    resource_type: "settings",
    resource_id: null,
    details: { after: { backup_taken_at: taken_at, release: version }, by: "npm run restore" },
  });
}

/** What the database refuses by a rule of its own is the backup's fault; it has changed nothing. */
function refused(caught: unknown): never {
  if (isNullRefused(caught, "restores.id")) throw new Refusal("conflict", BEGUN_SINCE);
  const { error: reason } = causeOf(caught);
  if (!/constraint|cannot be changed/i.test(reason)) throw caught;
  log("warn", "restore.refused", { reason });
  throw new Refusal("invalid", "A row of the backup breaks a rule of the database. Nothing was restored.");
}
