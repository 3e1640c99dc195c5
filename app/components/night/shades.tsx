import { formatClock } from "#domain/display";
import type { Shade } from "#domain/tonight-records";
import { stretch, type Ends } from "./place";

/** The dark hours of an area behind its bars; `isNamed` says since when. */
export function Shades({
  shade,
  frame,
  zone,
  isNamed,
}: {
  shade: Shade[];
  frame: Ends;
  zone: string;
  isNamed?: boolean;
}) {
  return shade.map((hours) => (
    <span key={hours.from} style={stretch(hours, frame)} className="absolute inset-y-0 bg-[var(--shade)]">
      {isNamed && (
        <span className="text-ink-faint absolute top-1.5 left-1 text-xs whitespace-nowrap">
          {hours.kind} from {formatClock(hours.from, zone)}
        </span>
      )}
    </span>
  ));
}
