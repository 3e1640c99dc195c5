import type { ReactNode } from "react";
import { useNoScript } from "#app/ui/no-script";
import { useAnswer } from "#app/forms/use-answer";
import { useFocusFirstError } from "#app/forms/use-focus-first-error";
import type { FormAnswer } from "#app/forms/form-answer";
import type { FieldErrors } from "#domain/errors";
import { Button } from "#app/ui/button";
import { FieldAnswer, TypedValues } from "#app/ui/field";

type Props = {
  intent: string;
  /** Where to submit; the page's own action by default. */
  action?: string;
  org_id: string;
  /** The submit button's label. */
  go: string;
  variant?: "primary" | "secondary";
  onDone?: (answer: FormAnswer) => void;
  children: (errors: FieldErrors, answer: FormAnswer | undefined) => ReactNode;
};

/** An account form outside a dialog, with its errors beside its fields. */
export function AccountForm({ intent, action, org_id, go, variant = "primary", onDone, children }: Props) {
  const { fetcher, pending, answer } = useAnswer({ onDone });
  const noScript = useNoScript();
  const failed = answer && !answer.ok ? answer : null;
  const form = useFocusFirstError(failed);
  // Without script the answer is the page's, and may be another form's.
  const typed = noScript && failed?.typed?.["intent"] === intent ? failed.typed : null;
  const hasOwnPlace = failed !== null && Object.keys(failed.errors).length > 0;
  return (
    <fetcher.Form ref={form} method="post" action={action} className="flex flex-col gap-4">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="org_id" value={org_id} />
      <FieldAnswer.Provider value={answer}>
        <TypedValues value={typed}>{children(failed?.errors ?? {}, answer)}</TypedValues>
      </FieldAnswer.Provider>
      {failed && !hasOwnPlace && (
        <p className="bg-bad-soft text-bad-text rounded-md px-3 py-2 font-medium">{failed.toast}</p>
      )}
      <Button type="submit" variant={variant} pending={pending} className="self-start">
        {pending ? "Saving..." : go}
      </Button>
    </fetcher.Form>
  );
}
