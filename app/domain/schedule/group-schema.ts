import { z } from "zod";
import { requiredId, requiredText } from "#domain/fields/fields";
import { MAX_GROUP, MAX_NAME } from "#domain/fields/limits";

const REQUIRED = "Group name and area are required";
const DEVICES = `Choose 1 to ${MAX_GROUP} devices`;

/** The devices of a group by their ids, each once. */
export const groupDevices = z
  .array(requiredId(DEVICES), DEVICES)
  .min(1, DEVICES)
  .max(MAX_GROUP, DEVICES)
  .transform((ids) => [...new Set(ids)]);

/** The input of a group. */
export const groupInput = z.object(
  { area_id: requiredId(REQUIRED), name: requiredText("Group name", MAX_NAME, REQUIRED), device_ids: groupDevices },
  REQUIRED,
);

export type GroupInput = z.infer<typeof groupInput>;
