import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

export const forecastApi = new Hono<ApiEnv>().get("/", async (c) =>
  c.json(await c.var.services.forecast.list(c.req.query())),
);
