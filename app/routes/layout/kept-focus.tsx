import { useEffect } from "react";
import { giveBack, openerNow, type Opener } from "#app/ui/use-opener";

/** A dialog that closes, and a button that was disabled while it was pending, come first: they know better. */
const SETTLED_MS = 100;
const SCROLLS = ["wheel", "touchmove"];

/**
 * Gives the focus on where what had it is gone from the screen, be it by its own press: to the same control where it was
 * drawn anew, to the next entry of its list, or else to the page. It would be the window's, and whoever pages through weeks
 * or works off alarms with the keyboard would look for their place after each press. Whoever has scrolled on by wheel or
 * touch since then stays where they are.
 */
export function KeptFocus() {
  useEffect(() => {
    const main = document.getElementById("main");
    if (!main) return;
    let had: Opener | null = openerNow();
    /** What had it before a page in place of a dialog, whose own code has no way to give it back. */
    let beforePage: Opener | null = null;
    let hasScrolled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLost = () => had?.element?.isConnected === false && document.activeElement === document.body;
    const note = ({ relatedTarget: left }: FocusEvent) => {
      const before = had;
      had = openerNow();
      if (isInPage(had.element) && !isInPage(left)) beforePage = before;
      hasScrolled = false;
    };
    const scroll = () => {
      hasScrolled = true;
    };
    // Who presses elsewhere wants none; what is removed, or disabled while it is pending, is left by nobody's wish.
    const leave = ({ target }: FocusEvent) => {
      queueMicrotask(() => {
        const isLeft = had?.element === target && had?.element?.isConnected && !had.element.matches(":disabled");
        if (isLeft) had = null;
      });
    };
    const look = () => {
      if (!isLost()) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (had && isLost()) giveBack((isInPage(had.element) && beforePage) || had, hasScrolled);
      }, SETTLED_MS);
    };
    const watch = new MutationObserver(look);
    watch.observe(main, { childList: true, subtree: true });
    for (const move of SCROLLS) addEventListener(move, scroll, { passive: true });
    main.addEventListener("focusin", note);
    main.addEventListener("focusout", leave);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
      for (const move of SCROLLS) removeEventListener(move, scroll);
      main.removeEventListener("focusin", note);
      main.removeEventListener("focusout", leave);
    };
  }, []);
  return null;
}

const isInPage = (target: EventTarget | null) =>
  target instanceof Element && target.closest("[data-dialog-page]") !== null;
