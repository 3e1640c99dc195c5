import { Moon } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { EmptyState } from "#app/components/empty-state";
import { ConfirmDialog } from "#app/forms/confirm-dialog";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import { LimitList } from "#app/routes/limits/limit-list";
import { limitName, LimitRow, phaseOf } from "#app/routes/limits/limit-row";
import { LimitsHeader } from "#app/routes/limits/limits-header";
import { PAST } from "#app/routes/limits/limits-asked";
import type { Permit } from "#domain/guardrails/limit-records";
import type { MayWrite } from "#domain/records/records";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep the form out of the first load. */
const PermitDialog = dialogOnDemand(() => import("./permit-dialog"));

const REMOVE_WORDS = { keep: "Keep permit", go: "Take back", going: "Taking back..." };

type ListedPermit = Permit & MayWrite;

type Props = { tab: string; now: number; permits: Promise<Deferred<ListedPermit[]>> };

export function PermitList({ tab, now, permits }: Props) {
  const { dialog, close } = useDialog();
  const mayPermit = useCan("permit.save");
  return (
    <>
      <LimitsHeader
        title="Permits"
        text="Times in which the dark time and max on do not apply"
        tab={tab}
        add="New Permit"
        mayAdd={mayPermit}
      />
      <Streamed list={permits} loading={<LoadingBlock label="Loading permits..." />} failed="Failed to fetch permits">
        {(rows) => (
          <>
            <PermitRows rows={rows} now={now} isPast={tab === PAST.name} />
            {mayPermit && <PermitDialogs rows={rows} now={now} />}
          </>
        )}
      </Streamed>
      {dialog === "new" && mayPermit && <PermitDialog now={now} onClose={close} />}
    </>
  );
}

function PermitRows({ rows, now, isPast }: { rows: ListedPermit[]; now: number; isPast: boolean }) {
  const mayPermit = useCan("permit.save");
  if (rows.length === 0) {
    const text = isPast ? "No permit is over yet." : "A tournament that runs past the curfew needs one.";
    return <EmptyState icon={Moon} title="No Permits Found" text={text} />;
  }
  return (
    <LimitList label="Permits" isPast={isPast}>
      {rows.map((permit) => (
        <LimitRow key={permit.id} limit={permit} now={now}>
          {mayPermit && permit.may_write && phaseOf(permit, now) !== "over" && (
            <Button size="sm" aria-label={`Take back ${limitName(permit)}`} {...opens("delete", permit.id)}>
              Take back
            </Button>
          )}
        </LimitRow>
      ))}
    </LimitList>
  );
}

function PermitDialogs({ rows, now }: { rows: ListedPermit[]; now: number }) {
  const { dialog, record: permit, close } = useRecord(rows);
  if (!permit?.may_write || dialog !== "delete") return null;
  const effect = phaseOf(permit, now) === "now" ? "hold again at once" : "will hold then, too";
  return (
    <ConfirmDialog
      title="Take back Permit"
      text={`Take back the permit "${permit.reason}" of ${permit.area_name}? The dark time and max on ${effect}.`}
      intent="remove"
      record={{ id: permit.id }}
      words={REMOVE_WORDS}
      onClose={close}
    />
  );
}
