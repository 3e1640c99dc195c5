import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

export const healthApi = new Hono<ApiEnv>().get("/hubs", async (c) =>
  c.json({ data: await c.var.services.hubs.health() }),
);
