import { Suspense } from "react";
import { Lightbulb } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { EmptyState } from "#app/components/empty-state";
import { areaFilter, labelsOf, deptFilter, sortFilter, wordFilter } from "#app/lists/list-filters";
import { ListTools } from "#app/lists/list-tools";
import { NothingFound } from "#app/lists/nothing-found";
import { HiddenFields } from "#app/forms/hidden-fields";
import { hiddenSentence } from "#app/components/hidden-sentence";
import { NextStep } from "#app/components/next-step";
import { useOrganization } from "#app/components/organization";
import { Pager } from "#app/lists/pager";
import { SelectButton } from "#app/selection/select-button";
import { useSelection } from "#app/selection/use-selection";
import type { DEVICE_SORTS, PlacedPage } from "#domain/lists/list-query";
import { mayToggle } from "#domain/organization/permissions";
import { commonRefusal, type Told } from "#domain/light/refusal";
import type { Device } from "#domain/records/records";
import { AREA_TYPES } from "#domain/enums";
import { CardGrid } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { BulkSwitch } from "./bulk-switch";
import { DeviceCard } from "./device-card";
import type { DeviceView } from "./device-view";
import { DeviceViews } from "./device-views";
import type { ListedDevice } from "./listed-device";
import { Selecting } from "./selecting";
import { TOGGLE_FORM } from "./switch-buttons";
import { GuardrailNote } from "./guardrail-note";
import { WrongFirst } from "./wrong-first";
import { onDemand } from "#app/ui/on-demand";

/** Loaded for who chose it; the server renders it with the page. */
const DeviceTable = onDemand(() => import("./device-table"));

/**
 * `told`: why each light is on or off, and why its ON would be refused, by device id. `now` is epoch ms. `wrong` counts the
 * lights with a problem, of all that are found.
 */
export type Devices = PlacedPage<ListedDevice> & {
  hidden: number;
  wrong: number;
  told: Record<string, Told>;
  now: number;
  view: DeviceView;
  /** The device whose form the address opens. */
  edited: Device | null;
};

const SORTS: Record<(typeof DEVICE_SORTS)[number], string> = {
  name: "Name",
  area: "Area",
  state: "Wrong first, then on",
  updated: "Last update",
};
const FILTERS = [
  wordFilter("show", "Show", "All lights", { problems: "Wrong only" }),
  wordFilter("type", "Area type", "All types", labelsOf(AREA_TYPES)),
  wordFilter("state", "State", "Any state", { on: "On", off: "Off", unknown: "Unknown" }),
  sortFilter(SORTS),
];

type Props = { page: Devices };

export function DevicePage({ page }: Props) {
  const { user, departments } = useOrganization();
  const selection = useSelection(page.rows.filter((device) => mayToggle(user, device)));
  const guardrail = commonRefusal(page.rows.map(({ id }) => page.told[id]?.refusal ?? null));
  return (
    <>
      <ListTools
        label="Search devices"
        count={page}
        filters={[areaFilter(page.areas), deptFilter(departments), ...FILTERS]}
      >
        <SelectButton selection={selection} />
        <DeviceViews view={page.view} />
        <WrongFirst wrong={page.wrong} />
      </ListTools>
      <GuardrailNote guardrail={guardrail} />
      <form id={TOGGLE_FORM} method="post">
        <HiddenFields intent="toggle" />
      </form>
      <Selecting.Provider value={selection}>
        <Lights page={page} noted={guardrail} />
      </Selecting.Provider>
      <BulkSwitch selection={selection} guardrail={guardrail} />
      <Pager {...page} />
      {page.hidden > 0 && page.all > 0 && <p className="text-ink-soft mt-3 text-sm">{hiddenSentence(page.hidden)}</p>}
    </>
  );
}

function Lights({ page, noted }: Props & { noted: string | null }) {
  const mayCreate = useCan("device.save");
  if (page.all === 0) {
    return (
      <EmptyState
        icon={Lightbulb}
        title="No Devices Found"
        text={
          page.hidden > 0 ? hiddenSentence(page.hidden) : "A device is one switched light, or a group on one switch."
        }
      >
        {mayCreate && <NextStep areas={page.areas} noun="Device" />}
      </EmptyState>
    );
  }
  if (page.total === 0) return <NothingFound />;
  const lights = page.rows.map((device, n) => ({
    device,
    leads: n === 0,
    told: page.told[device.id],
    isNoted: noted !== null,
    now: page.now,
  }));
  if (page.view === "list") {
    return (
      <Suspense fallback={<LoadingBlock label="Loading devices..." />}>
        <DeviceTable lights={lights} />
      </Suspense>
    );
  }
  return (
    <CardGrid aria-label="Devices">
      {lights.map((light) => (
        <DeviceCard key={light.device.id} {...light} />
      ))}
    </CardGrid>
  );
}
