import { z } from "zod";
import { fromLocalInput } from "#domain/time/display";
import { DEVICE_STATES } from "#domain/enums";
import { forecastSegment, isOnePlace, lightsQuery, ONE_PLACE } from "#domain/forecast/forecast-schema";
import { dateAfter } from "#domain/time/date-after";
import { runningDate } from "./tonight-frame";

const DATE = "Date must be a day, YYYY-MM-DD";

export const nightQuery = z
  .object({
    ...lightsQuery,
    date: z.iso
      .date(DATE)
      .optional()
      .describe("The day on whose noon the night begins, in the city's time zone; the latest one if absent"),
  })
  .refine(isOnePlace, ONE_PLACE);

/**
 * From noon to noon of a day ('YYYY-MM-DD') in the city's zone, in epoch ms; without a day, the night that runs. Null for what
 * is no day, and for the last one that four digits can name.
 */
export function nightSpan(date: string | undefined, zone: string, now: number): { from: number; to: number } | null {
  const day = date ?? runningDate(zone, now);
  const [from, to] = [day, dateAfter(day, 1)].map((noon) => fromLocalInput({ date: noon, time: "12:00" }, zone));
  return from === undefined || from === null || to === undefined || to === null ? null : { from, to };
}

/** What was wanted of a light in one night, and what became of it. */
export const night = z
  .object({
    device_id: z.string(),
    device_name: z.string(),
    planned: z.array(forecastSegment).describe("What the engine wanted then, as it wanted it then"),
    verified: z
      .array(z.object({ from: z.iso.datetime(), to: z.iso.datetime(), state: z.enum(DEVICE_STATES) }))
      .describe("What readings said; unknown before the first one and where the light could not be read"),
    minutes: z.object({
      lit: z.int(),
      lit_unwanted: z.int().describe("Lit though nobody wanted it"),
      dark_booked: z.int().describe("Dark though somebody had booked it: closed, refused, switched off or failed"),
      dark_failed: z.int().describe("Dark though it was wanted on, by a booking or a person"),
    }),
  })
  .meta({ id: "Night" });
export type Night = z.infer<typeof night>;
