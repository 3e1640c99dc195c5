import type { AreaDetail } from "#domain/detail-records";
import type { AreaGuardrails, Closure, Permit } from "#domain/limit-records";
import type { Group } from "#domain/records";

/** The detail, groups and limits, and when it was loaded (epoch ms). */
export type Around = AreaDetail & {
  groups: Group[];
  guardrails: AreaGuardrails;
  closures: Closure[];
  permits: Permit[];
  now: number;
};
