import { Hono } from "hono";
import type { ApiEnv } from "#worker/api/session";

const CSV = { "Content-Type": "text/csv; charset=utf-8" };

export const inventoryApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.body(await c.var.services.imports.inventory(), 200, CSV))
  .get("/template", async (c) => c.body(await c.var.services.imports.template(), 200, CSV));
