import { lazy, Suspense } from "react";
import { Moon, Pencil, Trash2 } from "#app/ui/icons";
import { StateBadge } from "#app/components/badges";
import { useCan } from "#app/components/capability";
import { DeptBadge } from "#app/components/dept-badge";
import { PageHeader } from "#app/components/page-header";
import { RefreshButton } from "#app/components/refresh-button";
import { useLiveDevice } from "#app/live/states";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { opens } from "#app/router/view";
import { Columns } from "#app/routes/detail/columns";
import { HistoryList } from "#app/routes/detail/history-list";
import { OpenAlarms } from "#app/routes/detail/open-alarms";
import { OpenWorkorders } from "#app/routes/detail/open-workorders";
import { NameLink, Trail, areaHref } from "#app/components/page-links";
import { Windows } from "#app/routes/detail/windows";
import { Section } from "#app/routes/detail/section";
import type { DeviceDetail } from "#domain/detail-records";
import type { LightTonight } from "#domain/tonight-records";
import type { Device } from "#domain/records";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { DeviceFacts } from "./device-facts";
import { DeviceNow } from "./device-now";
import { DeviceHub } from "./device-hub";
import { LimitLinks } from "./limit-links";

/** The detail, and when it was loaded (epoch ms). */
export type Around = DeviceDetail & { tonight: LightTonight | null; now: number };

/** Loaded after the page, to keep it out of the first load. */
const NightBar = lazy(async () => ({ default: (await import("#app/components/night/night-bar")).NightBar }));
/** Loaded after the page, to keep its form out of the first load. */
const DeviceSwitch = lazy(() => import("#app/routes/switch/device-switch"));

const WORDS = { failed: "Failed to fetch devices" };

type Props = { device: Device; around: Promise<Deferred<Around>> };

export function DeviceScreen({ device, around }: Props) {
  const mayEdit = useCan("device.save");
  const mayDelete = useCan("device.delete");
  return (
    <>
      <Trail>
        <NameLink to="/devices">Devices</NameLink>
        <span aria-hidden>/</span>
        <NameLink to={areaHref(device.area_id)}>{device.area_name}</NameLink>
      </Trail>
      <PageHeader title={device.name} wraps>
        <RefreshButton list={around} words={WORDS} />
        {mayEdit && (
          <Button icon={<Pencil className="size-4" />} aria-label={`Edit ${device.name}`} {...opens("edit", device.id)}>
            Edit
          </Button>
        )}
        {mayDelete && (
          <Button
            icon={<Trash2 className="size-4" />}
            aria-label={`Delete ${device.name}`}
            {...opens("delete", device.id)}
          >
            Delete
          </Button>
        )}
      </PageHeader>
      <Streamed list={around} loading={<LoadingBlock label="Loading device..." />} failed={WORDS.failed}>
        {(arrived) => <Body {...arrived} device={device} />}
      </Streamed>
    </>
  );
}

function Body({ device: loaded, explanation, hub, windows, history, workorders, alarms, tonight, now }: Around) {
  const device = useLiveDevice(loaded);
  const place = new URLSearchParams({ area_id: device.area_id, device_id: device.id });
  return (
    <>
      <Columns
        main={
          <DeviceNow device={device} explanation={explanation}>
            <StateBadge state={device.current_state} />
            <DeptBadge dept_id={device.dept_id} />
          </DeviceNow>
        }
        aside={
          <>
            <OpenAlarms alarms={alarms} />
            {tonight && (
              <Section icon={Moon} title="Tonight" more={{ to: "/tonight", label: "All lights" }}>
                <Suspense fallback={<div className="h-23" />}>
                  <NightBar {...tonight} />
                </Suspense>
              </Section>
            )}
            <Windows
              windows={windows}
              all={`/schedules?${new URLSearchParams({ q: device.name, area: device.area_id })}`}
              plan={`/schedules?new=&${place}`}
            >
              <LimitLinks device={device} />
            </Windows>
            <OpenWorkorders
              workorders={workorders}
              all={`/workorders?${new URLSearchParams({ area: device.area_id })}`}
              add={`/workorders?new=&${place}`}
            />
            <DeviceHub device={device} hub={hub} now={now} />
            <DeviceFacts device={device} />
          </>
        }
        history={<HistoryList history={history} all={`/history?${new URLSearchParams({ device: device.id })}`} />}
      />
      <Suspense>
        <DeviceSwitch device={device} now={now} />
      </Suspense>
    </>
  );
}
