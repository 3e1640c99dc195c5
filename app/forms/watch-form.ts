import { SHOWN } from "#app/forms/form-fields";
import { isTypedEarly } from "#app/forms/typed-early";
import { pathWithoutDialog } from "#app/router/view";

/** A form of a dialog is left with the dialog, one of a screen with the screen. */
export type Within = "screen" | "dialog";

export type WatchedForm = {
  /** Whether going from one address to another would lose changes; without addresses, leaving the page. */
  losesChanges: (from?: URL, to?: URL) => boolean;
  /** Whether its answer has still to come. */
  isSent: () => boolean;
  /** Its answer has come. */
  settle: (isSaved: boolean) => void;
  forget: () => void;
  end: () => void;
};

/** What comes before a person's change. */
const LOOKS = ["focusin", "pointerdown", "keydown", "beforeinput"];

/**
 * Compares what the form would send with what it would have sent before the person's first change: choices that arrive
 * while it is open, or fill themselves in, are nobody's work. A screen's form, which stays after a save, keeps what was
 * typed meanwhile. `first` is what it would have sent before what is typed already; null if all of that was saved,
 * undefined if the script has seen nothing typed.
 */
export function watchForm(form: HTMLFormElement, within: Within, first: FormData | null | undefined): WatchedForm {
  // After a save the page still has the values from before it, until it has been loaded anew.
  const isEarly = first === undefined && within === "screen" && isTypedEarly(form);
  const given = isEarly ? givenTo(form) : (first ?? null);
  let before = contentOf(given ?? new FormData(form));
  let sent: string | null = null;
  let isTouched = given !== null;
  // The question's code: without a network it could not be fetched when somebody is to be asked.
  void import("#app/ui/alert-modal").catch(() => undefined);

  const contentNow = () => contentOf(new FormData(form));
  const look = () => void (isTouched || (before = contentNow()));
  const touch = () => void (isTouched = true);
  const send = () => void (sent = contentNow());
  const forget = () => void ((isTouched = false), (sent = null));

  function settle(isSaved: boolean) {
    const saved = isSaved ? sent : null;
    sent = null;
    if (!isSaved) return;
    if (within === "screen" && saved !== null && saved !== contentNow()) before = saved;
    else forget();
  }

  function end() {
    for (const event of LOOKS) form.removeEventListener(event, look, { capture: true });
    form.removeEventListener("input", touch);
    form.removeEventListener("submit", send);
  }

  function losesChanges(from?: URL, to?: URL) {
    return isLeft(within, from, to) && isTouched && ![before, sent].includes(contentNow());
  }

  for (const event of LOOKS) form.addEventListener(event, look, { capture: true });
  form.addEventListener("input", touch);
  form.addEventListener("submit", send);
  return { losesChanges, isSent: () => sent !== null, settle, forget, end };
}

function isLeft(within: Within, from: URL | undefined, to: URL | undefined): boolean {
  if (!from || !to) return true;
  if (within === "screen") return pathWithoutDialog(from) !== pathWithoutDialog(to);
  return from.pathname + from.search !== to.pathname + to.search;
}

/** What it would have sent as the server's HTML has it. */
function givenTo(form: HTMLFormElement): FormData {
  const copy = document.createElement("form");
  for (const child of form.children) copy.appendChild(child.cloneNode(true));
  copy.reset();
  return new FormData(copy);
}

function contentOf(fields: FormData): string {
  fields.delete(SHOWN); // it follows what is stored, and nobody types it
  const entries = [...fields].map(([name, value]) =>
    typeof value === "string" ? [name, value] : [name, value.name, value.size],
  );
  return JSON.stringify(entries);
}
