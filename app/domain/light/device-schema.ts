import { z } from "zod";
import {
  oneOf,
  optionalId,
  optionalLine,
  optionalText,
  requiredId,
  requiredText,
  wholeNumberOrText,
} from "#domain/fields/fields";
import { MAX_NAME, MAX_NOTES, MAX_RESTRIKE_MIN } from "#domain/fields/limits";
import { SWITCH_ACTIONS } from "#domain/enums";

const REQUIRED = "Device name and area are required";

/** The input of a device. Absent fields are null (0 minutes), or stay as they are in an edit. */
export const deviceInput = z.object(
  {
    name: requiredText("Device name", MAX_NAME, REQUIRED),
    area_id: requiredId(REQUIRED),
    hub_id: optionalId("Hub"),
    dept_id: optionalId("Department"),
    model: optionalLine("Model", MAX_NAME),
    cloud_device_id: optionalLine("Cloud ID", MAX_NAME),
    local_ref: optionalLine("Local reference", MAX_NAME),
    on_payload: optionalText("ON payload", MAX_NOTES),
    off_payload: optionalText("OFF payload", MAX_NOTES),
    notes: optionalText("Notes", MAX_NOTES),
    restrike_min: wholeNumberOrText("Minutes to cool", { min: 0, max: MAX_RESTRIKE_MIN }).optional(),
  },
  REQUIRED,
);

export type DeviceInput = z.infer<typeof deviceInput>;

export const switchAction = oneOf("Action", SWITCH_ACTIONS);
