import type { FieldErrors } from "#domain/errors";
import { Field, TextInput } from "#app/ui/field";

/** A new password, twice. `email` tells the password manager whose it is. */
export function NewPasswordFields({ email, errors }: { email: string; errors: FieldErrors }) {
  return (
    <>
      <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
      <Field label="New password" error={errors.new_password} hint="At least 12 characters">
        <TextInput type="password" name="new_password" autoComplete="new-password" />
      </Field>
      <Field label="New password again" error={errors.repeated}>
        <TextInput type="password" name="repeated" autoComplete="new-password" />
      </Field>
    </>
  );
}
