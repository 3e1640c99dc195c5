import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

/** /users. */
export const usersApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.users.list() }))
  .post("/", async (c) => c.json({ data: await c.var.services.users.invite(await body(c)) }, 201))
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.users.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .delete("/:id", async (c) => {
    await c.var.services.users.remove(c.req.param("id"));
    return c.json({ success: true });
  })
  .post("/:id/password", async (c) => c.json({ data: await c.var.services.users.resetPassword(c.req.param("id")) }));
