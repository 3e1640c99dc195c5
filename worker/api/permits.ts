import { Hono } from "hono";
import { body, type ApiEnv } from "#worker/api/session";

export const permitsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.permits.list(c.req.query()) }))
  .post("/", async (c) => c.json({ data: await c.var.services.permits.create(await body(c)) }, 201))
  .delete("/:id", async (c) => {
    await c.var.services.permits.remove(c.req.param("id"));
    return c.json({ success: true });
  });
