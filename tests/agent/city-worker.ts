import { Hono } from "hono";
import { AGENT_PATH } from "#domain/agent/frames";
import { OrgScheduler as Real } from "#durable/org-scheduler";
import { agentSocket } from "#worker/agent-socket";
import type { ApiEnv } from "#worker/api/session";
import { onError } from "#worker/api/on-error";
import { OFFSET_MS, shiftDate } from "#tests/support/clock";
import { shiftAlarms } from "#tests/support/shift-alarms";

export { Runner } from "#durable/runner";

// The agent, in the process of the tests, goes by the run's clock, too.
shiftDate(OFFSET_MS);

/** How often the object was built, and how often an agent has come: neither question wakes it. */
const counted = { built: 0, opened: 0 };

export class OrgScheduler extends Real {
  constructor(ctx: DurableObjectState, env: Env) {
    super(shiftAlarms(ctx), env);
    counted.built += 1;
  }
}

const app = new Hono<ApiEnv>()
  .get("/counted", (c) => c.json(counted))
  .post("/sync/:org_id", async (c) => {
    const org_id = c.req.param("org_id");
    await c.env.SCHEDULER.get(c.env.SCHEDULER.idFromName(org_id)).sync(org_id);
    return c.body(null, 204);
  })
  .all(AGENT_PATH, async (c, next) => {
    counted.opened += 1;
    return agentSocket(c, next);
  })
  .onError(onError);

// oxlint-disable-next-line import/no-default-export -- a worker is its module's default export
export default app;
