import { ConfirmDialog } from "#app/forms/confirm-dialog";
import { CANCEL_WORDS, cancelWords } from "./cancel-words";
import type { DescribedSchedule } from "./schedule-row";

/** Asks before a schedule is canceled, and says what that removes. */
export function CancelDialog({ schedule, onClose }: { schedule: DescribedSchedule; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Cancel Schedule"
      text={cancelWords(schedule)}
      intent="cancel"
      record={schedule}
      words={CANCEL_WORDS}
      onClose={onClose}
    />
  );
}
