import { AccountForm } from "#app/session/account-form";
import { Field, TextInput } from "#app/ui/field";

export function FirstPassword({ email, org_id, onDone }: { email: string; org_id: string; onDone: () => void }) {
  return (
    <AccountForm intent="change" org_id={org_id} go="Set password" onDone={onDone}>
      {(errors) => (
        <>
          {/* Tells the password manager whose password it is. */}
          <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
          <Field label="New password" error={errors.new_password} hint="At least 12 characters">
            <TextInput type="password" name="new_password" autoComplete="new-password" />
          </Field>
          <Field label="New password again" error={errors.repeated}>
            <TextInput type="password" name="repeated" autoComplete="new-password" />
          </Field>
        </>
      )}
    </AccountForm>
  );
}
