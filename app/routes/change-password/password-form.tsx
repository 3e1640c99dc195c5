import { useOrganization } from "#app/components/organization";
import { FormShell } from "#app/forms/form-shell";
import { Field, TextInput } from "#app/ui/field";

// lazy() takes a default export.
export default function PasswordForm({ onClose }: { onClose: () => void }) {
  const { user } = useOrganization();
  return (
    <FormShell
      title="Change password"
      description="You stay signed in here; every other session ends"
      intent="change"
      action="/change-password"
      record={null}
      go="Change password"
      onClose={onClose}
    >
      {(errors) => (
        <>
          {/* Tells the password manager whose password it is. */}
          <input type="hidden" name="username" autoComplete="username" defaultValue={user.email} />
          <Field label="Current password" error={errors.current_password}>
            <TextInput type="password" name="current_password" autoComplete="current-password" />
          </Field>
          <Field label="New password" error={errors.new_password} hint="At least 12 characters">
            <TextInput type="password" name="new_password" autoComplete="new-password" />
          </Field>
          <Field label="New password again" error={errors.repeated}>
            <TextInput type="password" name="repeated" autoComplete="new-password" />
          </Field>
        </>
      )}
    </FormShell>
  );
}
