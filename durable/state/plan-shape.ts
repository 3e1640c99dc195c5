import { PLANNED } from "#db/planned";
import { meta, setMeta } from "./meta";
import type { Store } from "./kept";

/** The columns that this release has in its copy of the plan, and what comes with the settings. */
const SHAPE = [
  ...Object.entries(PLANNED).map(([kind, columns]) => `${kind}(${Object.keys(columns).join()})`),
  "settings(RECIPIENTS)",
].join(" ");

/**
 * Whether the copy of the plan was written by code that knows the same columns: what another release has pulled lacks those
 * that only this one has, and its version does not show it. Release 1.0.0 does not say what it knows; where it has pulled
 * after this one, the version is not the one that is noted here.
 */
export function hasOurShape(sql: Store, version: number): boolean {
  const noted = meta(sql, "plan_shape");
  return noted === null || noted === noteOf(version);
}

/** The copy has this version now, with all columns; must run inside a transaction. */
export function noteShape(sql: Store, version: number): void {
  setMeta(sql, "plan_shape", noteOf(version));
}

function noteOf(version: number): string {
  return `${version} ${SHAPE}`;
}
