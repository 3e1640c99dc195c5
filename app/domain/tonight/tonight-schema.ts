import { z } from "zod";
import { requiredId } from "#domain/fields/fields";
import { toLocalInput } from "#domain/time/display";
import { listQuery } from "#domain/lists/list-query";
import { nightSpan } from "./night-schema";
import { dateAfter } from "#domain/time/date-after";
import { furthestDate, type NightFrame } from "./tonight-frame";

/** The screen's query string; `open` is an area whose lights are shown whether or not the others' fit. */
export const tonightQuery = listQuery.extend({
  date: z.string().optional(),
  open: requiredId("Area must be an id").optional().catch(undefined),
});

export const areaLightsQuery = z.object({ area_id: requiredId("Area must be an id"), date: z.string().optional() });

/**
 * The night of a date ('YYYY-MM-DD'), by default the one that runs, without its sun. Null for what is no date, and for one
 * that is further ahead than a forecast of a page looks. `now` is epoch ms.
 */
export function frameOf(date: string | undefined, zone: string, now: number): NightFrame | null {
  const running = nightSpan(undefined, zone, now);
  const isDate = date === undefined || z.iso.date().safeParse(date).success;
  const span = isDate ? nightSpan(date, zone, now) : null;
  if (running === null || span === null) return null;
  const day = toLocalInput(span.from, zone).date;
  const furthest = furthestDate(zone, now);
  if (day > furthest) return null;
  const kind = span.from === running.from ? "running" : span.from < running.from ? "past" : "coming";
  const next = dateAfter(day, 1);
  return {
    date: day,
    ...span,
    kind,
    sunset: null,
    sunrise: null,
    previous: dateAfter(day, -1),
    next: next > furthest ? null : next,
  };
}
