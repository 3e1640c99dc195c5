import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

/** /history/events (spec 7). */
export const historyApi = new Hono<ApiEnv>().get("/events", async (c) =>
  c.json({ data: await c.var.services.history.list(c.req.query()) }),
);
