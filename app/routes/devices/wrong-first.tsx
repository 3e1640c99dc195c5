import { Link, useSearchParams } from "@remix-run/react";
import { viewOf } from "#app/router/view";
import { TriangleAlert } from "#app/ui/icons";
import { buttonClasses } from "#app/ui/button";

/** The order that has the wrong lights in front, as a link; pressed while it is in force, and then the way out of it. */
export function WrongFirst({ wrong }: { wrong: number }) {
  const [search] = useSearchParams();
  const isOn = search.get("sort") === "state";
  if (wrong === 0 && !isOn) return null;
  const kept = [...viewOf(search)].filter(([name]) => name !== "sort" && name !== "page");
  return (
    <Link
      to={`?${new URLSearchParams(isOn ? kept : [...kept, ["sort", "state"]])}`}
      discover="none"
      preventScrollReset
      aria-current={isOn ? "true" : undefined}
      className={`${buttonClasses()} hover:bg-sunken aria-[current]:bg-brand-soft aria-[current]:border-brand`}
    >
      <TriangleAlert className="text-bad-text size-4" />
      Wrong first ({wrong})
    </Link>
  );
}
