import { z } from "zod";
import { requiredId } from "#domain/fields/fields";

export const previewQuery = z.object({
  id: requiredId("Schedule must be an id").optional().describe("The schedule that is edited; a new one if absent"),
});

/** What saving a schedule would come to. */
export const schedulePreview = z
  .object({
    count: z
      .int()
      .nullable()
      .describe("How many windows are still to come; null if it never ends, or not within ten years"),
    next: z.array(
      z.object({
        start_at: z.iso.datetime(),
        end_at: z.iso.datetime(),
        lit: z
          .array(z.object({ from: z.iso.datetime(), to: z.iso.datetime() }))
          .describe("When any of the lights is on in it"),
        limits: z.array(z.string()).describe("Why lights stay dark in it: '2 of 8 lights: closed: wet ground'"),
      }),
    ),
    conflicts: z.array(
      z.object({
        schedule_id: z.string().nullable().describe("Null for one that you may not see"),
        title: z.string(),
        start_at: z.iso.datetime(),
        end_at: z.iso.datetime(),
      }),
    ),
    warnings: z.array(z.string()),
  })
  .meta({ id: "SchedulePreview" });
export type SchedulePreview = z.infer<typeof schedulePreview>;
