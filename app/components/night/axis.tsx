import { Sunrise, Sunset, type IconComponent } from "#app/ui/icons";
import { formatClock } from "#domain/time/display";
import { hourMarks, placeOf, type NightFrame } from "#domain/tonight/tonight-frame";
import type { Ends } from "./place";

type Props = { frame: NightFrame; zone: string };

/** The hours above a night, and when the sun sets and rises. A narrow one names every fourth hour only. */
export function NightAxis({ frame, zone, isNarrow = false }: Props & { isNarrow?: boolean }) {
  return (
    <div aria-hidden className="relative h-10 text-[0.6875rem] whitespace-nowrap">
      <SunMark at={frame.sunset} icon={Sunset} side="-translate-x-full flex-row-reverse" frame={frame} zone={zone} />
      <SunMark at={frame.sunrise} icon={Sunrise} frame={frame} zone={zone} />
      {hourMarks(frame, zone).map(({ at, label }, n) => (
        <span
          key={at}
          style={{ left: `${placeOf(at, frame)}%` }}
          className={`text-ink-faint absolute bottom-1 ${isNarrow && n === 0 ? "-translate-x-1/4" : "-translate-x-1/2"} ${n % 2 === 0 ? "" : isNarrow ? "hidden" : "max-lg:hidden"}`}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

type MarkProps = Props & { at: number | null; icon: IconComponent; side?: string };

/** Before the sunset and behind the sunrise, where the name of now seldom is. */
function SunMark({ at, icon: Icon, side = "", frame, zone }: MarkProps) {
  if (at === null) return null;
  return (
    <span
      style={{ left: `${placeOf(at, frame)}%` }}
      className={`text-ink-soft absolute top-0.5 flex items-center gap-1 ${side}`}
    >
      <Icon className="size-3.5" />
      {formatClock(at, zone)}
    </span>
  );
}

/** The lines of the hours behind the bars. */
export function HourLines({ frame, zone }: { frame: Ends; zone: string }) {
  return hourMarks(frame, zone)
    .slice(1)
    .map(({ at }) => (
      <span
        key={at}
        style={{ left: `${placeOf(at, frame)}%` }}
        className="bg-line absolute inset-y-0 w-px opacity-60 forced-color-adjust-none"
      />
    ));
}
