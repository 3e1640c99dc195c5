import { useSearchParams } from "@remix-run/react";
import { useCan } from "#app/components/capability";
import { useNow } from "#app/components/night/use-now";
import { useAsked } from "#app/routes/detail/use-asked";
import { useDialog } from "#app/router/view";
import { useNoScript } from "#app/ui/no-script";
import type { Week } from "#app/week/week";
import { CancelDialog } from "#app/routes/schedules/cancel-dialog";
import { RECORD_FAILED, recordHref } from "#app/routes/schedules/record-href";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

const ScheduleDialog = dialogOnDemand(() => import("../schedule-dialog"));
const SkipDialog = dialogOnDemand(() => import("../skip-dialog"));
const MoveDialog = dialogOnDemand(() => import("./move-dialog"));

type Props = { week: Week; record: DescribedSchedule | null };

/** The forms that blocks and empty stretches open; those of the list, and one for hours alone. */
export function WeekDialogs({ week, record }: Props) {
  const { dialog, id, close } = useDialog();
  const now = useNow(week.now);
  const noScript = useNoScript();
  const mayEdit = useCan("schedule.save");
  if (dialog === null) return null;
  if (dialog === "new") {
    if (!mayEdit) return null;
    return <ScheduleDialog schedule={null} now={now} onClose={close} />;
  }
  if (noScript) return record ? <OfSchedule schedule={record} week={week} now={now} /> : null;
  return <Asked key={`${dialog} ${id}`} id={id} week={week} now={now} />;
}

/** Asks for the schedule as it is now: the week may have been loaded a while ago. */
function Asked({ id, ...rest }: { id: string; week: Week; now: number }) {
  const schedule = useAsked<DescribedSchedule>(recordHref(id), RECORD_FAILED);
  return schedule ? <OfSchedule schedule={schedule} {...rest} /> : null;
}

function OfSchedule({ schedule, week, now }: { schedule: DescribedSchedule; week: Week; now: number }) {
  const { dialog, close } = useDialog();
  const [search] = useSearchParams();
  const mayCopy = useCan("schedule.save");
  const mayCancel = useCan("schedule.cancel") && schedule.may_write;
  if (dialog === "cancel" && mayCancel) return <CancelDialog schedule={schedule} onClose={close} />;
  if (!mayCopy) return null;
  if (dialog === "copy") return <ScheduleDialog schedule={schedule} isCopy now={now} onClose={close} />;
  if (!schedule.may_write) return null;
  if (dialog === "edit") return <ScheduleDialog schedule={schedule} now={now} onClose={close} />;
  if (dialog === "move") return <MoveDialog schedule={schedule} onClose={close} />;
  if (dialog !== "skip") return null;
  const night = nightOf(week, schedule, search.get("night"));
  return <SkipDialog schedule={{ ...schedule, ...night }} onClose={close} />;
}

/** The night that was chosen in the week; without one, those that come. */
function nightOf({ windows, now }: Week, schedule: DescribedSchedule, date: string | null) {
  const window = windows.find((each) => each.schedule_id === schedule.id && each.date === date);
  if (!window) return schedule;
  const { start, end } = window;
  const is_running = !schedule.lights_nothing && start <= now && now < end;
  return { nights: [{ date: window.date, start, end }], is_running };
}
