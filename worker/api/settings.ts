import { Hono } from "hono";
import { body, type ApiEnv } from "#worker/api/session";

/** Settings are bare maps of keys and values. */
export const settingsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json(await c.var.services.settings.findSystem()))
  .post("/", async (c) => {
    const warning = await c.var.services.settings.saveSystem(await body(c));
    return c.json({ success: true, ...(warning && { warnings: [warning] }) });
  })
  .get("/messages", async (c) => c.json(await c.var.services.messageSettings.find()))
  .post("/messages", async (c) => {
    await c.var.services.messageSettings.save(await body(c));
    return c.json({ success: true });
  })
  .post("/messages/test", async (c) => c.json(await c.var.services.messageSettings.testEmail(await body(c))))
  .get("/guardrails", async (c) => c.json(await c.var.services.settings.findGuardrails()))
  .post("/guardrails", async (c) => {
    await c.var.services.settings.saveGuardrails(await body(c));
    return c.json({ success: true });
  });
