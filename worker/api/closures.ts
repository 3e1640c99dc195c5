import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

export const closuresApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.closures.list(c.req.query()) }))
  .post("/", async (c) => c.json({ data: await c.var.services.closures.create(await body(c)) }, 201))
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.closures.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .delete("/:id", async (c) => {
    await c.var.services.closures.remove(c.req.param("id"));
    return c.json({ success: true });
  });
