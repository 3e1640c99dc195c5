import { z } from "zod";
import { flag, oneOf, requiredId, requiredText } from "#domain/fields/fields";
import { MAX_NAME } from "#domain/fields/limits";
import { emailField } from "./login-schema";
import { DEPT_ROLES, ORG_MEMBERSHIP_ROLES } from "#domain/enums";

export const departmentInput = z.object({
  name: requiredText("Department name", MAX_NAME, "Department name is required"),
});

/** The department is in the path; the body may repeat it. */
export const memberInput = z.object({
  user_id: requiredId("Please select a user"),
  dept_id: z.string("Department must be an id").optional(),
  role: oneOf("Role", DEPT_ROLES).default("dept_staff"),
});

export const userInvite = z.object({
  email: emailField,
  role: oneOf("Role", ORG_MEMBERSHIP_ROLES).default("employee"),
});

/** Absent fields stay as they are. */
export const userChange = z.object({
  role: oneOf("Role", ORG_MEMBERSHIP_ROLES).optional(),
  active: flag("Active").optional(),
});
