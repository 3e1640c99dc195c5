import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

export const nightsApi = new Hono<ApiEnv>().get("/", async (c) =>
  c.json(await c.var.services.nights.list(c.req.query())),
);
