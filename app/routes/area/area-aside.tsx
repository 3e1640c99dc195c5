import { OpenAlarms } from "#app/routes/detail/open-alarms";
import { OpenWorkorders } from "#app/routes/detail/open-workorders";
import { Windows } from "#app/routes/detail/windows";
import { useOrganization } from "#app/components/organization";
import { bookHref } from "#app/components/page-links";
import { AreaGroups } from "./area-groups";
import { AreaHubs } from "./area-hubs";
import { AreaLimits } from "./area-limits";
import { mayToggle } from "#domain/organization/permissions";
import type { Around } from "./around";

/** What stands beside an area's lights. The default export is for onDemand(). */
export default function AreaAside(around: Around) {
  const { area, summary, devices, groups, hubs, windows, workorders, alarms, now } = around;
  const only = new URLSearchParams({ area: area.id });
  const place = new URLSearchParams({ area_id: area.id });
  const { user } = useOrganization();
  // Where only some of its lights may be booked the form begins without any.
  const some = devices.some((light) => mayToggle(user, light)) ? bookHref(area.id, null) : null;
  return (
    <>
      <OpenAlarms alarms={alarms} namesDevices />
      <AreaGroups groups={groups} devices={devices} hidden={summary.devices_hidden} />
      <AreaLimits {...around} />
      <Windows
        windows={windows}
        area_id={area.id}
        all={`/schedules?${only}`}
        plan={area.may_write ? bookHref(area.id) : some}
        lights={summary.devices_total}
        hidden={summary.devices_hidden}
      />
      <OpenWorkorders workorders={workorders} all={`/workorders?${only}`} add={`/workorders?new=&${place}`} />
      <AreaHubs hubs={hubs} now={now} all={`/hubs?${only}`} />
    </>
  );
}
