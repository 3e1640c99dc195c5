import type { DeleteProps } from "#app/forms/delete-question";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep it out of every first load. */
const DeleteQuestion = dialogOnDemand(async () => ({
  default: (await import("#app/forms/delete-question")).DeleteQuestion,
}));

export function DeleteDialog(props: DeleteProps) {
  return <DeleteQuestion {...props} />;
}
