import { z } from "zod";
import { parseJson } from "#domain/fields/json";
import { PLAN_SCHEMA, standingPlan, type StandingPlan } from "./standing-plan";

/** A plan is valid for so long. */
export const PLAN_LASTS_MS = 48 * 3_600_000;

const versioned = z.looseObject({ schema: z.number().int() });

/** `why` is a sentence for people. */
export type TakenPlan = { ok: true; plan: StandingPlan } | { ok: false; why: string };

/**
 * Judges a plan that has come: `isSigned` says whether its signature was made with the key that the agent was enrolled
 * with, `held` is the revision of the plan that it has. That revision is taken again, an older one is not.
 */
export function takePlan(
  { body, rev, isSigned }: { body: string; rev: number; isSigned: boolean },
  { agent, held }: { agent: string; held: number | null },
): TakenPlan {
  if (!isSigned) return no("The plan's signature is not that of the city: enroll the agent anew");
  const json = parseJson(body);
  const version = versioned.safeParse(json);
  if (version.success && version.data.schema !== PLAN_SCHEMA)
    return no(`The plan has schema ${version.data.schema}, this agent knows ${PLAN_SCHEMA}: install the other version`);
  const parsed = standingPlan.safeParse(json);
  if (!parsed.success) return no("The plan is not one");
  const plan = parsed.data;
  if (plan.agent !== agent) return no("The plan is another agent's");
  if (plan.rev !== rev) return no("The plan's revision is not the one that was announced");
  if (held !== null && plan.rev < held) return no(`The plan has revision ${plan.rev}, older than ${held}`);
  if (plan.expires - plan.issued > PLAN_LASTS_MS) return no("The plan would last for too long");
  return { ok: true, plan };
}

function no(why: string): TakenPlan {
  return { ok: false, why };
}
