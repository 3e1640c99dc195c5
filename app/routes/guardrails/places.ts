import type { Policy } from "#domain/guardrails/limit-records";
import type { Choice, Page } from "#domain/lists/list-query";
import type { MayWrite } from "#domain/records/records";
import type { PlaceLimits } from "./place-limits";

/** The policies, the areas and groups that the person may give one, and what a page of areas ends up with. */
export type Places = {
  policies: (Policy & MayWrite)[];
  organization: { dark: string; max_on: string };
  areas: Choice[];
  groups: Choice[];
  ends: Omit<Page<unknown>, "rows"> & { rows: PlaceLimits[] };
};

/** 'type:field'; ids have no colon before the scope's end. */
export function keyOf({ scope, id }: Pick<Policy, "scope" | "id">): string {
  return `${scope}:${id}`;
}

/** 'All of type field', or the name of the area or group. */
export function nameOf({ scope, name }: Policy): string {
  return scope === "type" ? `All of type ${name}` : name;
}
