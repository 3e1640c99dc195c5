import { useSearchParams } from "@remix-run/react";
import { ChartGantt, List } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useOrganization } from "#app/components/organization";
import { Step } from "#app/components/step";
import { ViewSwitch } from "#app/routes/views/view-switch";
import type { NightFrame } from "#domain/tonight/tonight-frame";
import { dateWords } from "#app/routes/schedules/skip-words";
import { linkTo, type View } from "./night-links";

type LinkProps = { frame: NightFrame; view: View };

/** The nights before and after, and the way back to the one that runs. */
export function NightLinks({ frame, view }: LinkProps) {
  const page = usePage();
  const { loaded_at } = useOrganization();
  return (
    <nav aria-label="Nights" className="flex flex-wrap items-center gap-1">
      <Step
        to={linkTo({ date: frame.previous, view, page })}
        side="previous"
        label={`The night before, ${dateWords(frame.previous, loaded_at)}`}
      />
      <span className="tiny:min-w-16 tiny:flex-1 not-tiny:whitespace-nowrap min-w-24 text-center font-semibold">
        {dateWords(frame.date, loaded_at)}
      </span>
      {frame.next && (
        <Step
          to={linkTo({ date: frame.next, view, page })}
          side="next"
          label={`The night after, ${dateWords(frame.next, loaded_at)}`}
        />
      )}
      {frame.kind !== "running" && <ButtonLink to={linkTo({ view, page })}>Tonight</ButtonLink>}
    </nav>
  );
}

/** Without script there is the list only. */
export function NightViews({ frame, view }: LinkProps) {
  const date = frame.kind === "running" ? undefined : frame.date;
  const page = usePage();
  const entry = (of: View) => ({ to: linkTo({ date, view: of, page }), isCurrent: view === of });
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

function usePage(): string | null {
  return useSearchParams()[0].get("page");
}

/** On a phone the night is told hour by hour. */
const Chart = () => (
  <>
    <span className="max-sm:hidden">Chart</span>
    <span className="sm:hidden">Hours</span>
  </>
);
