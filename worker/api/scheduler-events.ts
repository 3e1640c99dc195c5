import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

export const schedulerEventsApi = new Hono<ApiEnv>().get("/events", async (c) =>
  c.json({ events: await c.var.services.schedulerEvents.list(c.req.query()) }),
);
