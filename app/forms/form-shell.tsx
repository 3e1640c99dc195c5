import { useState, type ReactNode } from "react";
import { useOrganization } from "#app/components/organization";
import { HiddenFields, IdempotencyKey } from "#app/forms/hidden-fields";
import { FormErrorsProvider } from "#app/forms/form-errors";
import { useAnswer } from "#app/forms/use-answer";
import { useFocusFirstError } from "#app/forms/use-focus-first-error";
import { useSavedBefore } from "#app/forms/use-saved-before";
import type { FormAnswer } from "#app/forms/form-answer";
import { forgetChanges, Unsaved } from "#app/forms/unsaved";
import type { FieldErrors } from "#domain/errors";
import { Button } from "#app/ui/button";
import { classes } from "#app/ui/classes";
import { Dialog } from "#app/ui/dialog";
import { FieldAnswer, TypedValues } from "#app/ui/field";
import { reloads, useNoScript } from "#app/ui/no-script";

type Props = {
  title: string;
  description: string;
  intent: string;
  /** Where to submit; the screen's own action by default. */
  action?: string;
  record: { id: string; version?: number } | null;
  /** For a form with a file. */
  encType?: "multipart/form-data";
  /** The submit button's label. */
  go: string;
  /** Its label while the request is pending. */
  going?: string;
  onClose: () => void;
  /** Called after a success; closes the dialog by default. */
  onDone?: (answer: FormAnswer) => void;
  /** The fields that show their own errors (by default all); other errors are shown for the form. */
  names?: string[];
  /** A choice or two, made again in a moment: nobody is asked before it is left. */
  isBrief?: boolean;
  /** Shown beside the fields on a wide screen, else below them. */
  aside?: ReactNode;
  children: (errors: FieldErrors) => ReactNode;
};

/** A form in a dialog, with its buttons, its pending state and the server's errors. */
export function FormShell({
  title,
  description,
  intent,
  action,
  encType,
  record,
  go,
  going = "Saving...",
  onClose,
  onDone = onClose,
  names,
  isBrief = false,
  aside,
  children,
}: Props) {
  const { user } = useOrganization();
  const { fetcher, pending, answer } = useAnswer({ onDone });
  const noScript = useNoScript();
  // Polling may replace the record while the form is open. Submit the version that the person saw (If-Match).
  const [opened] = useState(record);
  const failed = answer && !answer.ok ? answer : null;
  const form = useFocusFirstError(failed);
  const { count, ...before } = useSavedBefore(answer);

  /** Who presses Cancel has said so. */
  function cancel() {
    forgetChanges(form.current);
    onClose();
  }

  return (
    <Dialog title={title} description={description} onClose={onClose} isWide={aside !== undefined}>
      <fetcher.Form
        ref={form}
        method="post"
        action={action}
        encType={encType}
        noValidate
        className="flex min-h-0 flex-col"
      >
        <HiddenFields intent={intent} id={opened?.id} version={opened?.version} {...before} />
        <input type="hidden" name="current_dept_id" value={user.current_dept_id ?? ""} />
        <IdempotencyKey key={count} />
        {!isBrief && <Unsaved within="dialog" answer={answer} />}
        <div
          className={classes(
            "flex min-h-0 flex-col gap-4 overflow-y-auto px-5 py-4",
            aside !== undefined && "lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start lg:gap-6",
          )}
        >
          <FieldAnswer.Provider value={answer}>
            <FormErrorsProvider value={failed?.errors ?? {}}>
              <TypedValues value={(noScript && failed?.typed) || null}>
                <div className="flex min-w-0 flex-col gap-4">{children(failed?.errors ?? {})}</div>
              </TypedValues>
            </FormErrorsProvider>
          </FieldAnswer.Provider>
          {aside && <div className="min-w-0 lg:sticky lg:top-0">{aside}</div>}
          {failed && !isShownByFields(failed.errors, names) && (
            <div data-refusal className="bg-bad-soft text-bad-text rounded-md px-3 py-2 lg:col-span-full">
              <p className="font-medium">{failed.toast}</p>
              {failed.detail && <p className="whitespace-pre-line">{failed.detail}</p>}
            </div>
          )}
        </div>
        <footer className="border-line flex justify-end gap-2 border-t px-5 py-3">
          <Button {...reloads(cancel)}>Cancel</Button>
          <Button type="submit" variant="primary" pending={pending} className={LONG_LABEL}>
            {pending ? going : go}
          </Button>
        </footer>
      </fetcher.Form>
    </Dialog>
  );
}

/** It may name a light, and leaves Cancel its place. */
const LONG_LABEL = "h-auto min-h-11 min-w-0 shrink py-1.5 wrap-anywhere whitespace-normal sm:h-auto sm:min-h-9";

function isShownByFields(errors: FieldErrors, names: string[] | undefined) {
  const wrong = Object.keys(errors);
  return wrong.length > 0 && wrong.every((name) => !names || names.includes(name.split(".")[0] ?? name));
}
