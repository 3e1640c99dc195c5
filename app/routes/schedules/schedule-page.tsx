import { Ban, CalendarClock } from "#app/ui/icons";
import { useState } from "react";
import type { ApiCall } from "#app/components/ask-api";
import { useCan } from "#app/components/capability";
import { NextStep } from "#app/components/next-step";
import { EmptyState } from "#app/components/empty-state";
import { areaFilter, deptFilter, deviceFilter, sortFilter, wordFilter } from "#app/lists/list-filters";
import { ListTools } from "#app/lists/list-tools";
import { NothingFound } from "#app/lists/nothing-found";
import { useOrganization } from "#app/components/organization";
import { Pager } from "#app/lists/pager";
import { SelectButton } from "#app/selection/select-button";
import { SelectionBar } from "#app/selection/selection-bar";
import { useBulk, type Item } from "#app/selection/use-bulk";
import { useSelection, type Choosing, type Selection } from "#app/selection/use-selection";
import { counted } from "#domain/counted";
import type { Choice, PlacedPage, SCHEDULE_SORTS } from "#domain/lists/list-query";
import type { ScheduleStatus } from "#domain/enums";
import type { Schedule } from "#domain/records/records";
import { formatInstant } from "#domain/time/display";
import { AlertDialog } from "#app/ui/alert-dialog";
import { Button } from "#app/ui/button";
import { cancelAllWords } from "./cancel-words";
import { ScheduleRow, type DescribedSchedule } from "./schedule-row";

/** `devices` are the options of the device filter. */
/** `named` is the schedule that the address opens a dialog for. */
export type Schedules = PlacedPage<DescribedSchedule> & { devices: Choice[]; named: DescribedSchedule | null };

const SORTS: Record<(typeof SCHEDULE_SORTS)[number], string> = {
  next: "What is next, running first",
  latest: "Latest start first",
  title: "Title",
  device: "Device",
};
const STATUSES: Record<ScheduleStatus, string> = { scheduled: "Scheduled", done: "Completed", canceled: "Canceled" };
const FILTERS = [
  wordFilter("status", "Status", "Any status", STATUSES),
  { name: "on", label: "On this day", day: true } as const,
  sortFilter(SORTS),
];

const DOING = { now: "Canceling", done: "canceled" };

export function SchedulePage({ page }: { page: Schedules }) {
  const { departments } = useOrganization();
  const mayCancel = useCan("schedule.cancel");
  const selection = useSelection(
    page.rows.filter(({ status, may_write }) => mayCancel && may_write && status === "scheduled"),
  );
  return (
    <>
      <ListTools
        label="Search schedules"
        count={page}
        filters={[areaFilter(page.areas), deviceFilter(page.devices), deptFilter(departments), ...FILTERS]}
      >
        {mayCancel && <SelectButton selection={selection} />}
      </ListTools>
      <ScheduleRows page={page} selection={selection} />
      <Canceling selection={selection} />
      <Pager {...page} />
    </>
  );
}

function ScheduleRows({ page, selection }: { page: Schedules; selection: Choosing }) {
  const { zone } = useOrganization();
  const mayCreate = useCan("schedule.save");
  if (page.all === 0) {
    return (
      <EmptyState
        icon={CalendarClock}
        title="No Schedules Found"
        text="A schedule turns a device on and off by itself."
      >
        {mayCreate && <NextStep areas={page.areas} noun="Schedule" />}
      </EmptyState>
    );
  }
  if (page.total === 0) return <NothingFound />;
  return (
    <ul aria-label="Schedules" className="flex flex-col gap-2.5">
      {page.rows.map((schedule) => (
        <ScheduleRow
          key={schedule.id}
          schedule={schedule}
          name={nameAmong(page.rows, schedule, zone)}
          selection={selection}
        />
      ))}
    </ul>
  );
}

/** What its buttons are about: its title, and where several have that one, also its lights and its start. */
function nameAmong(all: Schedule[], { title, device_name, area_name, start_at }: Schedule, zone: string): string {
  if (all.filter((each) => each.title === title).length === 1) return title;
  return `${title}, ${device_name}, ${area_name}, ${formatInstant(start_at, zone)}`;
}

/** Cancels many schedules at once, after a confirmation. Failed ones stay selected. */
function Canceling({ selection }: { selection: Selection<DescribedSchedule> }) {
  const { run, start, stop, forget } = useBulk();
  const [isAsking, ask] = useState(false);
  const count = selection.chosen.length;
  const noun = count === 1 ? "schedule" : "schedules";

  async function cancel() {
    ask(false);
    const items = selection.chosen.map(({ id, title }) => ({ id, name: title }));
    const fallback = "Failed to cancel schedule";
    const callOf = ({ id }: Item): ApiCall => ({ method: "PUT", path: `/schedules/${id}/cancel`, body: {}, fallback });
    const results = await start(DOING, items, callOf);
    selection.choose(results.filter(({ reason }) => reason !== null));
  }

  function end() {
    forget();
    selection.end();
  }

  return (
    <SelectionBar selection={selection} run={run} onStop={stop} onEnd={end}>
      <Button
        icon={<Ban className="size-4" />}
        why={count === 0 ? "Select schedules first" : null}
        onClick={() => ask(true)}
      >
        Cancel schedules
      </Button>
      {isAsking && (
        <AlertDialog
          title={`Cancel ${counted(count, "Schedule")}`}
          description={cancelAllWords(selection.chosen)}
          keep={`Keep ${noun}`}
          onKeep={() => ask(false)}
        >
          <Button variant="danger" onClick={() => void cancel()}>
            Cancel {noun}
          </Button>
        </AlertDialog>
      )}
    </SelectionBar>
  );
}
