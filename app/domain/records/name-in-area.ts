import type { Choice } from "#domain/lists/list-query";

type Placed<AreaName = string> = { name: string; area_name: AreaName };

/**
 * 'Pole 1 (Elm Park)', since each park may have a 'Pole 1', and who is woken by one drives there; the name alone where that of
 * its area is not known.
 */
export function nameInArea({ name, area_name }: Placed<string | null>): string {
  return area_name ? `${name} (${area_name})` : name;
}

/** A record as a choice among those of every area. */
export function choiceInArea({ id, ...placed }: Placed & { id: string }): Choice {
  return { id, name: nameInArea(placed) };
}
