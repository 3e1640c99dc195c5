import { useSearchParams } from "@remix-run/react";
import { Suspense } from "react";
import { LayoutGrid, Map as MapIcon, MapPinned, Plus } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { DeleteDialog } from "#app/forms/delete-dialog";
import { EmptyState } from "#app/components/empty-state";
import { NothingFound } from "#app/lists/nothing-found";
import { PageHeader } from "#app/components/page-header";
import { ViewSwitch } from "#app/routes/views/view-switch";
import { Pager } from "#app/lists/pager";
import { ListTools } from "#app/lists/list-tools";
import { labelsOf, sortFilter, wordFilter } from "#app/lists/list-filters";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog, viewOf } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import type { AREA_SORTS, Page } from "#domain/lists/list-query";
import type { Area, MayAffect } from "#domain/records/records";
import { AREA_TYPES } from "#domain/enums";
import { Button } from "#app/ui/button";
import { CardGrid } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { AreaCard } from "./area-card";
import { AreaDialog } from "./area-dialog";
import type { Tiles } from "./map/area-map";
import type { CityMap } from "./map/city-map";
import { onDemand } from "#app/ui/on-demand";

const SORTS: Record<(typeof AREA_SORTS)[number], string> = { name: "Name", newest: "Newest first", type: "Type" };
const FILTERS = [
  wordFilter("type", "Type", "All types", labelsOf(AREA_TYPES)),
  wordFilter("status", "Status", "Active and inactive", { active: "Active", inactive: "Inactive" }),
  sortFilter(SORTS),
];

/** Loaded on demand: few look at the map every day. */
const AreaMap = onDemand(() => import("./map/area-map"));

type ListedArea = Area & MayAffect;

type Props = {
  areas: Promise<Deferred<Page<ListedArea>>> | null;
  /** With what the map's ground is drawn from; both are null where the cards are shown. */
  city: Promise<Deferred<CityMap>> | null;
  tiles: Tiles | null;
};

export function AreaList({ areas, city, tiles }: Props) {
  const { dialog } = useDialog();
  const mayCreate = useCan("area.save");
  return (
    <>
      <PageHeader title="Area Management" text="The parks, fields, rivers and paths that are lit">
        <Views isMap={city !== null} />
        <ButtonLink to="/closures">Closures</ButtonLink>
        <ButtonLink to="/permits">Permits</ButtonLink>
        {mayCreate && (
          <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
            New Area
          </Button>
        )}
      </PageHeader>
      {areas && (
        <Streamed list={areas} loading={<LoadingBlock label="Loading areas..." />} failed="Failed to fetch areas">
          {(page) => (
            <>
              <ListTools label="Search areas" count={page} filters={FILTERS} />
              <AreaCards page={page} />
              <Pager {...page} />
              <AreaDialogs areas={page.rows} />
            </>
          )}
        </Streamed>
      )}
      {city && tiles && (
        <Streamed list={city} loading={<LoadingBlock label="Loading map..." />} failed="Failed to fetch areas">
          {(page) =>
            page.all === 0 ? (
              <NoAreas />
            ) : (
              <>
                <ListTools label="Search areas" count={page} filters={FILTERS.filter(({ name }) => name !== "sort")} />
                <Suspense fallback={<LoadingBlock label="Loading map..." />}>
                  <AreaMap city={page} tiles={tiles} />
                </Suspense>
              </>
            )
          }
        </Streamed>
      )}
      {dialog === "new" && mayCreate && <AreaDialog area={null} />}
    </>
  );
}

/** The same areas as cards or on the map, with the search that there is. */
function Views({ isMap }: { isMap: boolean }) {
  const [search] = useSearchParams();
  const to = (view: "cards" | "map") => {
    const { view: _, page: __, ...kept } = Object.fromEntries(viewOf(search));
    return `?${new URLSearchParams({ ...kept, ...(view === "map" ? { view } : {}) })}`;
  };
  return (
    <ViewSwitch
      views={[
        { to: to("cards"), label: "Cards", icon: <LayoutGrid className="size-4" />, isCurrent: !isMap },
        { to: to("map"), label: "Map", icon: <MapIcon className="size-4" />, isCurrent: isMap },
      ]}
    />
  );
}

function AreaCards({ page }: { page: Page<ListedArea> }) {
  if (page.all === 0) return <NoAreas />;
  if (page.total === 0) return <NothingFound />;
  return (
    <CardGrid aria-label="Areas">
      {page.rows.map((area) => (
        <AreaCard key={area.id} area={area} />
      ))}
    </CardGrid>
  );
}

function NoAreas() {
  const mayCreate = useCan("area.save");
  return (
    <EmptyState icon={MapPinned} title="No Areas Found" text="Hubs, devices and schedules all belong to an area.">
      {mayCreate && (
        <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
          Create Area
        </Button>
      )}
    </EmptyState>
  );
}

function AreaDialogs({ areas }: { areas: ListedArea[] }) {
  const { dialog, record: area, close } = useRecord(areas);
  const mayEdit = useCan("area.save");
  const mayDelete = useCan("area.delete");
  if (!area) return null;
  if (dialog === "edit" && mayEdit) return <AreaDialog key={area.id} area={area} />;
  if (dialog !== "delete" || !mayDelete || !area.may_affect) return null;
  return <DeleteDialog owner="area" record={area} onClose={close} />;
}
