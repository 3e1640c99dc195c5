import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

export const schedulesApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.schedules.list() }))
  .post("/", async (c) => c.json({ data: await c.var.services.schedules.create(await body(c)) }, 201))
  .post("/preview", async (c) => c.json({ data: await c.var.services.schedules.preview(await body(c), c.req.query()) }))
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.schedules.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .put("/:id/skip", async (c) =>
    c.json({ data: await c.var.services.schedules.skip(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .put("/:id/unskip", async (c) =>
    c.json({ data: await c.var.services.schedules.unskip(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .put("/:id/cancel", async (c) => {
    await c.var.services.schedules.cancel(c.req.param("id"), ifMatch(c));
    return c.json({ success: true });
  });
