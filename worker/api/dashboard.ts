import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

export const dashboardApi = new Hono<ApiEnv>().get("/", async (c) =>
  c.json({ data: await c.var.services.dashboard.list() }),
);
