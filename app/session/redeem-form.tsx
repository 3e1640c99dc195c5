import { AccountForm } from "#app/session/account-form";
import { Field, TextInput } from "#app/ui/field";

/** Redeems an invitation's one-time code, for a person with an account. */
export function RedeemForm({ org_id, onDone }: { org_id: string; onDone?: () => void }) {
  return (
    <AccountForm intent="redeem" org_id={org_id} go="Join" onDone={onDone}>
      {(errors) => (
        <Field label="Invitation code" error={errors.code} hint="Four groups of four letters and digits">
          <TextInput name="code" autoComplete="off" spellCheck={false} maxLength={40} />
        </Field>
      )}
    </AccountForm>
  );
}
