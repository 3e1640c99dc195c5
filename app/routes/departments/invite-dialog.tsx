import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import { useMade } from "#app/forms/use-made";
import { useDialog } from "#app/router/view";
import type { FormAnswer } from "#app/forms/form-answer";
import { Field, TextInput } from "#app/ui/field";
import { OneTimeCode } from "./one-time-code";
import { RoleField } from "./person-dialog";

export function InviteDialog() {
  const { close } = useDialog();
  const page = useActionData<FormAnswer>();
  const [email, setEmail] = useState(page?.typed?.email ?? "");
  const [invited, setInvited] = useMade();
  if (invited) {
    return <OneTimeCode title="Person invited" email={email.trim()} code={invited.shown_once ?? ""} onClose={close} />;
  }
  return (
    <FormShell
      title="Invite Person"
      description="They join with a one-time code, whether or not they have an account already"
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
