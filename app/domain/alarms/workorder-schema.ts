import { z } from "zod";
import { oneOf, optionalId, optionalText, requiredText } from "#domain/fields/fields";
import { MAX_DESCRIPTION, MAX_TITLE } from "#domain/fields/limits";
import { WORKORDER_PRIORITIES, WORKORDER_STATUSES } from "#domain/enums";

const REQUIRED = "Workorder title is required";

/** The input of a work order. Absent fields get their default, or stay as they are in an edit. */
export const workorderInput = z.object(
  {
    title: requiredText("Title", MAX_TITLE, REQUIRED),
    description: optionalText("Description", MAX_DESCRIPTION),
    status: oneOf("Status", WORKORDER_STATUSES).optional(),
    priority: oneOf("Priority", WORKORDER_PRIORITIES).optional(),
    dept_id: optionalId("Department"),
    device_id: optionalId("Device"),
    area_id: optionalId("Area"),
    assigned_to: optionalId("Assignee"),
  },
  REQUIRED,
);

export type WorkorderInput = z.infer<typeof workorderInput>;
