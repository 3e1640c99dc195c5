export type WatchedForm = {
  isChanged: () => boolean;
  /** Its answer has come. */
  settle: (isSaved: boolean) => void;
  forget: () => void;
  end: () => void;
};

/** What comes before a person's change. */
const LOOKS = ["focusin", "pointerdown", "keydown", "beforeinput"];

/**
 * Compares what the form would send with what it would have sent before the person's first change: choices that arrive
 * while it is open, or fill themselves in, are nobody's work. One that stays after a save keeps what was typed meanwhile.
 */
export function watchForm(form: HTMLFormElement, stays: boolean): WatchedForm {
  let before = contentOf(form);
  let sent: string | null = null;
  let isTouched = false;
  // The question's code: without a network it could not be fetched when somebody is to be asked.
  void import("#app/ui/alert-modal").catch(() => undefined);

  const look = () => void (isTouched || (before = contentOf(form)));
  const touch = () => void (isTouched = true);
  const send = () => void (sent = contentOf(form));
  const forget = () => void ((isTouched = false), (sent = null));

  function settle(isSaved: boolean) {
    const saved = isSaved ? sent : null;
    sent = null;
    if (!isSaved) return;
    if (stays && saved !== null && saved !== contentOf(form)) before = saved;
    else forget();
  }

  function end() {
    for (const event of LOOKS) form.removeEventListener(event, look, { capture: true });
    form.removeEventListener("input", touch);
    form.removeEventListener("submit", send);
  }

  for (const event of LOOKS) form.addEventListener(event, look, { capture: true });
  form.addEventListener("input", touch);
  form.addEventListener("submit", send);
  return { isChanged: () => isTouched && ![before, sent].includes(contentOf(form)), settle, forget, end };
}

function contentOf(form: HTMLFormElement): string {
  const entries = [...new FormData(form)].map(([name, value]) =>
    typeof value === "string" ? [name, value] : [name, value.name, value.size],
  );
  return JSON.stringify(entries);
}
