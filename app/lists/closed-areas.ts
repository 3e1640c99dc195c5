import { queryOf } from "#app/router/query";
import { isNoScript } from "#app/no-script/no-script";
import type { Choice } from "#domain/lists/list-query";

/**
 * Of the areas to filter by what a closed filter needs: the chosen one, and one that says that there are any. A thousand
 * would be a quarter of the page; they are loaded when the filter is opened. Without script it has them all.
 */
export function closedAreas(areas: Choice[], request: Request): Choice[] {
  if (isNoScript(request)) return areas;
  const { area: chosen } = queryOf(request);
  return areas.filter(({ id }, n) => n === 0 || id === chosen).map(({ id, name }) => ({ id, name }));
}
