import { counted } from "#domain/counted";
/** Areas that a sentence names. */
const NAMED = 3;

/** Why an area's position cannot be taken away: so many schedules by the sun need it. */
export function areaNeedsPosition(schedules: number): string {
  return schedules === 1
    ? "1 schedule in this area goes by the sun and needs its position. Change or cancel it first, or set the city's position."
    : `${schedules} schedules in this area go by the sun and need its position. Change or cancel them first, or set the city's position.`;
}

/** The same for the city's position, by areas that have none of their own. */
export function cityNeedsPosition(areas: readonly { area_name: string; schedules: number }[]): string {
  const schedules = areas.reduce((sum, area) => sum + area.schedules, 0);
  const where = listed(areas.map(({ area_name }) => area_name));
  return schedules === 1
    ? `1 schedule goes by the sun and needs this position, in ${where}. Change or cancel it first, or give each area a position.`
    : `${schedules} schedules go by the sun and need this position, in ${where}. Change or cancel them first, or give each area a position.`;
}

/** Why what has so many schedules by the sun cannot be moved to an area without a position. */
export function moveNeedsPosition(schedules: number): string {
  const go = schedules === 1 ? "1 schedule goes" : `${schedules} schedules go`;
  return `${go} by the sun, and this area has no position. Give the area or the city one first.`;
}

/** 'Elm Park, North Field, Quay and 2 more areas'. */
function listed(names: string[]): string {
  const more = names.length - NAMED;
  if (more > 0) return `${names.slice(0, NAMED).join(", ")} and ${counted(more, "more area")}`;
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
}
