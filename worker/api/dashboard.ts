import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

/** /dashboard (spec 7). */
export const dashboardApi = new Hono<ApiEnv>().get("/", async (c) =>
  c.json({ data: await c.var.services.dashboard.list() }),
);
