import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

export const historyApi = new Hono<ApiEnv>().get("/events", async (c) =>
  c.json({ data: await c.var.services.history.list(c.req.query()) }),
);
