import { formatClock } from "#domain/time/display";
import { placeOf } from "#domain/tonight/tonight-frame";
import type { Shade } from "#domain/tonight/tonight-records";
import { stretch, type Ends } from "./place";

/** The hours before the log began, of which nothing is known; `children` say so where no sentence above the night does. */
export function Unlogged({
  frame,
  known_from,
  children,
}: {
  frame: Ends;
  known_from: number;
  children?: React.ReactNode;
}) {
  if (known_from <= frame.from) return null;
  return (
    <span style={stretch({ from: frame.from, to: known_from }, frame)} className="unlogged">
      {children}
    </span>
  );
}

/** The dark hours of an area behind its bars; `isNamed` says from when they are, or until when where they began before. */
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
    <span
      key={hours.from}
      style={stretch(hours, frame)}
      className="absolute inset-y-0 bg-[var(--shade)] forced-color-adjust-none"
    >
      {isNamed && (
        <span
          className={`text-ink-faint absolute top-1.5 text-xs whitespace-nowrap ${isLate(hours, frame) ? "right-1" : "left-1"}`}
        >
          {hours.kind} {endWords(hours, frame, zone)}
        </span>
      )}
    </span>
  ));
}

/** Whether what is written from its beginning on would end beside the chart. */
function isLate({ from }: Shade, frame: Ends): boolean {
  return placeOf(from, frame) > 72;
}

/** They are cut where the night begins, which is not when they did. */
function endWords({ from, to }: Shade, frame: Ends, zone: string): string {
  return from > frame.from ? `from ${formatClock(from, zone)}` : `until ${formatClock(to, zone)}`;
}
