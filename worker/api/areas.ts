import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

export const areasApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.areas.list() }))
  .get("/:id", async (c) => c.json({ data: await c.var.services.areas.detail(c.req.param("id")) }))
  .get("/:id/guardrails", async (c) => c.json({ data: await c.var.services.areas.guardrails(c.req.param("id")) }))
  .post("/", async (c) => c.json({ data: await c.var.services.areas.create(await body(c)) }, 201))
  .post("/:id/toggle", async (c) =>
    c.json({ data: await c.var.services.areas.toggle(c.req.param("id"), await body(c)) }),
  )
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.areas.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .delete("/:id", async (c) => {
    await c.var.services.areas.remove(c.req.param("id"));
    return c.json({ success: true });
  });
