import { compare } from "#domain/compare";
import { CalendarDays, Plus, Upload } from "#app/ui/icons";
import { CardActions } from "#app/components/card-actions";
import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import { counted } from "#domain/counted";
import { dateWords } from "#app/routes/schedules/skip-words";
import type { Calendar } from "#domain/records/records";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep the forms out of the first load. */
const CalendarDialog = dialogOnDemand(() => import("./calendar-dialog"));
const ImportDialog = dialogOnDemand(() => import("./calendar-import"));

/** Dates that schedules skip, or happen on only: holidays, school days. */
export function Calendars({ calendars, today }: { calendars: Promise<Deferred<Calendar[]>>; today: string }) {
  return (
    <section aria-labelledby="calendars" className="mt-6">
      <div className="mb-2 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="calendars" className="font-semibold">
            Calendars
          </h2>
          <p className="text-ink-soft">Dates that schedules skip, or on which alone they happen</p>
        </div>
        <Button icon={<Plus className="size-4" />} {...opens("new")}>
          New Calendar
        </Button>
      </div>
      <Streamed
        list={calendars}
        loading={<LoadingBlock label="Loading calendars..." />}
        failed="Failed to load calendars"
      >
        {(rows) => (
          <>
            <CalendarRows rows={rows} today={today} />
            <CalendarDialogs rows={rows} />
          </>
        )}
      </Streamed>
    </section>
  );
}

function CalendarRows({ rows, today }: { rows: Calendar[]; today: string }) {
  if (rows.length === 0) {
    return <Card className="text-ink-soft px-4 py-3">No calendar yet. Holidays would be one.</Card>;
  }
  return (
    <Card>
      <ul aria-label="Calendars" className="divide-line divide-y">
        {rows.map((calendar) => (
          <li key={calendar.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <CalendarDays className="text-ink-faint size-4 shrink-0" />
            <div className="min-w-0 flex-[1_1_12rem]">
              <h3 className="font-medium">{calendar.name}</h3>
              <p className="text-ink-soft text-sm">{datesWords(calendar, today)}</p>
            </div>
            <div className="flex flex-wrap items-center gap-1.5">
              <Button
                size="sm"
                icon={<Upload />}
                aria-label={`Import dates into ${calendar.name}`}
                {...opens("import", calendar.id)}
              >
                Import
              </Button>
              <CardActions id={calendar.id} name={calendar.name} mayEdit mayDelete />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** '11 dates; next Thu, Nov 26: Thanksgiving', with its year where that is far from today. */
function datesWords({ dates }: Calendar, today: string): string {
  const count = counted(dates.length, "date");
  const next = dates.filter(({ date }) => date >= today).toSorted((a, b) => compare(a.date, b.date))[0];
  if (!next) return dates.length === 0 ? "No dates yet" : `${count}, all past`;
  return `${count}; next ${dateWords(next.date, Date.parse(today))}${next.name ? `: ${next.name}` : ""}`;
}

function CalendarDialogs({ rows }: { rows: Calendar[] }) {
  const { dialog: opened } = useDialog();
  const { dialog, record: calendar, close } = useRecord(rows);
  if (opened === "new") {
    return <CalendarDialog calendar={null} onClose={close} />;
  }
  if (!calendar) return null;
  if (dialog === "delete") {
    return (
      <ConfirmDialog
        title="Delete Calendar"
        text={`Are you sure you want to delete the calendar "${calendar.name}"?`}
        intent="remove_calendar"
        record={calendar}
        words={DELETE_WORDS}
        onClose={close}
      />
    );
  }
  if (dialog === "edit") return <CalendarDialog key={calendar.id} calendar={calendar} onClose={close} />;
  return dialog === "import" ? <ImportDialog key={calendar.id} calendar={calendar} onClose={close} /> : null;
}
