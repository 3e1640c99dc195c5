import { FormShell } from "#app/forms/form-shell";
import { useMade } from "#app/forms/use-made";
import { useDialog } from "#app/router/view";
import { OneTimeCode } from "./one-time-code";
import type { Person } from "./staff";

/** For somebody who lost their password or their invitation's code. */
export function NewCodeDialog({ person }: { person: Person }) {
  const { close } = useDialog();
  const [made, setMade] = useMade();
  if (made) {
    return <OneTimeCode title="New Code" email={person.email} code={made.shown_once ?? ""} onClose={close} />;
  }
  return (
    <FormShell
      title="New Code"
      description={person.email}
      intent="password"
      record={person}
      go="Make a new code"
      onClose={close}
      onDone={setMade}
    >
      {() => <p>{person.pending ? PENDING : ACCEPTED}</p>}
    </FormShell>
  );
}

const PENDING = "The code of their invitation stops working at once.";
const ACCEPTED =
  "Their present password stops working at once, and they are signed out everywhere. Their second factor stays.";
