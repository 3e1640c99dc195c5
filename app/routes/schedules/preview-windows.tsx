import { Link } from "@remix-run/react";
import { TriangleAlert } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { formatDatedDay } from "#domain/time/dated-day";
import { formatDated, formatHours } from "#domain/time/display";
import type { SchedulePreview } from "#domain/forecast/preview-schema";
import { toWall } from "#domain/time/wall-clock";
import { DAY_MS } from "#domain/time/units";
import { overlapsOf } from "./overlaps";

type Window = SchedulePreview["next"][number];
type Props = { preview: SchedulePreview; zone: string };

const SHOWN = 5;

/** The next windows with what is lit in them, and what people should know. */
export function PreviewWindows({ preview, zone }: Props) {
  const { loaded_at } = useOrganization();
  const { next, warnings } = preview;
  const overlaps = overlapsOf(preview.conflicts);
  const shown = next.slice(0, SHOWN);
  const span = spanOf(shown, zone);
  return (
    <>
      {shown.length > 0 && <p className="text-ink-soft mt-1.5">{countWords(preview)}</p>}
      <ul className="mt-2 flex flex-col gap-2.5 empty:hidden">
        {shown.map((window) => (
          <WindowRow key={window.start_at} window={window} span={span} zone={zone} now={loaded_at} />
        ))}
      </ul>
      <ul aria-label="What to know" className="mt-2.5 flex flex-col gap-1.5 empty:hidden">
        {warnings.map((warning) => (
          <Remark key={warning}>{warning}</Remark>
        ))}
        {overlaps.shown.map(({ schedule_id, title, start_at }) => (
          <Remark key={`${schedule_id} ${start_at}`}>
            {schedule_id === null ? (
              title
            ) : (
              <Link
                to={`/schedules?edit=${schedule_id}`}
                target="_blank"
                className="text-brand-text font-medium underline"
              >
                {title}
              </Link>
            )}{" "}
            also lights them on {formatDated(start_at, zone, loaded_at)}. Both count; the light stays on.
          </Remark>
        ))}
        {overlaps.more && <Remark>{overlaps.more}</Remark>}
      </ul>
    </>
  );
}

function Remark({ children }: { children: React.ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <TriangleAlert className="text-warn-text mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0">{children}</span>
    </li>
  );
}

type RowProps = { window: Window; span: { from: number; to: number }; zone: string; now: number };

/** A window's day and hours, a bar of what is lit in it, and why the rest is not. */
function WindowRow({ window, span, zone, now }: RowProps) {
  const [start, end] = [Date.parse(window.start_at), Date.parse(window.end_at)];
  const midnight = dayStart(start, zone);
  const place = (from: number, to: number) => ({
    left: `${percent(from - midnight, span)}%`,
    width: `${percent(to - midnight, span) - percent(from - midnight, span)}%`,
  });
  return (
    <li>
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{formatDatedDay(start, zone, now)}</span>
        <span>{formatHours(start, end, zone)}</span>
      </p>
      <div aria-hidden className="bg-line relative mt-1 h-2.5 overflow-hidden rounded-sm forced-color-adjust-none">
        <span className="border-line-strong absolute inset-y-0 border" style={place(start, end)} />
        {window.lit.map(({ from, to }) => (
          <span key={from} className="bg-brand absolute inset-y-0" style={place(Date.parse(from), Date.parse(to))} />
        ))}
      </div>
      {window.limits.map((limit) => (
        <p key={limit} className="text-warn-text mt-0.5 text-xs font-medium">
          {limit}
        </p>
      ))}
      {window.limits.length > 0 && <p className="text-ink-soft mt-0.5 text-xs">{litWords(window, zone)}</p>}
    </li>
  );
}

function litWords({ lit }: Window, zone: string): string {
  if (lit.length === 0) return "Not lit";
  return `Lit ${lit.map(({ from, to }) => `${formatHours(Date.parse(from), Date.parse(to), zone)}`).join(" and ")}`;
}

function countWords({ count, next }: SchedulePreview): string {
  if (count === null) return "Never ends. Next:";
  return count > Math.min(next.length, SHOWN) ? `${count} to come. Next:` : `${count} to come:`;
}

/** The part of a day that all windows lie in, in ms after the midnight before their start. */
function spanOf(windows: Window[], zone: string) {
  const edges = windows.map(({ start_at, end_at }) => {
    const start = Date.parse(start_at);
    const midnight = dayStart(start, zone);
    return { from: start - midnight, to: Date.parse(end_at) - midnight };
  });
  return { from: Math.min(...edges.map(({ from }) => from)), to: Math.max(...edges.map(({ to }) => to)) };
}

function percent(at: number, { from, to }: { from: number; to: number }): number {
  return to > from ? ((at - from) / (to - from)) * 100 : 0;
}

/** The midnight before an instant, by the wall clock. */
function dayStart(at: number, zone: string): number {
  const wall = toWall(zone, at);
  return at - (wall - Math.floor(wall / DAY_MS) * DAY_MS);
}
