import { Hono } from "hono";
import { body, type ApiEnv } from "#worker/api/session";

export const importsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.imports.list() }))
  .get("/:id", async (c) => c.json({ data: await c.var.services.imports.find(c.req.param("id")) }))
  .post("/", async (c) => c.json({ data: await c.var.services.imports.create(await body(c)) }, 201))
  .post("/:id/apply", async (c) => c.json({ data: await c.var.services.imports.apply(c.req.param("id")) }));
