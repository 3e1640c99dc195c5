import { Link } from "@remix-run/react";
import { TriangleAlert } from "#app/ui/icons";

/** The number of lights with problems in all areas, with a link to them; nothing if there is none. */
export function ProblemsBar({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="bg-bad-soft text-bad-text mb-4 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg px-3 py-2.5 font-medium">
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      <span>{count === 1 ? "1 light is not as it should be." : `${count} lights are not as they should be.`}</span>
      <Link to="/devices?show=problems" className="underline">
        Show problems
      </Link>
    </p>
  );
}

/** '1 problem', '3 problems'. */
export function problemsWord(count: number): string {
  return count === 1 ? "1 problem" : `${count} problems`;
}
