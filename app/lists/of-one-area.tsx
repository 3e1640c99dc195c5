import { Link, useSearchParams } from "@remix-run/react";
import { viewOf } from "#app/router/view";

/** Says that a link has narrowed the list to one area, with the way out, to all of the same tab. */
export function OfOneArea({ name }: { name?: string | undefined }) {
  const all = viewOf(useSearchParams()[0]);
  for (const narrowed of ["area", "page"]) all.delete(narrowed);
  return (
    <p className="text-ink-soft">
      {name === undefined ? "Only those of one area." : `Only those of ${name}.`}{" "}
      <Link to={`?${all}`} className="text-brand-text -my-3 py-3 font-medium hover:underline">
        Show all
      </Link>
    </p>
  );
}
