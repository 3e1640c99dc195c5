import { Link, useSearchParams } from "@remix-run/react";
import { viewOf } from "#app/router/view";
import { buttonClasses } from "#app/ui/button";

/** Pages through a log by cursor. Renders nothing if one page holds it all. */
export function LogPager({ next }: { next: string | null }) {
  const [search] = useSearchParams();
  const isFirst = !search.has("cursor");
  if (isFirst && next === null) return null;
  const [start, onward] = search.get("sort") === "oldest" ? ["Oldest", "Newer"] : ["Newest", "Older"];
  const to = (cursor: string | null) => {
    const view = viewOf(search);
    if (cursor === null) view.delete("cursor");
    else view.set("cursor", cursor);
    return `?${view}`;
  };
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center justify-center gap-3">
      {!isFirst && (
        <Link to={to(null)} className={buttonClasses("secondary", "sm")}>
          {start}
        </Link>
      )}
      {next !== null && (
        <Link to={to(next)} className={buttonClasses("secondary", "sm")}>
          {onward}
        </Link>
      )}
    </nav>
  );
}
