import { lazy, Suspense } from "react";
import { useDialog } from "#app/router/view";

/** Fetched when it is asked for: a dialog is 14 kB that no screen's first load should carry. */
const PasswordForm = lazy(() => import("#app/routes/change-password/password-form"));

/** Decision 27: opened from the user menu, over whichever screen. */
export function PasswordDialog() {
  const { dialog, close } = useDialog();
  if (dialog !== "password") return null;
  return (
    <Suspense>
      <PasswordForm onClose={close} />
    </Suspense>
  );
}
