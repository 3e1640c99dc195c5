import { grouped } from "#domain/counted";
import { Link, useSearchParams } from "@remix-run/react";
import type { Page } from "#domain/lists/list-query";
import { buttonClasses } from "#app/ui/button";

/** Pages through a list. Renders nothing if one page holds it all. */
export function Pager({ page, pages, total }: Omit<Page<unknown>, "rows">) {
  const [search] = useSearchParams();
  if (pages === 1) return null;
  const to = (number: number) => {
    const next = new URLSearchParams(search);
    next.set("page", String(number));
    return `?${next}`;
  };
  return (
    <nav aria-label="Pages" className="text-ink-soft mt-5 flex items-center justify-center gap-3">
      {page > 1 && (
        <Link to={to(page - 1)} className={buttonClasses("secondary", "sm")}>
          Previous
        </Link>
      )}
      <span>
        Page {grouped(page)} of {grouped(pages)} ({grouped(total)})
      </span>
      {page < pages && (
        <Link to={to(page + 1)} className={buttonClasses("secondary", "sm")}>
          Next
        </Link>
      )}
    </nav>
  );
}
