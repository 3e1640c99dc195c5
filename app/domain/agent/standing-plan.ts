import { z } from "zod";
import { lampAddress } from "./frames";

const span = z.tuple([z.number().int(), z.number().int()]).describe("From and to, epoch ms");

/** What a version of this program can execute; a plan of another is not executed. */
export const PLAN_SCHEMA = 1;

const lamp = z.object({
  device: z.string().min(1),
  hub: z.string().min(1),
  address: lampAddress,
  on: z.array(span),
  dark: z.array(span),
  max_on_ms: z.number().int().positive().nullable(),
  lit_by_us: z.boolean(),
  /** Whether each ON sets the lamp's own timer: not where the cloud reaches it, too. Plans of before did not say so. */
  has_off_timer: z.boolean().default(true),
});
export type PlannedLamp = z.infer<typeof lamp>;

/**
 * What an agent does by itself while the city cannot be reached: for each lamp when it is to be on, when it must be dark
 * whatever else, and how long it may be on at most. Instants are epoch ms; nothing in it needs a zone or a rule.
 */
export const standingPlan = z.object({
  schema: z.literal(PLAN_SCHEMA),
  agent: z.string().min(1),
  rev: z.number().int().nonnegative(),
  issued: z.number().int(),
  expires: z.number().int(),
  lamps: z.array(lamp),
});
export type StandingPlan = z.infer<typeof standingPlan>;
