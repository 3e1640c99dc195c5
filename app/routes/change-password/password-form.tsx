import { useOrganization } from "#app/components/organization";
import { FormShell } from "#app/forms/form-shell";
import { NewPasswordFields } from "#app/session/new-password-fields";
import { Field, TextInput } from "#app/ui/field";

// onDemand() takes a default export.
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
      isBrief
    >
      {(errors) => (
        <>
          <Field label="Current password" error={errors.current_password}>
            <TextInput type="password" name="current_password" autoComplete="current-password" />
          </Field>
          <NewPasswordFields email={user.email} errors={errors} />
        </>
      )}
    </FormShell>
  );
}
