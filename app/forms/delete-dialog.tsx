import type { DeleteProps } from "#app/forms/delete-question";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep it out of every first load. */
export const DeleteDialog = dialogOnDemand<DeleteProps>(async () => ({
  default: (await import("#app/forms/delete-question")).DeleteQuestion,
}));
