import { useSearchParams } from "@remix-run/react";
import { Download } from "#app/ui/icons";
import type { Filter } from "#app/lists/filter-panel";
import { sortFilter } from "#app/lists/list-filters";
import { ListTools } from "#app/lists/list-tools";
import { viewOf } from "#app/router/view";
import type { LOG_SORTS, LogPage } from "#domain/lists/log-query";
import { buttonClasses } from "#app/ui/button";

const SORTS: Record<(typeof LOG_SORTS)[number], string> = { newest: "Newest first", oldest: "Oldest first" };
const DAYS: Filter[] = [
  { name: "from", label: "From", day: true },
  { name: "to", label: "To", day: true },
];

type Props = { label: string; log: "events" | "history" | "activity"; page: LogPage<unknown>; filters: Filter[] };

/** The tools of every list, filters by day, and a CSV export of what is shown. */
export function LogTools({ label, log, page, filters }: Props) {
  const [search] = useSearchParams();
  const all = page.next || search.has("cursor") ? Infinity : page.rows.length;
  return (
    <ListTools
      label={label}
      count={{ all, shown: page.rows.length }}
      filters={[...filters, ...DAYS, sortFilter(SORTS)]}
    >
      <a href={`/export/${log}?${viewOf(search)}`} download title="At most 50,000 entries" className={buttonClasses()}>
        <Download className="size-4" />
        <span className="max-sm:sr-only">Export CSV</span>
      </a>
    </ListTools>
  );
}
