import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

export const notificationsApi = new Hono<ApiEnv>().get("/", async (c) =>
  c.json({ data: await c.var.services.notifications.list(c.req.query()) }),
);
