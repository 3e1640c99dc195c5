import { Hono } from "hono";
import { body, type ApiEnv } from "#worker/api/session";

export const hubAccountApi = new Hono<ApiEnv>()
  .get("/devices", async (c) => c.json({ data: await c.var.services.hubAccount.list(c.req.query()) }))
  .post("/devices", async (c) => c.json({ data: await c.var.services.hubAccount.add(await body(c)) }, 201));
