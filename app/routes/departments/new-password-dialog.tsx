import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import { useDialog } from "#app/router/view";
import type { FormAnswer } from "#app/forms/form-answer";
import { OneTimePassword } from "./one-time-password";
import type { Person } from "./staff";

/** For somebody who has lost theirs. */
export function NewPasswordDialog({ person }: { person: Person }) {
  const { close } = useDialog();
  const page = useActionData<FormAnswer>();
  const [made, setMade] = useState(page?.ok ? page : null);
  if (made) {
    return <OneTimePassword title="New Password" email={person.email} password={made.shown_once} onClose={close} />;
  }
  return (
    <FormShell
      title="New Password"
      description={person.email}
      intent="password"
      record={person}
      go="Make a new password"
      onClose={close}
      onDone={setMade}
    >
      {() => <p>Their present password stops working at once, and they are signed out everywhere.</p>}
    </FormShell>
  );
}
