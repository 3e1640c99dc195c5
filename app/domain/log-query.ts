import { z } from "zod";
import { instant, requiredId } from "./fields";

const LIMIT = "Limit must be a whole number from 1 to 1000";
const SINCE = "Since must be an ISO 8601 date and time";

/** The query of a log (spec 7, decision 14): how many of the latest, and which. */
const limit = z
  .string(LIMIT)
  .regex(/^\d{1,4}$/, LIMIT)
  .transform(Number)
  .pipe(z.int(LIMIT).min(1, LIMIT).max(1000, LIMIT))
  .default(100);

const since = z.union([instant(SINCE), z.iso.date().transform((day) => `${day}T00:00:00.000Z`)], SINCE);

export const logQuery = z.object({ limit });

export const schedulerEventQuery = z.object({
  limit,
  device_id: requiredId("Device must be an id").optional(),
  since: since.optional(),
});

export const historyQuery = z.object({
  limit,
  device_id: requiredId("Device must be an id").optional(),
  area_id: requiredId("Area must be an id").optional(),
});

export type SchedulerEventQuery = z.infer<typeof schedulerEventQuery>;
export type HistoryQuery = z.infer<typeof historyQuery>;
