import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { useDependents } from "#app/forms/use-dependents";
import type { Owner } from "#domain/records/dependents";

export type DeleteProps = {
  owner: Owner;
  record: { id: string; name: string };
  onClose: () => void;
  onDone?: () => void;
};

/** Asks before something is deleted, and says how much goes with it. */
export function DeleteQuestion({ owner, record, onClose, onDone }: DeleteProps) {
  const { title, warning } = WORDS[owner];
  const dependents = useDependents(owner, record.id);
  const text = (
    <>
      <span>{`Are you sure you want to delete "${record.name}"? ${warning}`}</span>
      {dependents !== null && (
        <strong className="text-ink mt-2 block font-medium">{dependents ?? "Counting what goes with it..."}</strong>
      )}
    </>
  );
  return (
    <ConfirmDialog
      title={title}
      text={text}
      intent="remove"
      record={record}
      words={DELETE_WORDS}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

const WORDS: Record<Owner, { title: string; warning: string }> = {
  area: { title: "Delete Area", warning: "Associated hubs and devices will be removed." },
  hub: { title: "Delete Hub", warning: "Associated devices will be affected." },
  device: { title: "Delete Device", warning: "Associated schedules will be removed." },
  department: {
    title: "Delete Department",
    warning: "Its devices and workorders become organization-wide.",
  },
};
