import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

export const devicesApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.devices.list() }))
  .get("/:id", async (c) => c.json({ data: await c.var.services.devices.detail(c.req.param("id")) }))
  .post("/", async (c) => c.json({ data: await c.var.services.devices.create(await body(c)) }, 201))
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.devices.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .delete("/:id", async (c) => {
    await c.var.services.devices.remove(c.req.param("id"));
    return c.json({ success: true });
  })
  .get("/:id/explain", async (c) => c.json(await c.var.services.devices.explain(c.req.param("id"))))
  .post("/:id/toggle", async (c) => c.json(await c.var.services.devices.toggle(c.req.param("id"), await body(c))));
