import { Plus } from "#app/ui/icons";
import { useSearchParams } from "@remix-run/react";
import { useCan } from "#app/components/capability";
import { PageHeader } from "#app/components/page-header";
import { useNow } from "#app/components/night/use-now";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { CancelDialog } from "./cancel-dialog";
import { ScheduleViews } from "./schedule-views";
import { SchedulePage, type Schedules } from "./schedule-page";
import type { DescribedSchedule } from "./schedule-row";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand: only this form needs the recurrence library in the browser. */
const ScheduleDialog = dialogOnDemand(() => import("./schedule-dialog"));

const SkipDialog = dialogOnDemand(() => import("./skip-dialog"));

/** `now` is the server's clock (epoch ms). */
type Props = { now: number; schedules: Promise<Deferred<Schedules>> };

export function ScheduleList({ now, schedules }: Props) {
  const [search] = useSearchParams();
  const mayCreate = useCan("schedule.save");
  return (
    <>
      <PageHeader title="Schedule Management" text="When lights go on and off by themselves">
        <ScheduleViews view="list" area={search.get("area") ?? undefined} />
        {mayCreate && (
          <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
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
            <SchedulePage page={page} />
            <ScheduleDialogs loaded={now} schedules={page.named ? [...page.rows, page.named] : page.rows} />
          </>
        )}
      </Streamed>
      {mayCreate && <NewDialog loaded={now} />}
    </>
  );
}

function NewDialog({ loaded }: { loaded: number }) {
  const { dialog, close } = useDialog();
  const now = useNow(loaded);
  return dialog === "new" && <ScheduleDialog schedule={null} now={now} onClose={close} />;
}

function ScheduleDialogs({ loaded, schedules }: { loaded: number; schedules: DescribedSchedule[] }) {
  const isCopy = useDialog().dialog === "copy";
  const { dialog, record: schedule, close } = useRecord(schedules.filter(({ may_write }) => may_write || isCopy));
  const now = useNow(loaded);
  const mayEdit = useCan("schedule.save");
  const mayCancel = useCan("schedule.cancel");
  if (!schedule) return null;
  if ((dialog === "edit" || isCopy) && mayEdit) {
    return (
      <ScheduleDialog key={`${dialog} ${schedule.id}`} schedule={schedule} isCopy={isCopy} now={now} onClose={close} />
    );
  }
  if (dialog === "skip" && mayEdit) {
    return <SkipDialog key={schedule.id} schedule={schedule} onClose={close} />;
  }
  if (dialog !== "cancel" || !mayCancel) return null;
  return <CancelDialog schedule={schedule} onClose={close} />;
}
