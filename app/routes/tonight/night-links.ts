export type View = "chart" | "list";

type Way = { date?: string | undefined; view?: View; open?: string; page?: number | string | null };

/** The screen with a night, a view, an area that is open, or another page of areas: each night has the same ones. */
export function linkTo({ date, view, open, page }: Way): string {
  const search = new URLSearchParams({
    ...(date === undefined ? {} : { date }),
    ...(view === "list" ? { view } : {}),
    ...(open === undefined ? {} : { open }),
    ...(page && page !== 1 ? { page: String(page) } : {}),
  });
  return search.size > 0 ? `/tonight?${search}` : "/tonight";
}
