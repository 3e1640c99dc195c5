import { Hono } from "hono";
import { body, type ApiEnv } from "#worker/api/session";

export const connectivityApi = new Hono<ApiEnv>()
  .get("/logs", async (c) => c.json({ data: await c.var.services.connectivity.list(c.req.query()) }))
  .post("/ping-hub", async (c) => c.json(await c.var.services.connectivity.pingHub(await body(c))))
  .post("/status", async (c) => c.json(await c.var.services.connectivity.readState(await body(c))))
  .post("/action", async (c) => c.json(await c.var.services.connectivity.testSwitch(await body(c))));
