import { grouped } from "#domain/counted";
import { Link, useSearchParams } from "@remix-run/react";
import { CircleCheck } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { PageHeader } from "#app/components/page-header";
import { RefreshButton } from "#app/components/refresh-button";
import { Tabs } from "#app/components/tabs";
import { OfOneArea } from "#app/lists/of-one-area";
import { Pager } from "#app/lists/pager";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { viewOf } from "#app/router/view";
import type { Alarm, AlarmPage } from "#domain/alarms/alarm-records";
import type { Choice } from "#domain/lists/list-query";
import { ALARM_STATES, type AlarmState } from "#domain/enums";
import { LoadingBlock } from "#app/ui/spinner";
import { AcknowledgeAll } from "./acknowledge-all";
import { AreaSelect } from "./area-select";
import { AlarmRow } from "./alarm-row";
import { SilentHubRow } from "./silent-hub-row";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep the form out of the first load. */
const AssignDialog = dialogOnDemand(() => import("./assign-dialog"));

const WORDS = { failed: "Failed to load alarms" };
const LABELS: Record<AlarmState, string> = { open: "Open", acknowledged: "Acknowledged", over: "Over" };
const TITLES: Record<AlarmState, string> = {
  open: "No alarm is open",
  acknowledged: "No alarm is acknowledged",
  over: "No alarm is over",
};

/** Of a hub that answers again what its lights have not recovered from is told of them; and each may be acknowledged. */
const NONE_BEHIND = {
  title: "No alarm here is told of the hub",
  text: "It answers again, its lights are well, or somebody has seen their alarms.",
};

/** `areas`: those that the list can be narrowed to. */
export type Alarms = AlarmPage & { areas: Choice[] };

export function AlarmList({ alarms }: { alarms: Promise<Deferred<Alarms>> }) {
  const [search] = useSearchParams();
  const [area, hub] = [search.get("area"), search.get("hub")];
  const tab = useTab();
  return (
    <>
      <PageHeader
        title="Alarms"
        text="Failures that the engine reported. Open ones are those that nobody has acknowledged."
      >
        <RefreshButton list={alarms} words={WORDS} />
      </PageHeader>
      <Streamed list={alarms} loading={<LoadingBlock label="Loading alarms..." />} failed={WORDS.failed}>
        {(page) => (
          <>
            <StateTabs page={page} area={area} />
            <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
              <AreaSelect areas={page.areas} />
              {area !== null && <OfOneArea name={nameOf(page, area)} />}
              {hub !== null && <BehindOneHub name={page.silent_hubs.find(({ id }) => id === hub)?.name} />}
              {tab === "open" && hub === null && (
                <AcknowledgeAll
                  open={page.counts.open}
                  told_until={page.told_until}
                  area={area === null ? null : { id: area, name: nameOf(page, area) }}
                />
              )}
            </div>
            <AlarmRows page={page} />
            <Pager {...page} />
            <AlarmDialogs alarms={page.rows} />
          </>
        )}
      </Streamed>
    </>
  );
}

function nameOf({ areas }: Alarms, area: string): string | undefined {
  return areas.find(({ id }) => id === area)?.name;
}

function useTab(): AlarmState {
  const asked = useSearchParams()[0].get("tab");
  return ALARM_STATES.find((state) => state === asked) ?? "open";
}

function StateTabs({ page: { counts }, area }: { page: AlarmPage; area: string | null }) {
  const tabs = ALARM_STATES.map((state) => ({ name: state, label: `${LABELS[state]} (${grouped(counts[state])})` }));
  return <Tabs label="Alarms" current={useTab()} tabs={tabs} kept={area === null ? {} : { area }} />;
}

/** Why nothing is listed. That all is well would be untrue: what is wrong may be acknowledged, or just not be reported yet. */
function emptyText(state: AlarmState, { acknowledged }: AlarmPage["counts"], isNarrowed: boolean): string {
  if (state === "acknowledged") return "An alarm comes here when somebody has seen it.";
  if (state === "over") return "An alarm comes here when everything is well again.";
  if (acknowledged === 1) return "One is acknowledged, and not over yet.";
  if (acknowledged > 1) return `${acknowledged} are acknowledged, and not over yet.`;
  return `The engine reports nothing wrong${isNarrowed ? " there" : ""} now.`;
}

/** Says that a link has narrowed the list to what a silent hub explains, with the way out. */
function BehindOneHub({ name = "a hub" }: { name?: string | undefined }) {
  const all = viewOf(useSearchParams()[0]);
  for (const narrowed of ["hub", "page"]) all.delete(narrowed);
  return (
    <p className="text-ink-soft">
      Only those of lights behind {name}.{" "}
      <Link to={`?${all}`} className="text-brand-text -my-3 py-3 font-medium hover:underline">
        Show all
      </Link>
    </p>
  );
}

/** What a silent hub explains is told of the hub, which comes first: in its own alarm, or before there is one, by itself. */
function AlarmRows({ page }: { page: AlarmPage }) {
  const state = useTab();
  const [search] = useSearchParams();
  const isNarrowed = search.has("area");
  const silent = state === "over" || search.has("hub") ? [] : page.silent_hubs;
  const alarmOf = (hub_id: string) => page.rows.find((row) => row.kind === "hub_offline" && row.hub_id === hub_id);
  const causes = silent
    .map((hub) => ({ hub, alarm: alarmOf(hub.id) }))
    .filter(({ alarm }) => alarm !== undefined || page.page === 1);
  const others = page.rows.filter((row) => !causes.some(({ alarm }) => alarm === row));
  if (page.rows.length === 0 && search.has("hub")) return <EmptyState icon={CircleCheck} {...NONE_BEHIND} />;
  if (page.rows.length + causes.length === 0)
    return <EmptyState icon={CircleCheck} title={TITLES[state]} text={emptyText(state, page.counts, isNarrowed)} />;
  return (
    <ul aria-label="Alarms" className="flex flex-col gap-2.5">
      {causes.map(({ hub, alarm }) =>
        alarm ? <AlarmRow key={alarm.id} alarm={alarm} hub={hub} /> : <SilentHubRow key={hub.id} hub={hub} />,
      )}
      {others.map((alarm) => (
        <AlarmRow key={alarm.id} alarm={alarm} />
      ))}
    </ul>
  );
}

function AlarmDialogs({ alarms }: { alarms: Alarm[] }) {
  const { dialog, record: alarm, close } = useRecord(alarms);
  if (!alarm || dialog !== "assign") return null;
  return <AssignDialog key={alarm.id} alarm={alarm} onClose={close} />;
}
