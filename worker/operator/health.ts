import type { Handler } from "hono";
import { archiveHealth } from "#db/archive-health";
import { database } from "#db/database";
import { organizationHash } from "#db/organization-hash";
import type { ApiEnv } from "#worker/api/session";
import { problemsOf } from "#worker/configuration/problems";
import { deadmanUrl } from "#worker/deadman";
import type { Bindings } from "#worker/wiring";
import { withPatience } from "#worker/patience";
import { overview } from "#worker/health/overview";

/** The same as /api/health with names, and with what the deployment lacks; 503 unless all is well. */
export const operatorHealth: Handler<ApiEnv> = async (c) => {
  const { env } = c;
  const [{ schedulers, ...found }, archives] = await Promise.all([overview(env, new Date()), archivesOf(env)]);
  const organizations = schedulers.map(({ org_id, name, state, report }) => ({
    id: organizationHash(org_id, env.SESSION_SECRET),
    org_id,
    name,
    state,
    ...report,
    archive: archives.get(org_id) ?? null,
  }));
  const settings = {
    problems: problemsOf(env).map(({ name, sentence, stops }) => ({ name, sentence, stops })),
    deadman: deadmanUrl(env.DEADMAN_URL) !== null,
    metrics: Boolean(env.METRICS),
    archive: Boolean(env.ARCHIVE),
  };
  return c.json({ ...found, settings, organizations }, found.status === "ok" ? 200 : 503);
};

/** By organization, how far its logs were moved to the archive; of none where the database does not answer, which is told anyway. */
async function archivesOf({ DB }: Pick<Bindings, "DB">) {
  const rows = await withPatience(archiveHealth(database(DB)).list(), ARCHIVE_PATIENCE_MS).catch(() => []);
  return new Map(rows.map(({ org_id, ...archive }) => [org_id, archive]));
}

const ARCHIVE_PATIENCE_MS = 3_000;
