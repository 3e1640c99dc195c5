import { z } from "zod";
import { oneOf, optionalId } from "#domain/fields/fields";
import { groupDevices } from "./group-schema";
import { TARGET_TYPES, type Target } from "./target";
import { TARGET_REQUIRED } from "./target-schema";

/** Several ticked devices, which become a group without a name. */
export type Ticked = { type: "group"; device_ids: string[] };

/** What a schedule is asked to be for: a device, a group or an area by its id, or several devices. */
export const targetAsked = z
  .object(
    {
      type: oneOf("Target type", TARGET_TYPES),
      id: optionalId("Target"),
      device_ids: groupDevices.optional().describe("Instead of id, with the type group: several devices of the area"),
    },
    TARGET_REQUIRED,
  )
  .transform(({ type, id, device_ids }, context): Target | Ticked => {
    if (id) return { type, id };
    if (type === "group" && device_ids) return { type, device_ids };
    context.addIssue(TARGET_REQUIRED);
    return z.NEVER;
  })
  .nullable()
  .optional();
