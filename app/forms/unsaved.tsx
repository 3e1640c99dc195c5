import { useEffect, useRef } from "react";
import type { FormAnswer } from "#app/forms/form-answer";
import { pathWithoutDialog } from "#app/router/view";
import { prepareAlerts } from "#app/ui/alert-dialog";

/** A form of a dialog is left with the dialog, one of a screen with the screen. */
type Within = "screen" | "dialog";
type Props = { within: Within; answer: FormAnswer | undefined };

/** Watches the form that it stands in: whoever leaves it with unsaved changes is asked. `answer` is the form's last. */
export function Unsaved({ within, answer }: Props) {
  const mark = useRef<HTMLSpanElement>(null);
  const form = useRef<HTMLFormElement | null>(null);

  useEffect(prepareAlerts, []);
  useEffect(() => {
    const watched = mark.current?.closest("form") ?? null;
    form.current = watched;
    return watched ? watch(watched, within) : undefined;
  }, [within]);
  useEffect(() => {
    if (answer && form.current) forms.get(form.current)?.settle(answer.ok);
  }, [answer]);

  return <span ref={mark} hidden />;
}

type Watched = {
  within: Within;
  isChanged: () => boolean;
  /** Its answer has come. */
  settle: (isSaved: boolean) => void;
  forget: () => void;
};

const forms = new Map<HTMLFormElement, Watched>();

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

/**
 * Compares what the form would send with what it would have sent before the person's first change: choices that arrive
 * while it is open, or fill themselves in, are nobody's work.
 */
function watch(form: HTMLFormElement, within: Within): () => void {
  let before = contentOf(form);
  let sent: string | null = null;
  let isTouched = false;

  const look = () => void (isTouched || (before = contentOf(form)));
  const touch = () => void (isTouched = true);
  const send = () => void (sent = contentOf(form));
  const forget = () => void ((isTouched = false), (sent = null));

  function settle(isSaved: boolean) {
    const saved = isSaved ? sent : null;
    sent = null;
    if (!isSaved) return;
    // A screen's form stays, and what was typed meanwhile with it.
    if (within === "screen" && saved !== null && saved !== contentOf(form)) before = saved;
    else forget();
  }

  forms.set(form, {
    within,
    isChanged: () => isTouched && ![before, sent].includes(contentOf(form)),
    settle,
    forget,
  });
  for (const event of LOOKS) form.addEventListener(event, look, { capture: true });
  form.addEventListener("input", touch);
  form.addEventListener("submit", send);
  return () => {
    for (const event of LOOKS) form.removeEventListener(event, look, { capture: true });
    form.removeEventListener("input", touch);
    form.removeEventListener("submit", send);
    forms.delete(form);
  };
}

/** What comes before a person's change. */
const LOOKS = ["focusin", "pointerdown", "keydown", "beforeinput"];

function contentOf(form: HTMLFormElement): string {
  const entries = [...new FormData(form)].map(([name, value]) =>
    typeof value === "string" ? [name, value] : [name, value.name, value.size],
  );
  return JSON.stringify(entries);
}
