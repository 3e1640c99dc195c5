import { Hono, type Context } from "hono";
import { calendarText } from "#domain/schedule/calendar-text";
import { body, ifMatch, type ApiEnv } from "#worker/api/session";

export const calendarsApi = new Hono<ApiEnv>()
  .get("/", async (c) => c.json({ data: await c.var.services.calendars.list() }))
  .post("/", async (c) => c.json({ data: await c.var.services.calendars.create(await body(c)) }, 201))
  .put("/:id", async (c) =>
    c.json({ data: await c.var.services.calendars.save(c.req.param("id"), await body(c), ifMatch(c)) }),
  )
  .post("/:id/import", async (c) =>
    c.json({ data: await c.var.services.calendars.importFile(c.req.param("id"), await file(c), ifMatch(c)) }),
  )
  .delete("/:id", async (c) => {
    await c.var.services.calendars.remove(c.req.param("id"));
    return c.json({ success: true });
  });

/** The file as it is, or as JSON. */
async function file(c: Context<ApiEnv>): Promise<unknown> {
  const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "text/calendar") return body(c);
  return { ics: calendarText(await c.req.arrayBuffer()) };
}
