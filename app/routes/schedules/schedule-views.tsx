import { ViewSwitch } from "#app/routes/views/view-switch";
import { CalendarDays, List } from "#app/ui/icons";
import { weekHref } from "./week/week-links";

type Props = { view: "list" | "week"; area?: string | undefined };

/** The list of schedules, or what they come to night by night; of the same area if one is chosen. */
export function ScheduleViews({ view, area }: Props) {
  const list = area === undefined ? "/schedules" : `/schedules?${new URLSearchParams({ area })}`;
  const icon = "size-4";
  return (
    <ViewSwitch
      needScript={false}
      views={[
        { to: list, label: "List", icon: <List className={icon} />, isCurrent: view === "list" },
        { to: weekHref({ area }), label: "Week", icon: <CalendarDays className={icon} />, isCurrent: view === "week" },
      ]}
    />
  );
}
