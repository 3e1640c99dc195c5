import { ChartGantt, ChevronLeft, ChevronRight, List } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { ViewSwitch } from "#app/routes/views/view-switch";
import type { NightFrame } from "#domain/tonight-frame";
import { nightWords } from "#domain/tonight-words";
import { linkTo, type View } from "./night-links";

type LinkProps = { frame: NightFrame; view: View };

/** The nights before and after, and the way back to the one that runs. */
export function NightLinks({ frame, view }: LinkProps) {
  return (
    <nav aria-label="Nights" className="flex items-center gap-1">
      <ButtonLink
        to={linkTo({ date: frame.previous, view })}
        look="ghost"
        data-night="previous"
        aria-label={`The night before, ${nightWords(frame.previous)}`}
        className="px-2"
        icon={<ChevronLeft className="size-4" />}
      />
      <span className="min-w-24 text-center font-semibold whitespace-nowrap">{nightWords(frame.date)}</span>
      {frame.next && (
        <ButtonLink
          to={linkTo({ date: frame.next, view })}
          look="ghost"
          data-night="next"
          aria-label={`The night after, ${nightWords(frame.next)}`}
          className="px-2"
          icon={<ChevronRight className="size-4" />}
        />
      )}
      {frame.kind !== "running" && <ButtonLink to={linkTo({ view })}>Tonight</ButtonLink>}
    </nav>
  );
}

/** Without script there is the list only. */
export function NightViews({ frame, view }: LinkProps) {
  const date = frame.kind === "running" ? undefined : frame.date;
  const entry = (of: View) => ({ to: linkTo({ date, view: of }), isCurrent: view === of });
  return (
    <ViewSwitch
      discover="none"
      views={[
        { ...entry("chart"), label: <Chart />, icon: <ChartGantt className="size-4" /> },
        { ...entry("list"), label: "List", icon: <List className="size-4" /> },
      ]}
    />
  );
}

/** On a phone the night is told hour by hour. */
const Chart = () => (
  <>
    <span className="max-sm:hidden">Chart</span>
    <span className="sm:hidden">Hours</span>
  </>
);
