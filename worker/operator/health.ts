import type { Handler } from "hono";
import { organizationHash } from "#db/organization-hash";
import type { ApiEnv } from "#worker/api/session";
import { problemsOf } from "#worker/configuration/problems";
import { deadmanUrl } from "#worker/deadman";
import { overview } from "#worker/health/overview";

/** The same as /api/health with names, and with what the deployment lacks; 503 unless all is well. */
export const operatorHealth: Handler<ApiEnv> = async (c) => {
  const { env } = c;
  const { schedulers, ...found } = await overview(env, new Date());
  const organizations = schedulers.map(({ org_id, name, state, report }) => ({
    id: organizationHash(org_id, env.SESSION_SECRET),
    org_id,
    name,
    state,
    ...report,
  }));
  const settings = {
    problems: problemsOf(env).map(({ name, sentence, stops }) => ({ name, sentence, stops })),
    deadman: deadmanUrl(env.DEADMAN_URL) !== null,
    metrics: Boolean(env.METRICS),
  };
  return c.json({ ...found, settings, organizations }, found.status === "ok" ? 200 : 503);
};
