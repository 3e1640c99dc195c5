import { Link } from "@remix-run/react";
import type { Choice } from "#domain/lists/list-query";

/** Under a select of areas that has none: the way to make one. Null where there are some, or they are still loading. */
export function areaHint(areas: Choice[] | null | undefined) {
  if (areas?.length !== 0) return null;
  return (
    <>
      There is no area yet.{" "}
      <Link to="/areas?new=" className="text-brand-text underline">
        Create one first
      </Link>
    </>
  );
}
