import { env } from "cloudflare:test";
import { auditEntry } from "#db/audit";
import { backups, type BackupRow } from "#db/backup";
import { IN_BACKUPS } from "#db/backup-tables";
import { database } from "#db/database";
import { parts } from "#db/parts";
import { restores } from "#db/restore";
import { backupPage, isObjectTable } from "#durable/requests/backup";
import { RESTORED } from "#durable/requests/restore";
import { OBJECT_IN_BACKUPS } from "#durable/state/backup-tables";
import type { World } from "./engine";

export type Dump = { org_id: string; rows: Map<string, BackupRow[]> };

/** As much as travels at once from the operator's files: a value of D1 holds 2 MB. */
const CHARACTERS_A_PART = 1_000_000;

let n = 0;

/** What the operator's door reads of an organization, D1 and object, at an instant of a world's clock. */
export async function dumpOf(world: World): Promise<Dump> {
  const { org_id } = world;
  await world.wire.drain();
  const rows = new Map<string, BackupRow[]>();
  for (const of of IN_BACKUPS) {
    const all: BackupRow[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page = await backups(database(env.DB), org_id).page(of, after);
      all.push(...page.rows);
      after = page.next;
    }
    rows.set(of.table, all);
  }
  for (const table of Object.keys(OBJECT_IN_BACKUPS).filter(isObjectTable)) {
    const all: BackupRow[] = [];
    let after: string | null = null;
    do {
      const page = backupPage(world.context, table, after);
      all.push(...JSON.parse(JSON.stringify(page.rows)));
      after = page.next;
    } while (after !== null);
    rows.set(`object.${table}`, all);
  }
  return { org_id, rows };
}

/** Does with it what the operator's door does. Nobody has told the engine; `id` is the new epoch. */
export async function bringBack(
  { org_id, rows }: Dump,
  now: number,
  id = `${RESTORED}${org_id}-${(n += 1)}`,
): Promise<void> {
  const restore = restores(database(env.DB), org_id);
  await restore.begin(id, {
    format: 1,
    version: "1.0.0",
    organization: { id: org_id, name: org_id },
    taken_at: new Date(now).toISOString(),
    migrations: { database: 0, object: 0 },
    key_check: "",
    files: [],
  });
  for (const [table, all] of rows) {
    const log = IN_BACKUPS.find((of) => of.table === table && of.isLog);
    let from = 0;
    for (const part of parts(all, CHARACTERS_A_PART)) {
      if (log) await restore.addLog(log, part);
      else await restore.stage(id, table, from, part);
      from += part.length;
    }
  }
  await restore.swap(
    id,
    auditEntry(database(env.DB), {
      id: crypto.randomUUID(), // a seed lives twice, and entries are kept
      org_id,
      created_at: new Date(now).toISOString(),
      actor_id: null,
      actor_email: null,
      actor_role: "operator",
      action: "restored",
      resource_type: "settings",
      resource_id: null,
      details: {},
    }),
  );
}

/** The deployment has lost the organization: another begins with an empty database. */
export async function loseAll(org_id: string): Promise<void> {
  const logs = IN_BACKUPS.filter(({ isLog, table }) => (isLog || table === "alarms") && table !== "audit_logs");
  await env.DB.batch([
    env.DB.prepare("DELETE FROM organizations WHERE id = ?").bind(org_id),
    ...logs.map(({ table }) => env.DB.prepare(`DELETE FROM ${table} WHERE org_id = ?`).bind(org_id)),
  ]);
}
