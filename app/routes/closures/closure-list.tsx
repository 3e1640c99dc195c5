import { Ban } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { EmptyState } from "#app/components/empty-state";
import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import { LimitList } from "#app/routes/limits/limit-list";
import { limitName, LimitRow, phaseOf } from "#app/routes/limits/limit-row";
import { LimitsHeader } from "#app/routes/limits/limits-header";
import { PAST } from "#app/routes/limits/limits-asked";
import type { Closure } from "#domain/guardrails/limit-records";
import type { MayWrite } from "#domain/records/records";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep the form out of the first load. */
const ClosureDialog = dialogOnDemand(() => import("./closure-dialog"));

type ListedClosure = Closure & MayWrite;

type Props = { tab: string; now: number; closures: Promise<Deferred<ListedClosure[]>> };

export function ClosureList({ tab, now, closures }: Props) {
  const { dialog, close } = useDialog();
  const mayClose = useCan("closure.save");
  return (
    <>
      <LimitsHeader
        title="Closures"
        text="Places that stay dark for a time, whatever is booked"
        tab={tab}
        add="New Closure"
        mayAdd={mayClose}
      />
      <Streamed
        list={closures}
        loading={<LoadingBlock label="Loading closures..." />}
        failed="Failed to fetch closures"
      >
        {(rows) => (
          <>
            <ClosureRows rows={rows} now={now} isPast={tab === PAST.name} />
            <ClosureDialogs rows={rows} />
          </>
        )}
      </Streamed>
      {dialog === "new" && mayClose && <ClosureDialog closure={null} onClose={close} />}
    </>
  );
}

function ClosureRows({ rows, now, isPast }: { rows: ListedClosure[]; now: number; isPast: boolean }) {
  if (rows.length === 0) {
    const text = isPast ? "No closure is over yet." : "Close a field for wet ground, a path for repairs.";
    return <EmptyState icon={Ban} title="No Closures Found" text={text} />;
  }
  return (
    <LimitList label="Closures" isPast={isPast}>
      {rows.map((closure) => (
        <LimitRow key={closure.id} limit={closure} now={now}>
          <Actions closure={closure} phase={phaseOf(closure, now)} />
        </LimitRow>
      ))}
    </LimitList>
  );
}

/** What is in force is reopened, and stays on the list of what was; what is to come is deleted. */
function Actions({ closure, phase }: { closure: ListedClosure; phase: ReturnType<typeof phaseOf> }) {
  const mayClose = useCan("closure.save");
  if (!mayClose || !closure.may_write || phase === "over") return null;
  const name = limitName(closure);
  return (
    <>
      <Button size="sm" aria-label={`Edit ${name}`} {...opens("edit", closure.id)}>
        Edit
      </Button>
      {phase === "now" ? (
        <Button size="sm" aria-label={`Reopen ${name}`} {...opens("cancel", closure.id)}>
          Reopen
        </Button>
      ) : (
        <Button size="sm" aria-label={`Delete ${name}`} {...opens("delete", closure.id)}>
          Delete
        </Button>
      )}
    </>
  );
}

function ClosureDialogs({ rows }: { rows: ListedClosure[] }) {
  const { dialog, record: closure, close } = useRecord(rows.filter(({ may_write }) => may_write));
  const mayClose = useCan("closure.save");
  if (!closure || !mayClose) return null;
  if (dialog === "edit") {
    return <ClosureDialog key={closure.id} closure={closure} onClose={close} />;
  }
  const record = { id: closure.id, name: closure.area_name };
  if (dialog === "cancel") {
    return (
      <ConfirmDialog
        title="Reopen"
        text={`Reopen ${closure.target.name} of ${closure.area_name}? What is booked now goes on at once.`}
        intent="reopen"
        record={record}
        words={REOPEN_WORDS}
        onClose={close}
      />
    );
  }
  if (dialog !== "delete") return null;
  return (
    <ConfirmDialog
      title="Delete Closure"
      text={`Are you sure you want to delete the closure "${closure.reason}" of ${closure.area_name}?`}
      intent="remove"
      record={record}
      words={DELETE_WORDS}
      onClose={close}
    />
  );
}

const REOPEN_WORDS = { keep: "Keep it closed", go: "Reopen", going: "Reopening..." };
