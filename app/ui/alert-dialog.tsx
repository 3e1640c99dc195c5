import { lazy, Suspense } from "react";
import type { AlertDialogProps } from "#app/ui/alert-modal";
import { Arriving } from "#app/ui/arriving";
import { Button } from "#app/ui/button";
import { DialogPage } from "#app/ui/dialog-page";
import { reloads, useNoScript } from "#app/ui/no-script";

const Modal = lazy(() =>
  import("#app/ui/alert-modal").then(
    ({ AlertModal }) => ({ default: AlertModal }),
    () => ({ default: AlertPage }),
  ),
);

/** A question that needs an answer; `children` is the button that confirms it. */
export function AlertDialog(props: AlertDialogProps) {
  if (useNoScript()) return <AlertPage {...props} />;
  return (
    <Suspense fallback={<Arriving />}>
      <Modal {...props} />
    </Suspense>
  );
}

function AlertPage({ title, description, keep, onKeep, children }: AlertDialogProps) {
  return (
    <DialogPage title={title} description={description}>
      <footer>
        {keep && onKeep && <Button {...reloads(onKeep)}>{keep}</Button>}
        {children}
      </footer>
    </DialogPage>
  );
}
