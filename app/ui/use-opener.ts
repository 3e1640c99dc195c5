import { useState } from "react";

/**
 * What had the focus, the entry of a list that it is in, with those behind and before it, and how it is named, where it alone
 * has that name: by another one's the focus would go to a light or a booking of the same name.
 */
export type Opener = { element: Element | null; name: string; entries: (Element | null | undefined)[] };

/**
 * Returns the focus to the element that had it when the dialog opened. Radix does so for its own triggers; our dialogs
 * are opened by the URL. Where it is gone, its entry of a list has the focus, or, since the dialog has deleted that, the next
 * one, or else the page: whoever goes on with the keyboard would begin at the top of the window again.
 */
export function useOpener() {
  const [opener] = useState(openerNow);
  return (event: Event) => {
    event.preventDefault();
    giveBack(opener);
  };
}

export function openerNow(): Opener {
  if (typeof document === "undefined") return { element: null, name: "", entries: [] };
  // After a navigation it is the body, which cannot be given the focus.
  return openerOf(document.activeElement === document.body ? null : document.activeElement);
}

export function openerOf(element: Element | null): Opener {
  const entry = element?.closest("li, tr");
  return {
    element,
    name: element && namedLike(element, nameOf(element)).length === 1 ? nameOf(element) : "",
    entries: [entry, entry?.nextElementSibling, entry?.previousElementSibling],
  };
}

export function giveBack({ element, name, entries }: Opener, hasScrolled = false): void {
  if (element instanceof HTMLElement && element.isConnected) return element.focus();
  // A dialog that closed with this one has given it back already.
  if (document.activeElement !== document.body) return;
  const left = entries.flatMap((entry) =>
    entry?.isConnected ? [...entry.querySelectorAll<HTMLElement>(CONTROLS)] : [],
  );
  const control = sameControl(element, name) ?? left[0];
  (control ?? document.getElementById("main"))?.focus({ preventScroll: hasScrolled || !control });
}

const CONTROLS = "a[href], button:enabled, input:enabled:not([type=hidden])";

/** The one that has been drawn anew in its place, as the tabs and views of a screen are. */
function sameControl(element: Element | null, name: string): HTMLElement | undefined {
  return element === null || name === "" ? undefined : namedLike(element, name)[0];
}

function namedLike({ tagName }: Element, name: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#main ${tagName}`)].filter((one) => nameOf(one) === name);
}

const nameOf = (element: Element) => element.ariaLabel ?? element.textContent?.trim() ?? "";
