import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

/** /admin/webhooks. */
export const webhooksApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.webhooks.list() }))
  .post("/", async (c) => c.json({ data: await c.var.services.webhooks.create(await body(c)) }, 201))
  .get("/deliveries", async (c) => c.json({ data: await c.var.services.webhooks.deliveries(c.req.query()) }))
  .post("/deliveries/:id/send", async (c) => {
    await c.var.services.webhooks.sendAgain(c.req.param("id"));
    return c.json({ success: true });
  })
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.webhooks.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .post("/:id/rotate", async (c) => c.json({ data: await c.var.services.webhooks.rotate(c.req.param("id")) }))
  .post("/:id/test", async (c) => {
    await c.var.services.webhooks.test(c.req.param("id"));
    return c.json({ success: true });
  })
  .delete("/:id", async (c) => {
    await c.var.services.webhooks.remove(c.req.param("id"));
    return c.json({ success: true });
  });
