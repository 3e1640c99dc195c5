import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

/** /departments. */
export const departmentsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.departments.list() }))
  .post("/", async (c) => c.json({ data: await c.var.services.departments.create(await body(c)) }, 201))
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.departments.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .delete("/:id", async (c) => {
    await c.var.services.departments.remove(c.req.param("id"));
    return c.json({ success: true });
  })
  .get("/:id/members", async (c) => c.json({ data: await c.var.services.departments.members(c.req.param("id")) }))
  .post("/:id/members", async (c) =>
    c.json({ data: await c.var.services.departments.addMember(c.req.param("id"), await body(c)) }, 201),
  )
  .delete("/:id/members/:user_id", async (c) => {
    await c.var.services.departments.removeMember(c.req.param("id"), c.req.param("user_id"));
    return c.json({ success: true });
  });
