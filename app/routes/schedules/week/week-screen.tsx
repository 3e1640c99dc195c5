import { useSearchParams } from "@remix-run/react";
import { useCallback, useState } from "react";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { EmptyState } from "#app/components/empty-state";
import { PageHeader } from "#app/components/page-header";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { useNoScript } from "#app/ui/no-script";
import { rowsOf, type Piece } from "#app/week/rows";
import type { Week } from "#app/week/week";
import { weekSentence } from "#app/week/week-words";
import { CalendarDays, Plus } from "#app/ui/icons";
import { ScheduleViews } from "#app/routes/schedules/schedule-views";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";
import type { Chosen } from "./chosen";
import { newHref } from "./week-links";
import { PiecePanel } from "./piece-panel";
import { AreaPicker, GroupLinks } from "./place-picker";
import { WeekAgenda } from "./week-agenda";
import { WeekChart } from "./week-chart";
import { WeekDialogs } from "./week-dialogs";
import { WeekLinks } from "./week-nav";
import { WeekNotes } from "./week-notes";
import { WeekSkeleton } from "./week-skeleton";

const FAILED = "Failed to load the week. The lights go by their plan without this screen.";

type Props = { week: Promise<Deferred<Week>>; record: DescribedSchedule | null };

/** What the schedules of an area or a group come to, night by night. */
// The default export is for onDemand().
export default function WeekScreen({ week, record }: Props) {
  return (
    <>
      <Header />
      <Streamed list={week} loading={<WeekSkeleton />} failed={FAILED}>
        {(loaded) => (
          <>
            {loaded.area === null ? <NoAreas /> : <Loaded key={placeKey(loaded)} week={loaded} />}
            <WeekDialogs week={loaded} record={record} />
          </>
        )}
      </Streamed>
    </>
  );
}

/** Another place or week begins without an open panel. */
function placeKey({ area, group, frame }: Week): string {
  return [area?.id, group?.id, frame.monday].join(" ");
}

/** Known before the week is, and there without it. */
function Header() {
  const [search] = useSearchParams();
  const mayCreate = useCan("schedule.save");
  const at = (name: string) => search.get(name) ?? undefined;
  const place = { area: at("area"), group: at("group"), week: at("week") };
  return (
    <PageHeader title="Schedule Management" text="When the schedules of a place light it, night by night">
      <ScheduleViews view="week" area={place.area} />
      {mayCreate && (
        <ButtonLink to={newHref(place)} preventScrollReset variant="primary" icon={<Plus className="size-4" />}>
          New Schedule
        </ButtonLink>
      )}
    </PageHeader>
  );
}

function Loaded({ week }: { week: Week }) {
  const noScript = useNoScript();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const close = useCallback(() => setChosen((open) => (open?.opener.focus(), null)), []);
  const rows = rowsOf(week);
  const open =
    chosen &&
    pieceOf(
      rows.flatMap(({ pieces }) => pieces),
      chosen.piece,
    );
  const onOpen = (piece: Piece, opener: HTMLElement) => setChosen({ piece, opener });
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <AreaPicker key={week.area?.id} week={week} />
        <WeekLinks week={week} />
        <GroupLinks week={week} />
      </div>
      <p aria-live="polite" className="text-ink-soft mb-3 text-base">
        {weekSentence(week)}
      </p>
      <WeekNotes week={week} />
      <div className="relative">
        {!noScript && (
          <div className="max-sm:hidden">
            <WeekChart week={week} rows={rows} chosen={open} onOpen={onOpen} />
          </div>
        )}
        <div className={noScript ? "" : "sm:hidden"}>
          <WeekAgenda week={week} rows={rows} onOpen={onOpen} />
        </div>
        {open && (
          // Over the morning, in which the fewest lights are on, so that no block moves.
          <aside aria-label="About the block" className="xl:absolute xl:inset-y-0 xl:right-0 xl:z-10 xl:w-84 xl:p-2">
            <div className="xl:sticky xl:top-18 xl:[&>dialog]:shadow-xl">
              <PiecePanel key={open.schedule.id} piece={open} week={week} onClose={close} />
            </div>
          </aside>
        )}
      </div>
      {!noScript && <Legend />}
    </>
  );
}

/** The same window as it was loaded last; null once it is no more. */
function pieceOf(pieces: Piece[], { window: { schedule_id, date }, from }: Piece): Piece | null {
  const same = pieces.filter(({ window }) => window.schedule_id === schedule_id && window.date === date);
  return same.find((piece) => piece.from === from) ?? same[0] ?? null;
}

const LEGEND = [
  ["by the clock", { "data-why": "booked" }],
  ["by the sun", { "data-why": "sun" }],
  ["skipped", { "data-why": "booked", "data-skipped": "" }],
  ["stays dark", { "data-why": "cut" }],
] as const;

function Legend() {
  const maySave = useCan("schedule.save");
  return (
    <ul aria-hidden className="text-ink-soft mt-3 flex flex-wrap gap-x-4 gap-y-1.5 px-1 text-xs max-sm:hidden">
      {LEGEND.map(([label, swatch]) => (
        <li key={label} className="flex items-center gap-1.5">
          <span {...swatch} className="week-block relative! top-0! h-4! w-6 min-w-6">
            {swatch["data-why"] === "cut" && <i className="inset-x-0" />}
          </span>
          {label}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <span className="border-line h-4 w-6 rounded-sm border bg-[var(--shade)] forced-color-adjust-none" />
        dark hours
      </li>
      {maySave && (
        <li className="ml-auto max-lg:hidden print:hidden">
          Drag an empty stretch to book it, a block or its edge to change its hours.
        </li>
      )}
    </ul>
  );
}

function NoAreas() {
  const mayAdd = useCan("area.save");
  return (
    <EmptyState icon={CalendarDays} title="There are no areas yet" text="A schedule is for the lights of an area.">
      {mayAdd && (
        <ButtonLink to="/areas?new=" variant="primary" icon={<Plus className="size-4" />}>
          Create an area first
        </ButtonLink>
      )}
    </EmptyState>
  );
}
