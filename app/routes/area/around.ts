import { counted } from "#domain/counted";
import { commonRefusal } from "#domain/light/refusal";
import { whyNotAll } from "#domain/light/switch-all";
import { mayToggle } from "#domain/organization/permissions";
import type { AreaDetail } from "#domain/records/detail-records";
import type { AreaGuardrails, Closure, Permit } from "#domain/guardrails/limit-records";
import type { Emergencies } from "#domain/resolve/emergencies";
import type { Area, Group, MayWrite, Rights, User } from "#domain/records/records";
import type { AreaLights, LightTonight } from "#domain/tonight/tonight-records";

/** The area's lights in the night that runs. `isWhole` is false where there are more. */
export type AreaTonight = Omit<LightTonight, "light"> &
  Pick<AreaLights, "lights"> & { isWhole: boolean; sentence: string; known_from: number };

/** What comes after the area itself: the detail, groups and limits, and when it was loaded (epoch ms). */
export type Arriving = Omit<AreaDetail, "area"> & {
  groups: (Group & MayWrite)[];
  emergencies: Emergencies;
  guardrails: AreaGuardrails;
  closures: Closure[];
  permits: Permit[];
  /** Null where it could not be told, and where there are no lights. */
  tonight: AreaTonight | null;
  now: number;
};
export type Around = Arriving & { area: Area & Rights };

/**
 * Why the person may switch none of these lights, or not all at once; null if they may. A switch would only be refused, an
 * emergency after its reason was typed. Where not all of them (`count`) are on the page, nobody knows whose the others are.
 */
export function whyNoneIsSwitched(user: User, lights: AreaDetail["devices"], count: number): string | null {
  if (count === 0) return "There are no lights here yet.";
  const isKnown = lights.length > 0 && lights.length >= count;
  const isNone = isKnown && lights.every((light) => !mayToggle(user, light));
  return whyNotAll(count, !isNone);
}

/** Why none of these lights may go on now; null where one may, and where not all of them (`count`) are on the page. */
export function whyNoneGoesOn(lights: AreaDetail["devices"], count: number): string | null {
  return lights.length < count ? null : commonRefusal(lights.map(({ refusal }) => refusal));
}

/** Where no group is listed: those of lights that are hidden (`hidden` of them) may well be there. */
export function noGroupWords(hidden: number): string {
  const none = hidden > 0 ? "No group of the lights that you see." : "No group yet.";
  return `${none} Lights of a group are scheduled, closed and switched together.`;
}

/** How many lights a group has, and how many of them are on, where all of them (`count`) are on the page. */
export function groupWords(lights: Pick<AreaDetail["devices"][number], "current_state">[], count: number): string {
  if (lights.length < count) return counted(count, "light");
  const on = lights.filter(({ current_state }) => current_state === "on").length;
  return `${counted(count, "light")}, ${on} on`;
}
