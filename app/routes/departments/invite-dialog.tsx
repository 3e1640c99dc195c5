import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import { useDialog } from "#app/router/view";
import type { FormAnswer } from "#app/forms/form-answer";
import { Field, TextInput } from "#app/ui/field";
import { OneTimePassword } from "./one-time-password";
import { RoleField } from "./person-dialog";

export function InviteDialog() {
  const { close } = useDialog();
  const page = useActionData<FormAnswer>();
  const [email, setEmail] = useState(page?.typed?.email ?? "");
  const [invited, setInvited] = useState(page?.ok ? page : null);
  if (invited) {
    const whose = { email: email.trim(), password: invited.shown_once };
    return <OneTimePassword title="Person invited" {...whose} onClose={close} />;
  }
  return (
    <FormShell
      title="Invite Person"
      description="Somebody who is known already joins with their own password"
      intent="invite"
      record={null}
      go="Invite"
      onClose={close}
      onDone={setInvited}
    >
      {(errors) => (
        <>
          <Field label="Email" error={errors.email}>
            <TextInput
              type="email"
              name="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              autoComplete="off"
            />
          </Field>
          <RoleField value="employee" error={errors.role} />
        </>
      )}
    </FormShell>
  );
}
