import { useOrganization } from "#app/components/organization";
import { bookHref } from "#app/components/page-links";
import { OpenAlarms } from "#app/routes/detail/open-alarms";
import { OpenWorkorders } from "#app/routes/detail/open-workorders";
import { Windows } from "#app/routes/detail/windows";
import { mayToggle } from "#domain/organization/permissions";
import type { Device } from "#domain/records/records";
import type { Around } from "./around";
import { DeviceFacts } from "./device-facts";
import { DeviceHub } from "./device-hub";
import { LimitLinks } from "./limit-links";

/** What stands beside a light's state. The default export is for onDemand(). */
export default function DeviceAside({ device, around }: { device: Device; around: Around }) {
  const { user } = useOrganization();
  const { alarms, windows, workorders, hub, groups, now } = around;
  const place = new URLSearchParams({ area_id: device.area_id, device_id: device.id });
  return (
    <>
      <OpenAlarms alarms={alarms} />
      <Windows
        windows={windows}
        area_id={device.area_id}
        all={`/schedules?${new URLSearchParams({ q: device.name, area: device.area_id })}`}
        plan={mayToggle(user, device) ? bookHref(device.area_id, device.id) : null}
      >
        <LimitLinks device={device} />
      </Windows>
      <OpenWorkorders
        workorders={workorders}
        all={`/workorders?${new URLSearchParams({ area: device.area_id })}`}
        add={`/workorders?new=&${place}`}
      />
      <DeviceHub device={device} hub={hub} now={now} />
      <DeviceFacts device={device} groups={groups} />
    </>
  );
}
