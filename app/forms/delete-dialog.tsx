import { Suspense } from "react";
import type { DeleteProps } from "#app/forms/delete-question";
import { onDemand } from "#app/ui/on-demand";
import { Arriving } from "#app/ui/arriving";

/** Loaded on demand, to keep it out of every first load. */
const DeleteQuestion = onDemand(async () => ({
  default: (await import("#app/forms/delete-question")).DeleteQuestion,
}));

export function DeleteDialog(props: DeleteProps) {
  return (
    <Suspense fallback={<Arriving />}>
      <DeleteQuestion {...props} />
    </Suspense>
  );
}
