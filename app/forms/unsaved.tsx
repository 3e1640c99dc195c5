import { useEffect, useRef } from "react";
import type { FormAnswer } from "#app/forms/form-answer";
import { isTypedEarly } from "#app/forms/typed-early";
import type { WatchedForm, Within } from "#app/forms/watch-form";

type Props = {
  within: Within;
  answer: FormAnswer | undefined;
  /** Its fields show what is stored, be that another value later, where nothing is typed. */
  isStored?: boolean;
};

const forms = new Map<HTMLFormElement, WatchedForm>();

/** Watches the form that it stands in: whoever leaves it with unsaved changes is asked. `answer` is the form's last. */
export function Unsaved({ within, answer, isStored = false }: Props) {
  const mark = useRef<HTMLSpanElement>(null);
  /** What the form would have sent when nothing in it was unsaved. */
  const clean = useRef<FormData | null>(null);
  /** The same, if something was typed since, while the watching was on its way; null where it was saved. */
  const before = useRef<FormData | null>();

  useEffect(() => {
    const form = mark.current?.closest("form");
    if (!form) return;
    let isGone = false;
    // Of a form that it has made itself, React leaves each field marked as typed in: what is stored later would not be shown,
    // and what is shown would be saved over it.
    if (isStored && !isTypedEarly(form)) form.reset();
    // Loaded after the page, to keep it out of every first load. On a slow line somebody types in the meantime.
    clean.current = new FormData(form);
    form.addEventListener("input", () => void (before.current ??= clean.current));
    void import("#app/forms/watch-form")
      .then(({ watchForm }) => isGone || forms.set(form, watchForm(form, within, before.current)))
      .catch(() => undefined);
    return () => {
      isGone = true;
      forms.get(form)?.end();
      forms.delete(form);
    };
  }, [within, isStored]);
  useEffect(() => {
    const form = mark.current?.closest("form");
    if (!answer || !form) return;
    if (answer.ok) [clean.current, before.current] = [new FormData(form), null];
    forms.get(form)?.settle(answer.ok);
  }, [answer]);

  return <span ref={mark} hidden />;
}

/** Whether going from one address to another would lose changes; without addresses, leaving the page. */
export function losesChanges(from?: URL, to?: URL): boolean {
  return [...forms.values()].some((form) => form.losesChanges(from, to));
}

/** Whether a form is on its way, which may be refused: React's state of it is a moment behind. */
export function isSending(): boolean {
  return [...forms.values()].some((form) => form.isSent());
}

/** What is on its way will not be saved, since nobody is signed in: it is a change as before. */
export function noneIsSaved(): void {
  for (const form of forms.values()) form.settle(false);
}

/** Nothing is asked about the form's changes, or anybody's, any more. */
export function forgetChanges(form?: HTMLFormElement | null): void {
  if (form === undefined) for (const each of forms.values()) each.forget();
  else if (form !== null) forms.get(form)?.forget();
}
