import {
  CalendarClock,
  Construction,
  Hand,
  MoonStar,
  Siren,
  SkipForward,
  Sunset,
  TriangleAlert,
  type IconComponent,
} from "#app/ui/icons";
import type { NightBar, Why } from "#domain/tonight/tonight";
import { whyWords } from "#domain/tonight/tonight-words";
import { barKind } from "./bar-kind";

const ICONS: Record<Why, IconComponent> = {
  booked: CalendarClock,
  sun: Sunset,
  hand: Hand,
  emergency: Siren,
  unasked: TriangleAlert,
  held: Hand,
  cut: MoonStar,
  closed: Construction,
};

/** Why a bar is there, in its color, with an icon and in words. */
export function WhyChip({ bar }: { bar: Pick<NightBar, "why" | "reason" | "isSkipped"> }) {
  const Icon = bar.isSkipped ? SkipForward : ICONS[bar.why];
  return (
    <span className="why" data-why={barKind(bar)}>
      <Icon />
      {bar.isSkipped ? "Skipped" : whyWords(bar)}
    </span>
  );
}
