import type { ReactNode } from "react";
import { CalendarClock, CalendarPlus } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { formatDated, formatDay } from "#domain/time/display";
import type { UpcomingWindow } from "#domain/records/detail-records";
import { NameLink } from "#app/components/page-links";
import { Badge } from "#app/ui/badge";
import { ButtonLink } from "#app/components/button-link";
import { Nothing, Section } from "#app/routes/detail/section";

type Props = {
  windows: UpcomingWindow[];
  area_id: string;
  all: string;
  /** Null where the person may book none of it. */
  plan: string | null;
  lights?: number;
  hidden?: number;
  children?: ReactNode;
};

/**
 * The next three windows of an area, or of a light in it. `all` links to every schedule, `plan` to a new one; the children are
 * more links beside it. `lights` counts the area's, without which nothing that is scheduled has a window, and `hidden` those
 * that are not shown, of which nothing is known here.
 */
export function Windows({ windows, area_id, all, plan, lights, hidden = 0, children }: Props) {
  const mayPlan = useCan("schedule.save") && plan !== null;
  return (
    <Section icon={CalendarClock} title="Next windows" more={{ to: all, label: "All schedules" }}>
      {windows.length === 0 ? (
        <Nothing>{nothingWords(lights, hidden)}</Nothing>
      ) : (
        <ul className="divide-line divide-y">
          {windows.map((window) => (
            <Window key={`${window.schedule_id} ${window.start_at}`} window={window} area_id={area_id} />
          ))}
        </ul>
      )}
      {mayPlan && (
        <div className="border-line flex flex-wrap gap-2 border-t px-4 py-3">
          <ButtonLink to={plan} icon={<CalendarPlus className="size-4" />}>
            New schedule
          </ButtonLink>
          {children}
        </div>
      )}
    </Section>
  );
}

function nothingWords(lights: number | undefined, hidden: number): string {
  if (hidden > 0) return "Nothing is scheduled for the lights shown here.";
  return lights === 0 ? "There are no lights to switch." : "Nothing is scheduled.";
}

function Window({ window, area_id }: { window: UpcomingWindow; area_id: string }) {
  const { zone, loaded_at } = useOrganization();
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-4 py-2.5">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium">
        <NameLink to={`/schedules?${new URLSearchParams({ q: window.title, area: area_id })}`}>{window.title}</NameLink>
        {window.is_running && <Badge tone="lit">Now</Badge>}
        {window.lights > 1 && <span className="text-ink-faint text-xs font-normal">{window.lights} lights</span>}
      </p>
      <p className="text-ink-soft text-sm">{windowText(window, zone, loaded_at)}</p>
    </li>
  );
}

/** 'Sat, Nov 21, 5:30 PM - 9:00 PM'; names the end's day if it differs. */
function windowText(
  { start_at, end_at }: Pick<UpcomingWindow, "start_at" | "end_at">,
  zone: string,
  now: number,
): string {
  const [start, end] = [start_at, end_at].map((at) => formatDated(at, zone, now));
  const days = [start_at, end_at].map((at) => formatDay(Date.parse(at), zone));
  const until = days[0] === days[1] ? end?.split(", ").at(-1) : end;
  return `${days[0]?.split(", ")[0]}, ${start} - ${until}`;
}
