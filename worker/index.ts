import { Hono } from "hono";
import { AGENT_PATH } from "#domain/agent/frames";
import { LIVE_PATH } from "#domain/lists/live";
import { agentSocket } from "#worker/agent-socket";
import { api } from "#worker/api/index";
import { requestGuards, securityHeaders } from "#worker/api/request-guards";
import { onError } from "#worker/api/on-error";
import type { ApiEnv } from "#worker/api/session";
import { configured, reportProblems } from "#worker/configuration/guard";
import type { Bindings } from "#worker/wiring";
import { live } from "#worker/live";
import { operator } from "#worker/operator/index";
import { pages } from "#worker/pages";
import { archiveLogs, pruneOldRecords, sweep } from "#worker/sweep";

export { OrgScheduler } from "#durable/org-scheduler";
export { Runner } from "#durable/runner";

/** The second and third of wrangler.toml's crons; the first is the sweep. */
const DAILY = "17 11 * * *";
const ARCHIVE_ON = "27-57/10 11 * * *";

const app = new Hono<ApiEnv>()
  .use(securityHeaders, requestGuards, configured)
  .all(AGENT_PATH, agentSocket)
  .route("/", operator)
  .route("/", api)
  .get(LIVE_PATH, live)
  .all("*", pages)
  .onError(onError);

export default {
  fetch: app.fetch,
  scheduled: async ({ cron }, env) => {
    reportProblems(env); // each time: a log that is only looked at now and then must have them
    if (cron === DAILY) await pruneOldRecords(env);
    if (cron === DAILY || cron === ARCHIVE_ON) await archiveLogs(env);
    else await sweep(env);
  },
} satisfies ExportedHandler<Bindings>;
