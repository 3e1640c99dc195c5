import { useDialog } from "#app/router/view";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand: a dialog costs 14 kB that no first load should carry. */
const PasswordForm = dialogOnDemand(() => import("#app/routes/change-password/password-form"));

/** Opened from the user menu, over any screen. */
export function PasswordDialog() {
  const { dialog, close } = useDialog();
  if (dialog !== "password") return null;
  return <PasswordForm onClose={close} />;
}
