import { moveNeedsPosition } from "#domain/schedule/sun-needs";
import type { Here } from "./planner";
import type { StagedRow } from "./staged-row";

/**
 * The rows that move a light with schedules by the sun to an area that has no position as the file leaves it, each with what
 * to say of it: the light would silently stay dark.
 */
export function movesBySun(changes: StagedRow[], here: Here): { row: number; sentence: string }[] {
  const locations = new Map<unknown, unknown>(here.areas.map(({ id, location }) => [id, location]));
  for (const { kind, record_id, details } of changes)
    if (kind === "area") locations.set(record_id, details.after["location"]);
  return changes.flatMap(({ kind, record_id, row, details: { before, after } }) => {
    const schedules = kind === "device" ? here.sun_schedules.get(record_id) : undefined;
    if (!schedules || before?.["area_id"] === after["area_id"] || isPlaced(locations.get(after["area_id"]))) return [];
    return [{ row, sentence: moveNeedsPosition(schedules) }];
  });
}

function isPlaced(location: unknown): boolean {
  return typeof location === "object" && location !== null && "lat" in location && typeof location.lat === "number";
}
