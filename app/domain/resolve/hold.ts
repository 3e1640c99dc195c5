import { z } from "zod";
import { SWITCH_ACTIONS } from "#domain/enums";

/** What a person asked of a light until an end (ISO), and why; `by` is their e-mail address. */
export const hold = z
  .object({
    action: z.enum(SWITCH_ACTIONS),
    until: z.iso.datetime(),
    reason: z.string().nullable(),
    by: z.string(),
    emergency: z.boolean(),
  })
  .meta({ id: "Hold" });
export type Hold = z.infer<typeof hold>;
