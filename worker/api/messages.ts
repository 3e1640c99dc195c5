import { Hono } from "hono";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

/** /messages. */
export const messagesApi = new Hono<ApiEnv>()
  .get("/mine", async (c) => c.json({ data: await c.var.services.messageChoices.find() }))
  .put("/mine", async (c) => c.json({ data: await c.var.services.messageChoices.save(await body(c), ifMatch(c)) }))
  .post("/mine/test", async (c) => c.json(await c.var.services.messageChoices.test()))
  .get("/people", async (c) => c.json({ data: await c.var.services.messageChoices.everyone() }));
