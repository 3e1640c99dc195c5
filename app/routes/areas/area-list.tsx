import { MapPinned, Plus } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { DeleteDialog } from "#app/forms/delete-dialog";
import { EmptyState } from "#app/components/empty-state";
import { NothingFound } from "#app/lists/nothing-found";
import { PageHeader } from "#app/components/page-header";
import { Pager } from "#app/lists/pager";
import { ListTools } from "#app/lists/list-tools";
import { capitalized, sortFilter, wordFilter } from "#app/lists/list-filters";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import type { AREA_SORTS, Page } from "#domain/list-query";
import type { Area } from "#domain/records";
import { AREA_TYPES } from "#domain/enums";
import { Button } from "#app/ui/button";
import { CardGrid } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { AreaCard } from "./area-card";
import { AreaDialog } from "./area-dialog";

const SORTS: Record<(typeof AREA_SORTS)[number], string> = { name: "Name", newest: "Newest first", type: "Type" };
const FILTERS = [
  wordFilter("type", "Type", "All types", capitalized(AREA_TYPES)),
  wordFilter("status", "Status", "Active and inactive", { active: "Active", inactive: "Inactive" }),
  sortFilter(SORTS),
];

export function AreaList({ areas }: { areas: Promise<Deferred<Page<Area>>> }) {
  const { dialog } = useDialog();
  const mayCreate = useCan("area.save");
  return (
    <>
      <PageHeader title="Area Management" text="The parks, fields, rivers and paths that are lit">
        <ButtonLink to="/closures">Closures</ButtonLink>
        <ButtonLink to="/permits">Permits</ButtonLink>
        {mayCreate && (
          <Button look="primary" icon={<Plus className="size-4" />} {...opens("new")}>
            New Area
          </Button>
        )}
      </PageHeader>
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
      {dialog === "new" && mayCreate && <AreaDialog area={null} />}
    </>
  );
}

function AreaCards({ page }: { page: Page<Area> }) {
  const mayCreate = useCan("area.save");
  if (page.all === 0) {
    return (
      <EmptyState icon={MapPinned} title="No Areas Found" text="Hubs, devices and schedules all belong to an area.">
        {mayCreate && (
          <Button look="primary" icon={<Plus className="size-4" />} {...opens("new")}>
            Create Area
          </Button>
        )}
      </EmptyState>
    );
  }
  if (page.total === 0) return <NothingFound />;
  return (
    <CardGrid aria-label="Areas">
      {page.rows.map((area) => (
        <AreaCard key={area.id} area={area} />
      ))}
    </CardGrid>
  );
}

function AreaDialogs({ areas }: { areas: Area[] }) {
  const { dialog, record: area, close } = useRecord(areas);
  const mayEdit = useCan("area.save");
  const mayDelete = useCan("area.delete");
  if (!area) return null;
  if (dialog === "edit" && mayEdit) return <AreaDialog key={area.id} area={area} />;
  if (dialog !== "delete" || !mayDelete) return null;
  return <DeleteDialog owner="area" record={area} onClose={close} />;
}
