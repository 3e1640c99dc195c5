import { queryOf } from "#app/router/query";

/** Which closures or permits a screen's query string asks for, as the service wants it. */
export function limitsAsked(request: Request) {
  const { tab, area } = queryOf(request);
  const isPast = tab === PAST.name;
  return {
    tab: isPast ? PAST.name : COMING.name,
    query: { ...(isPast ? { past: "true" } : {}), ...(area ? { area_id: area } : {}) },
  };
}

export const COMING = { name: "coming", label: "In force and to come" };
export const PAST = { name: "past", label: "Over" };
