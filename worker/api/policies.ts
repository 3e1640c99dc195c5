import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

export const policiesApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.policies.list() }))
  .put("/:scope/:id", async (c) => {
    const { scope, id } = c.req.param();
    return c.json({ data: await c.var.services.policies.save(scope, id, await body(c), ifMatch(c)) });
  })
  .delete("/:scope/:id", async (c) => {
    const { scope, id } = c.req.param();
    await c.var.services.policies.remove(scope, id);
    return c.json({ success: true });
  });
