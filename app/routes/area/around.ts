import type { AreaDetail } from "#domain/records/detail-records";
import type { AreaGuardrails, Closure, Permit } from "#domain/guardrails/limit-records";
import type { Emergencies } from "#domain/resolve/hold";
import type { Group } from "#domain/records/records";
import type { AreaLights, LightTonight } from "#domain/tonight/tonight-records";

/** The area's lights in the night that runs. `isWhole` is false where there are more. */
export type AreaTonight = Omit<LightTonight, "light"> &
  Pick<AreaLights, "lights"> & { isWhole: boolean; sentence: string; known_from: number };

/** The detail, groups and limits, and when it was loaded (epoch ms). */
export type Around = AreaDetail & {
  groups: Group[];
  emergencies: Emergencies;
  guardrails: AreaGuardrails;
  closures: Closure[];
  permits: Permit[];
  /** Null where it could not be told, and where there are no lights. */
  tonight: AreaTonight | null;
  now: number;
};
