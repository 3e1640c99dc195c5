import { CalendarClock, Plus } from "lucide-react";
import { useCan } from "#app/components/capability";
import { ConfirmDialog } from "#app/components/confirm-dialog";
import { EmptyState } from "#app/components/empty-state";
import { NothingFound } from "#app/components/nothing-found";
import { PageHeader } from "#app/components/page-header";
import { Pager } from "#app/components/pager";
import { ListTools } from "#app/components/list-tools";
import { areaFilter, deptFilter, sortFilter, wordFilter } from "#app/components/list-filters";
import { useOrganization } from "#app/components/organization";
import { Streamed } from "#app/components/streamed";
import { useRecord } from "#app/components/use-record";
import { useDialog } from "#app/components/view";
import type { Arrival } from "#app/streaming";
import type { PlacedPage, SCHEDULE_SORTS } from "#domain/list-query";
import type { Schedule } from "#domain/records";
import type { ScheduleStatus } from "#domain/words";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { ScheduleDialog } from "./schedule-dialog";
import { ScheduleRow, type DescribedSchedule } from "./schedule-row";

/** Decision 26. */
const CANCEL_WORDS = { keep: "Keep schedule", go: "Cancel schedule", going: "Canceling..." };

type Schedules = PlacedPage<DescribedSchedule>;

const SORTS: Record<(typeof SCHEDULE_SORTS)[number], string> = {
  open: "Open first, by start",
  latest: "Latest start first",
  title: "Title",
  device: "Device",
};
const STATUSES: Record<ScheduleStatus, string> = { scheduled: "Scheduled", done: "Completed", canceled: "Canceled" };
const FILTERS = [wordFilter("status", "Status", "Any status", STATUSES), sortFilter(SORTS)];

export function ScheduleList({ schedules }: { schedules: Promise<Arrival<Schedules>> }) {
  const { dialog, open } = useDialog();
  const mayCreate = useCan("schedule.save");
  return (
    <>
      <PageHeader title="Schedule Management" text="When lights go on and off by themselves">
        {mayCreate && (
          <Button look="primary" icon={<Plus className="size-4" />} onClick={() => open("new")}>
            New Schedule
          </Button>
        )}
      </PageHeader>
      <Streamed
        list={schedules}
        loading={<LoadingBlock label="Loading schedules..." />}
        failed="Failed to fetch schedules"
      >
        {(page) => (
          <>
            <ScheduleTools page={page} />
            <ScheduleRows page={page} />
            <Pager {...page} />
            <ScheduleDialogs schedules={page.rows} />
          </>
        )}
      </Streamed>
      {dialog === "new" && mayCreate && <ScheduleDialog schedule={null} />}
    </>
  );
}

function ScheduleTools({ page }: { page: Schedules }) {
  const { departments } = useOrganization();
  const filters = [areaFilter(page.areas), deptFilter(departments), ...FILTERS];
  return <ListTools label="Search schedules" count={page} filters={filters} />;
}

function ScheduleRows({ page }: { page: Schedules }) {
  if (page.all === 0) {
    return (
      <EmptyState
        icon={CalendarClock}
        title="No Schedules Found"
        text="A schedule turns a device on and off by itself."
      />
    );
  }
  if (page.total === 0) return <NothingFound />;
  return (
    <ul aria-label="Schedules" className="flex flex-col gap-2.5">
      {page.rows.map((schedule) => (
        <ScheduleRow key={schedule.id} schedule={schedule} />
      ))}
    </ul>
  );
}

function ScheduleDialogs({ schedules }: { schedules: Schedule[] }) {
  const { dialog, record: schedule, close } = useRecord(schedules);
  const mayEdit = useCan("schedule.save");
  const mayCancel = useCan("schedule.cancel");
  if (!schedule) return null;
  if (dialog === "edit" && mayEdit) return <ScheduleDialog key={schedule.id} schedule={schedule} />;
  if (dialog !== "cancel" || !mayCancel) return null;
  const text = `Are you sure you want to cancel "${schedule.title}"? This prevents scheduled device control.`;
  return (
    <ConfirmDialog
      title="Cancel Schedule"
      text={text}
      intent="cancel"
      record={schedule}
      words={CANCEL_WORDS}
      onClose={close}
    />
  );
}
