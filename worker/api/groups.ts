import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

export const groupsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.groups.list() }))
  .post("/", async (c) => c.json({ data: await c.var.services.groups.create(await body(c)) }, 201))
  .post("/:id/toggle", async (c) =>
    c.json({ data: await c.var.services.groups.toggle(c.req.param("id"), await body(c)) }),
  )
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.groups.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .delete("/:id", async (c) => {
    await c.var.services.groups.remove(c.req.param("id"));
    return c.json({ success: true });
  });
