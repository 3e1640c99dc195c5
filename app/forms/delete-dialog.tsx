import { lazy, Suspense } from "react";
import type { DeleteProps } from "#app/forms/delete-question";

/** Loaded on demand, to keep it out of every first load. */
const DeleteQuestion = lazy(() =>
  import("#app/forms/delete-question").then((loaded) => ({ default: loaded.DeleteQuestion })),
);

export function DeleteDialog(props: DeleteProps) {
  return (
    <Suspense>
      <DeleteQuestion {...props} />
    </Suspense>
  );
}
