import { formatClock } from "#domain/time/display";
import { placeOf } from "#domain/tonight/tonight-frame";
import type { Ends } from "./place";
import { useNow } from "./use-now";

type Props = { frame: Ends; now: number; zone: string; isNamed?: boolean };

/** The line of now, which steps each minute. Nothing in a night that does not run. */
export function NowLine({ frame, now: loaded, zone, isNamed = false }: Props) {
  const now = useNow(loaded);
  if (now < frame.from || now >= frame.to) return null;
  return (
    <span
      style={{ left: `${placeOf(now, frame)}%` }}
      className="pointer-events-none absolute inset-y-0 z-5 w-0.5 -translate-x-1/2 bg-[var(--now)] forced-color-adjust-none"
    >
      {isNamed && (
        <span className="bg-[var(--now)] text-surface absolute -top-[2.7rem] left-1/2 -translate-x-1/2 rounded-sm px-1.5 py-0.5 text-xs font-semibold whitespace-nowrap">
          {formatClock(now, zone)}
        </span>
      )}
    </span>
  );
}
