import { useState } from "react";
import type { FormAnswer } from "#app/forms/form-answer";
import { IdempotencyKey } from "#app/forms/hidden-fields";
import { useSavedBefore } from "#app/forms/use-saved-before";
import { AccountForm } from "#app/session/account-form";
import { Field, TextInput } from "#app/ui/field";

/** Redeems an invitation's one-time code, for a person with an account. */
export function RedeemForm({ org_id, onDone }: { org_id: string; onDone?: () => void }) {
  const [joined, setJoined] = useState(0);

  function done() {
    setJoined(joined + 1);
    onDone?.();
  }

  return (
    <AccountForm intent="redeem" org_id={org_id} go="Join" onDone={done}>
      {(errors, answer) => (
        <>
          <Key joined={joined} answer={answer} />
          <Field label="Invitation code" error={errors.code} hint="Four groups of four letters and digits">
            <TextInput name="code" autoComplete="off" spellCheck={false} maxLength={40} />
          </Field>
        </>
      )}
    </AccountForm>
  );
}

/** Of each code its own: the form stays for the code of another organization. */
function Key({ joined, answer }: { joined: number; answer: FormAnswer | undefined }) {
  const { count } = useSavedBefore(answer);
  return <IdempotencyKey key={`${joined} ${count}`} />;
}
