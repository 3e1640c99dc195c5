import { lazy, Suspense } from "react";
import { DialogPage } from "#app/ui/dialog-page";
import type { DialogProps } from "#app/ui/modal";
import { useNoScript } from "#app/ui/no-script";
import { Arriving } from "#app/ui/arriving";

/** Loaded on demand, since Radix's dialog costs 16 kB. If it cannot be loaded, the dialog is shown as a page. */
const Modal = lazy(() =>
  import("#app/ui/modal").then(
    ({ Modal }) => ({ default: Modal }),
    () => ({ default: DialogPage }),
  ),
);

/** Open as long as it is rendered. */
export function Dialog(props: DialogProps) {
  if (useNoScript()) return <DialogPage {...props} />;
  return (
    <Suspense fallback={<Arriving />}>
      <Modal {...props} />
    </Suspense>
  );
}
