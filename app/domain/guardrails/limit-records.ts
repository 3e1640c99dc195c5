import { z } from "zod";
import { AREA_TYPES, POLICY_SCOPES } from "#domain/enums";
import { POLICY_SOURCES } from "./policy";
import { namedTarget } from "#domain/schedule/target-schema";

const instant = z.iso.datetime();

const values = {
  HARD_CURFEW_OFF: z.string().nullable().describe("HH:MM; empty for none, null to inherit it with the blackout"),
  BLACKOUT_WINDOW: z.string().nullable().describe("HH:MM-HH:MM; empty for none, null to inherit it with the curfew"),
  MAX_ON_DURATION_MIN: z.int().nullable().describe("0 for none, null to inherit"),
};

/** The guardrails of an area type, an area or a group. */
export const policy = z
  .object({
    scope: z.enum(POLICY_SCOPES),
    id: z.union([z.enum(AREA_TYPES), z.string()]).describe("The area type, or the id of the area or group"),
    name: z.string(),
    ...values,
    version: z.int(),
  })
  .meta({ id: "Policy" });
export type Policy = z.infer<typeof policy>;

const source = z.enum(POLICY_SOURCES);
const inForce = {
  HARD_CURFEW_OFF: z.object({ value: z.string(), source }),
  BLACKOUT_WINDOW: z.object({ value: z.string(), source }),
  MAX_ON_DURATION_MIN: z.object({ value: z.int(), source }),
  words: z.string().describe("'Dark 10:00 PM - 5:00 AM, at most 4 h'"),
};

/** The guardrails in force in an area, and in those of its groups that have a policy of their own. */
export const areaGuardrails = z
  .object({ ...inForce, groups: z.array(z.object({ id: z.string(), name: z.string(), ...inForce })) })
  .meta({ id: "AreaGuardrails" });
export type AreaGuardrails = z.infer<typeof areaGuardrails>;

const placed = {
  id: z.string(),
  version: z.int(),
  created_at: instant,
  updated_at: instant,
  target: namedTarget,
  area_id: z.string(),
  area_name: z.string(),
  from: instant,
};

/** A time in which the dark time and max on do not apply to its target. */
export const permit = z
  .object({ ...placed, to: instant, reason: z.string(), created_by: z.string().describe("An e-mail address") })
  .meta({ id: "Permit" });
export type Permit = z.infer<typeof permit>;

export const permitMade = z
  .object({ ...permit.shape, warnings: z.array(z.string()).describe("What people may not expect, in sentences") })
  .meta({ id: "PermitMade" });
export type PermitMade = z.infer<typeof permitMade>;

/** A time in which its target stays dark. */
export const closure = z
  .object({
    ...placed,
    to: instant.nullable().describe("Null until somebody says when it is reopened"),
    reason: z.string(),
    created_by: z.string().describe("An e-mail address"),
  })
  .meta({ id: "Closure" });
export type Closure = z.infer<typeof closure>;
