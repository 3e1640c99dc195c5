/** One page of a list, after the search; `all` is what there is without it. */
export type Page<Row> = { rows: Row[]; total: number; all: number; page: number; pages: number };

const PAGE_SIZE = 60;

/** The page that the query string asks for: `q` is searched in the words of a row (decision 14: the screens page). */
export function pageOf<Row>(rows: Row[], request: Request, words: (row: Row) => (string | null)[]): Page<Row> {
  const search = new URL(request.url).searchParams;
  const wanted = (search.get("q") ?? "").trim().toLowerCase().split(/\s+/).filter(Boolean);
  const found = wanted.length === 0 ? rows : rows.filter((row) => hasAll(words(row), wanted));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(search.get("page"))) || 1));
  const from = (page - 1) * PAGE_SIZE;
  return { rows: found.slice(from, from + PAGE_SIZE), total: found.length, all: rows.length, page, pages };
}

function hasAll(words: (string | null)[], wanted: string[]) {
  const text = words.join(" ").toLowerCase();
  return wanted.every((word) => text.includes(word));
}
