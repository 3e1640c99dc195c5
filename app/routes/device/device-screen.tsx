import { Suspense } from "react";
import { Moon, Pencil, Trash2 } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { PageHeader } from "#app/components/page-header";
import { RefreshButton } from "#app/components/refresh-button";
import { useLiveDevice } from "#app/live/states";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { opens } from "#app/router/view";
import { Columns } from "#app/routes/detail/columns";
import { HistoryList } from "#app/routes/detail/history-list";
import { NameLink, Trail, areaHref } from "#app/components/page-links";
import { Section } from "#app/routes/detail/section";
import { mayToggle } from "#domain/organization/permissions";
import type { Device } from "#domain/records/records";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import type { Around } from "./around";
import { DeviceNow } from "./device-now";
import { onDemand } from "#app/ui/on-demand";

/** Loaded after the page, to keep them out of the first load; the server renders them with it. */
const DeviceAside = onDemand(() => import("./device-aside"));
const NightBar = onDemand(async () => ({ default: (await import("#app/components/night/night-bar")).NightBar }));
/** Loaded after the page, to keep its form out of the first load. */
const DeviceSwitch = onDemand(() => import("#app/routes/switch/device-switch"));

const WORDS = { failed: "Failed to fetch devices" };

type Props = { device: Device; around: Promise<Deferred<Around>> };

export function DeviceScreen({ device, around }: Props) {
  const mayWrite = mayToggle(useOrganization().user, device);
  const mayEdit = useCan("device.save") && mayWrite;
  const mayDelete = useCan("device.delete") && mayWrite;
  return (
    <>
      <Trail>
        <NameLink to="/devices">Devices</NameLink>
        <span aria-hidden>/</span>
        <NameLink to={areaHref(device.area_id)}>{device.area_name}</NameLink>
      </Trail>
      <PageHeader title={device.name} wraps>
        {/* On a phone beside the trail, so that what one comes for stands at the top. */}
        <div className="max-sm:absolute max-sm:-top-12 max-sm:right-0">
          <RefreshButton list={around} words={WORDS} />
        </div>
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
        {(arrived) => <Body around={arrived} device={device} />}
      </Streamed>
    </>
  );
}

function Body({ device: loaded, around }: { device: Device; around: Around }) {
  const { explanation, history, tonight, now } = around;
  const device = useLiveDevice(loaded);
  return (
    <>
      <Columns
        main={
          <>
            <DeviceNow device={device} explanation={explanation} />
            {tonight && (
              <Section
                icon={Moon}
                title="Tonight"
                more={{ to: `/tonight?open=${device.area_id}`, label: "All lights" }}
              >
                <Suspense fallback={<div className="h-31" />}>
                  <NightBar {...tonight} />
                </Suspense>
              </Section>
            )}
          </>
        }
        aside={
          <Suspense>
            <DeviceAside device={device} around={around} />
          </Suspense>
        }
        history={
          <HistoryList history={history} of={device} all={`/history?${new URLSearchParams({ device: device.id })}`} />
        }
      />
      <Suspense>
        <DeviceSwitch device={device} now={now} />
      </Suspense>
    </>
  );
}
