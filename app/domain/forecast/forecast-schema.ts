import { z } from "zod";
import { explanation } from "#domain/resolve/explanation";
import { instant, requiredId } from "#domain/fields/fields";
import { DAY_MS } from "#domain/time/units";

/** How much of the future one call shows, and how far ahead it may lie. */
const MOST_DAYS = 14;
const FURTHEST_DAYS = 366;

/** The devices that a call looks at: an area's, or one. `after` asks for the next page. */
export const lightsQuery = {
  area_id: requiredId("Area must be an id").optional(),
  device_id: requiredId("Device must be an id").optional(),
  after: requiredId("After must be the `next` of a page")
    .optional()
    .describe("The `next` of the page before: continues with that device"),
};

/** A query names an area or a device, not both. */
export function isOnePlace({ area_id, device_id }: { area_id?: string; device_id?: string }): boolean {
  return (area_id === undefined) !== (device_id === undefined);
}
export const ONE_PLACE = { message: "Choose an area or a device", path: ["area_id"] };

const FROM = "From must be an ISO 8601 date and time";
const TO = "To must be an ISO 8601 date and time";

export const forecastQuery = z
  .object({
    ...lightsQuery,
    from: instant(FROM).optional().describe("Now if absent; what is past is left out"),
    to: instant(TO).optional().describe("A day after from if absent; at most 14 days after it"),
  })
  .refine(isOnePlace, ONE_PLACE);
export type ForecastQuery = z.infer<typeof forecastQuery>;

/**
 * The span of a query in epoch ms, or the field and the sentence that say what is wrong with it.
 */
export function forecastSpan(
  query: Pick<ForecastQuery, "from" | "to">,
  now: number,
): { from: number; to: number } | { field: string; detail: string } {
  const from = query.from === undefined ? now : Date.parse(query.from);
  const to = query.to === undefined ? from + DAY_MS : Date.parse(query.to);
  if (to <= from) return { field: "to", detail: "To must be after from" };
  if (to - from > MOST_DAYS * DAY_MS) return { field: "to", detail: `A forecast has at most ${MOST_DAYS} days` };
  if (to > now + FURTHEST_DAYS * DAY_MS) return { field: "to", detail: "A forecast reaches at most a year ahead" };
  return { from, to };
}

export const nextPage = z
  .string()
  .nullable()
  .describe("The first device that is not in this answer, for `after`; null on the last page");

/** Some time in which a light is to be on or off for one reason. */
export const forecastSegment = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  state: z.enum(["on", "off"]),
  reason: explanation.shape.reason,
  sentence: z.string(),
  schedule_ids: z
    .array(z.string())
    .describe("The schedules that light it; of a dark light, those whose windows run then without lighting it"),
});

export const deviceForecast = z
  .object({ device_id: z.string(), segments: z.array(forecastSegment) })
  .meta({ id: "Forecast" });
export type DeviceForecast = z.infer<typeof deviceForecast>;
