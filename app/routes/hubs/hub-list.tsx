import { Plus, Router } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { DeleteDialog } from "#app/forms/delete-dialog";
import { EmptyState } from "#app/components/empty-state";
import { NothingFound } from "#app/lists/nothing-found";
import { NextStep } from "#app/components/next-step";
import { PageHeader } from "#app/components/page-header";
import { Pager } from "#app/lists/pager";
import { ListTools } from "#app/lists/list-tools";
import { areaFilter, labelsOf, sortFilter, wordFilter } from "#app/lists/list-filters";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import type { HUB_SORTS, PlacedPage } from "#domain/lists/list-query";
import type { Hub, HubHealth, MayAffect } from "#domain/records/records";
import { CONNECTION_MODES, HUB_STATUSES } from "#domain/enums";
import { Button } from "#app/ui/button";
import { CardGrid } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { HubCard } from "./hub-card";
import { HubDialog } from "./hub-dialog";

type Hubs = PlacedPage<Hub & MayAffect & { warning: string | null }> & { health: Map<string, HubHealth>; now: number };

const SORTS: Record<(typeof HUB_SORTS)[number], string> = {
  name: "Name",
  area: "Area",
  status: "Status, offline first",
  seen: "Last seen",
};
const FILTERS = [
  wordFilter("status", "Status", "Any status", labelsOf(HUB_STATUSES)),
  wordFilter("mode", "Connection", "Any connection", labelsOf(CONNECTION_MODES)),
  sortFilter(SORTS),
];

export function HubList({ hubs }: { hubs: Promise<Deferred<Hubs>> }) {
  const { dialog } = useDialog();
  const mayCreate = useCan("hub.save");
  return (
    <>
      <PageHeader title="Hub Management" text="How devices are reached, and how well">
        {mayCreate && (
          <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
            New Hub
          </Button>
        )}
      </PageHeader>
      <Streamed list={hubs} loading={<LoadingBlock label="Loading hubs..." />} failed="Failed to fetch hubs">
        {(page) => (
          <>
            <ListTools label="Search hubs" count={page} filters={[areaFilter(page.areas), ...FILTERS]} />
            <HubCards page={page} />
            <Pager {...page} />
            <HubDialogs hubs={page.rows} />
          </>
        )}
      </Streamed>
      {dialog === "new" && mayCreate && <HubDialog hub={null} />}
    </>
  );
}

function HubCards({ page }: { page: Hubs }) {
  const mayCreate = useCan("hub.save");
  if (page.all === 0) {
    return (
      <EmptyState icon={Router} title="No Hubs Found" text="A hub connects the devices of an area.">
        {mayCreate && <NextStep areas={page.areas} noun="Hub" />}
      </EmptyState>
    );
  }
  if (page.total === 0) return <NothingFound />;
  return (
    <CardGrid aria-label="Hubs">
      {page.rows.map((hub) => (
        <HubCard key={hub.id} hub={hub} warning={hub.warning} health={page.health.get(hub.id)} now={page.now} />
      ))}
    </CardGrid>
  );
}

function HubDialogs({ hubs }: { hubs: (Hub & MayAffect)[] }) {
  const { dialog, record: hub, close } = useRecord(hubs);
  const mayEdit = useCan("hub.save");
  const mayDelete = useCan("hub.delete");
  if (!hub) return null;
  if (dialog === "edit" && mayEdit) return <HubDialog key={hub.id} hub={hub} />;
  if (dialog !== "delete" || !mayDelete || !hub.may_affect) return null;
  return <DeleteDialog owner="hub" record={hub} onClose={close} />;
}
