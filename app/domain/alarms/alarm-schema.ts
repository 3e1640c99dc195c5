import { z } from "zod";
import { ALARM_STATES } from "#domain/enums";
import { oneOf, optionalId, requiredId, wholeNumberOrText } from "#domain/fields/fields";
import { maybe } from "#domain/lists/list-query";

const PAGE = "Page must be a whole number from 1";

/** Which alarms an API call wants: open ones, where it does not say. */
export const alarmQuery = z.object({
  state: oneOf("State", ALARM_STATES).default("open"),
  area_id: requiredId("Area must be an id").optional(),
  page: z
    .string(PAGE)
    .regex(/^[1-9]\d{0,5}$/, PAGE)
    .transform(Number)
    .default(1),
});
export type AlarmQuery = z.infer<typeof alarmQuery>;

/**
 * Which alarms a screen shows. `behind` null: without those of lights that a silent hub explains; an id: those behind that
 * hub only.
 */
export type AlarmScreenQuery = AlarmQuery & { behind: string | null };

/** The same of a screen's query string, whose unknown values are ignored. */
export const alarmScreenQuery = z
  .object({
    tab: maybe(ALARM_STATES),
    area: requiredId("").optional().catch(undefined),
    hub: requiredId("").optional().catch(undefined),
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  })
  .transform(({ tab = "open", area: area_id, hub: behind = null, page }): AlarmScreenQuery => ({
    state: tab,
    area_id,
    behind,
    page,
  }));

/**
 * Which open alarms somebody has seen all at once: those of an area, or all, that the engine had told by `told_until`, as the
 * list said. What opened or changed since, nobody has seen.
 */
export const acknowledgeAllInput = z.object(
  {
    told_until: wholeNumberOrText("Told until", { min: 0, max: Number.MAX_SAFE_INTEGER }),
    area_id: optionalId("Area"),
  },
  "Told until is required",
);
export type AcknowledgeAll = z.infer<typeof acknowledgeAllInput>;

/** Who sees to an alarm; null for nobody. */
export const assignInput = z.object({ assigned_to: optionalId("Assignee") }, "Assignee is required");
