import { Suspense } from "react";
import { useDialog } from "#app/router/view";
import { onDemand } from "#app/ui/on-demand";
import { Arriving } from "#app/ui/arriving";

/** Loaded on demand: a dialog costs 14 kB that no first load should carry. */
const PasswordForm = onDemand(() => import("#app/routes/change-password/password-form"));

/** Opened from the user menu, over any screen. */
export function PasswordDialog() {
  const { dialog, close } = useDialog();
  if (dialog !== "password") return null;
  return (
    <Suspense fallback={<Arriving />}>
      <PasswordForm onClose={close} />
    </Suspense>
  );
}
