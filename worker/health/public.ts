import type { Handler } from "hono";
import { organizationHash } from "#db/organization-hash";
import type { PublicHealth } from "#domain/alarms/scheduler-health";
import type { ApiEnv } from "#worker/api/session";
import { overview } from "#worker/health/overview";

/** How the deployment is, for whoever watches it: 503 unless all is well. Organizations are named by a keyed hash. */
export const publicHealth: Handler<ApiEnv> = async (c) => {
  const { schedulers, ...found } = await overview(c.env, new Date());
  const organizations = schedulers.map(({ org_id, state, report }) => {
    const { as_of, overdue, last_tick_age_sec, outbox } = report ?? {};
    return { id: organizationHash(org_id, c.env.SESSION_SECRET), state, as_of, overdue, last_tick_age_sec, outbox };
  });
  return c.json({ ...found, organizations } satisfies PublicHealth, found.status === "ok" ? 200 : 503);
};
