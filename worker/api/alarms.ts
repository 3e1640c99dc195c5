import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

export const alarmsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json(await c.var.services.alarms.list(c.req.query())))
  .put("/acknowledge", async (c) => c.json({ acknowledged: await c.var.services.alarms.acknowledgeAll(await body(c)) }))
  .put("/:id/acknowledge", async (c) =>
    c.json({ data: await c.var.services.alarms.acknowledge(c.req.param("id"), ifMatch(c)) }),
  )
  .put("/:id/assign", async (c) =>
    c.json({ data: await c.var.services.alarms.assign(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .post("/:id/workorder", async (c) =>
    c.json({ data: await c.var.services.alarms.makeWorkorder(c.req.param("id")) }, 201),
  );
