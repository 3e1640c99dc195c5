import { AccountForm } from "#app/session/account-form";
import { NewPasswordFields } from "#app/session/new-password-fields";

export function FirstPassword({ email, org_id, onDone }: { email: string; org_id: string; onDone: () => void }) {
  return (
    <AccountForm intent="change" org_id={org_id} go="Set password" onDone={onDone}>
      {(errors) => <NewPasswordFields email={email} errors={errors} />}
    </AccountForm>
  );
}
