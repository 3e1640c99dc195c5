import { useEffect, useRef } from "react";
import type { FormAnswer } from "#app/forms/form-answer";
import type { WatchedForm } from "#app/forms/watch-form";
import { pathWithoutDialog } from "#app/router/view";

/** A form of a dialog is left with the dialog, one of a screen with the screen. */
type Within = "screen" | "dialog";
type Props = { within: Within; answer: FormAnswer | undefined };

const forms = new Map<HTMLFormElement, WatchedForm & { within: Within }>();

/** Watches the form that it stands in: whoever leaves it with unsaved changes is asked. `answer` is the form's last. */
export function Unsaved({ within, answer }: Props) {
  const mark = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const form = mark.current?.closest("form");
    if (!form) return;
    let isGone = false;
    // Loaded after the page, to keep it out of every first load.
    void import("#app/forms/watch-form")
      .then(({ watchForm }) => isGone || forms.set(form, { within, ...watchForm(form, within === "screen") }))
      .catch(() => undefined);
    return () => {
      isGone = true;
      forms.get(form)?.end();
      forms.delete(form);
    };
  }, [within]);
  useEffect(() => {
    const form = mark.current?.closest("form");
    if (answer && form) forms.get(form)?.settle(answer.ok);
  }, [answer]);

  return <span ref={mark} hidden />;
}

/** Whether going from one address to another would lose changes; without addresses, leaving the page. */
export function losesChanges(from?: URL, to?: URL): boolean {
  return [...forms.values()].some(({ within, isChanged }) => isLeft(within, from, to) && isChanged());
}

/** Nothing is asked about the form's changes, or anybody's, any more. */
export function forgetChanges(form?: HTMLFormElement | null): void {
  if (form === undefined) for (const each of forms.values()) each.forget();
  else if (form !== null) forms.get(form)?.forget();
}

function isLeft(within: Within, from: URL | undefined, to: URL | undefined): boolean {
  if (!from || !to) return true;
  if (within === "screen") return pathWithoutDialog(from) !== pathWithoutDialog(to);
  return from.pathname + from.search !== to.pathname + to.search;
}
