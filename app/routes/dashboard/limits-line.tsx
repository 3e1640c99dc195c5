import { Link } from "@remix-run/react";
import { MoonStar } from "#app/ui/icons";
import { counted } from "#domain/counted";
import type { LimitsNow } from "#domain/records/dashboard-page";

/** What limits ON right now, in one line; nothing where nothing does. */
export function LimitsLine({ limits: { dark, own_hours, closures } }: { limits: LimitsNow }) {
  if (dark === null && own_hours === 0 && closures === 0) return null;
  return (
    <p className="limits-line">
      <MoonStar />
      {dark !== null && <span>{dark}</span>}
      {own_hours > 0 && (
        <span>{own_hours === 1 ? "1 place has its own hours" : `${own_hours} places have their own hours`}</span>
      )}
      {closures > 0 && <Link to="/closures">{`${counted(closures, "closure")} in force`}</Link>}
    </p>
  );
}
