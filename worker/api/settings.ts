import { Hono } from "hono";
import { body, type ApiEnv } from "#worker/api/session";

/** /admin/settings and /admin/settings/guardrails (spec 7): bare maps (decision 12). */
export const settingsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json(await c.var.services.settings.findSystem()))
  .post("/", async (c) => {
    await c.var.services.settings.saveSystem(await body(c));
    return c.json({ success: true });
  })
  .get("/guardrails", async (c) => c.json(await c.var.services.settings.findGuardrails()))
  .post("/guardrails", async (c) => {
    await c.var.services.settings.saveGuardrails(await body(c));
    return c.json({ success: true });
  });
