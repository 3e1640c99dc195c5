import { ClipboardList, Plus } from "#app/ui/icons";
import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { EmptyState } from "#app/components/empty-state";
import { NothingFound } from "#app/lists/nothing-found";
import { PageHeader } from "#app/components/page-header";
import { Pager } from "#app/lists/pager";
import { ListTools } from "#app/lists/list-tools";
import { areaFilter, labelsOf, deptFilter, sortFilter, wordFilter } from "#app/lists/list-filters";
import { useOrganization } from "#app/components/organization";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import type { PlacedPage, WORKORDER_SORTS } from "#domain/lists/list-query";
import type { PlacedWorkorder, Workorder } from "#domain/records/records";
import { WORKORDER_PRIORITIES, WORKORDER_STATUSES } from "#domain/enums";
import { Button } from "#app/ui/button";
import { CardGrid } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { WorkorderCard } from "./workorder-card";
import { WorkorderDialog } from "./workorder-dialog";

const SORTS: Record<(typeof WORKORDER_SORTS)[number], string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  priority: "Priority, urgent first",
  title: "Title",
};
const FILTERS = [
  wordFilter("status", "Status", "Any status", labelsOf(WORKORDER_STATUSES)),
  wordFilter("priority", "Priority", "Any priority", labelsOf(WORKORDER_PRIORITIES.toReversed())),
  sortFilter(SORTS),
];

/**
 * `now` is the server's clock (epoch ms), `edited` the work order whose form the address opens: a link may lead to one of
 * another page.
 */
type Workorders = PlacedPage<PlacedWorkorder> & { now: number; edited: Workorder | null };

export function WorkorderList({ workorders }: { workorders: Promise<Deferred<Workorders>> }) {
  const { dialog } = useDialog();
  return (
    <>
      <PageHeader title="Workorders" text="What has to be mended, checked or installed">
        <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
          New Workorder
        </Button>
      </PageHeader>
      <Streamed
        list={workorders}
        loading={<LoadingBlock label="Loading workorders..." />}
        failed="Failed to load workorders"
      >
        {(page) => (
          <>
            <WorkorderTools page={page} />
            <WorkorderCards page={page} />
            <Pager {...page} />
            <WorkorderDialogs workorders={page.edited ? [...page.rows, page.edited] : page.rows} />
          </>
        )}
      </Streamed>
      {dialog === "new" && <WorkorderDialog workorder={null} />}
    </>
  );
}

function WorkorderTools({ page }: { page: PlacedPage<PlacedWorkorder> }) {
  const { departments } = useOrganization();
  const filters = [areaFilter(page.areas), deptFilter(departments), ...FILTERS];
  return <ListTools label="Search workorders" count={page} filters={filters} />;
}

function WorkorderCards({ page }: { page: Workorders }) {
  if (page.all === 0) {
    return (
      <EmptyState icon={ClipboardList} title="No workorders found" text="Create your first workorder to get started">
        <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
          Create Workorder
        </Button>
      </EmptyState>
    );
  }
  if (page.total === 0) return <NothingFound />;
  return (
    <CardGrid aria-label="Workorders">
      {page.rows.map((workorder) => (
        <WorkorderCard key={workorder.id} workorder={workorder} now={page.now} />
      ))}
    </CardGrid>
  );
}

function WorkorderDialogs({ workorders }: { workorders: Workorder[] }) {
  const { dialog, record: workorder, close } = useRecord(workorders);
  if (!workorder) return null;
  if (dialog === "edit") return <WorkorderDialog key={workorder.id} workorder={workorder} />;
  if (dialog !== "delete") return null;
  return (
    <ConfirmDialog
      title="Delete Workorder"
      text="Are you sure you want to delete this workorder?"
      intent="remove"
      record={workorder}
      words={DELETE_WORDS}
      onClose={close}
    />
  );
}
