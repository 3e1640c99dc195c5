import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

/** /admin/agents. */
export const agentsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.agents.list() }))
  .post("/", async (c) => c.json({ data: await c.var.services.agents.create(await body(c)) }, 201))
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.agents.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .post("/:id/rotate", async (c) => c.json({ data: await c.var.services.agents.rotate(c.req.param("id")) }))
  .post("/:id/revoke", async (c) => c.json({ data: await c.var.services.agents.revoke(c.req.param("id")) }))
  .delete("/:id", async (c) => {
    await c.var.services.agents.remove(c.req.param("id"));
    return c.json({ success: true });
  });
