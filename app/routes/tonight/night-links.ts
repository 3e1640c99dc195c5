export type View = "chart" | "list";

/** The screen with a night, a view, or an area that is open. */
export function linkTo({ date, view, open }: { date?: string | undefined; view?: View; open?: string }): string {
  const search = new URLSearchParams({
    ...(date === undefined ? {} : { date }),
    ...(view === "list" ? { view } : {}),
    ...(open === undefined ? {} : { open }),
  });
  return search.size > 0 ? `/tonight?${search}` : "/tonight";
}
