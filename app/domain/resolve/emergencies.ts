import type { Hold } from "#domain/resolve/hold";
import type { Target } from "#domain/schedule/target";

/** The emergencies in force of an area and of its groups that have one: one for each, of whichever of its lights. */
export type Emergencies = { area: Hold | null; groups: { id: string; hold: Hold }[] };

/**
 * The emergency that an OFF, or a new emergency, of all lights of the target would end; null for a single device, which has
 * its own.
 */
export function emergencyOf({ area, groups }: Emergencies, { type, id }: Target): Hold | null {
  if (type === "area") return area;
  return groups.find((group) => type === "group" && group.id === id)?.hold ?? null;
}
