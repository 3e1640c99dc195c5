import { z } from "zod";
import { oneOf, requiredId } from "#domain/fields/fields";
import { TARGET_TYPES } from "./target";

export const TARGET_REQUIRED = "Choose a device, a group or an area";

/** What a schedule, a permit or a closure is for, as it is sent. */
export const targetInput = z.object(
  { type: oneOf("Target type", TARGET_TYPES), id: requiredId(TARGET_REQUIRED) },
  TARGET_REQUIRED,
);

/** The same as it is answered: with its name ('All lights' for an area) and the number of its devices. */
export const namedTarget = z
  .object({ type: z.enum(TARGET_TYPES), id: z.string(), name: z.string(), devices: z.int().min(0) })
  .meta({ id: "Target" });
export type NamedTarget = z.infer<typeof namedTarget>;
