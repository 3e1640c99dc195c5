import { useEffect } from "react";
import { toast } from "sonner";

/** In less nobody has read what has come under the pointer. */
const READ_MS = 500;
/** As far as a hand moves that rests. */
const REST_PX = 12;
const ROW = "li, tr";
const CONTROL = "a, button";
const MOVED = "The list has just moved: that press did nothing";
const CHANGED = "The button has just changed: that press did nothing";

/** What lies below the pointer: the row of a list, and what can be pressed there. */
type Below = { row: Element | null; control: Element | null };

const NOTHING: Below = { row: null, control: null };

/**
 * Takes no press of a button that has come under the pointer by itself a moment ago. A light that is pressed goes elsewhere in
 * a list, and whoever pressed once more would switch the one that has taken its place; so would who presses as a row above
 * grows, or as a note comes above the list. Of a row, a button that goes leaves its place to the next one.
 */
export function SteadyPress() {
  useEffect(() => {
    const main = document.getElementById("main");
    if (!main) return;
    let at = { x: 0, y: 0 };
    let below = NOTHING;
    /** When, and where the pointer was, as something else came below it, and what was there before. */
    let moved = { x: 0, y: 0, at: -Infinity, from: NOTHING };
    let stray: string | null = null;
    let frame = 0;

    const look = () => {
      cancelAnimationFrame(frame);
      frame = 0;
      const now = belowOf(main, document.elementFromPoint(at.x, at.y));
      if (whyStray(below, now) !== null) moved = { ...at, at: performance.now(), from: below };
      below = now;
    };
    const lookSoon = () => void (frame ||= requestAnimationFrame(look));
    // Whoever scrolls has moved it.
    const scroll = () => {
      below = NOTHING;
      lookSoon();
    };
    const move = (event: PointerEvent) => {
      // A hand that rests trembles, also as something comes below it.
      if (frame !== 0) look();
      at = { x: event.clientX, y: event.clientY };
      below = belowOf(main, event.target);
      if (Math.hypot(at.x - moved.x, at.y - moved.y) > REST_PX) moved.at = -Infinity;
    };
    const down = (event: PointerEvent) => {
      move(event);
      stray = performance.now() - moved.at < READ_MS ? whyStray(moved.from, below) : null;
    };
    const click = (event: MouseEvent) => {
      // The click of a key has no detail.
      if (stray === null || event.detail === 0 || !(event.target instanceof Element && event.target.closest("button")))
        return;
      event.preventDefault();
      event.stopPropagation();
      toast.info(stray, { id: stray });
    };
    const watch = new MutationObserver(lookSoon);
    watch.observe(main, { childList: true, subtree: true, characterData: true, attributes: true });
    addEventListener("pointermove", move, { passive: true });
    addEventListener("scroll", scroll, { passive: true, capture: true });
    addEventListener("pointerdown", down, true);
    addEventListener("click", click, true);
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
      removeEventListener("pointermove", move);
      removeEventListener("scroll", scroll, true);
      removeEventListener("pointerdown", down, true);
      removeEventListener("click", click, true);
    };
  }, []);
  return null;
}

/** What lies over the page, as a toast, has come by itself and goes again. */
function belowOf(main: Element, target: EventTarget | null): Below {
  if (!(target instanceof Element && main.contains(target))) return NOTHING;
  return { row: target.closest(ROW), control: target.closest(CONTROL) };
}

/** Why a press of what is there now may be meant for what was there before; null where it is not. */
function whyStray(before: Below, now: Below): string | null {
  if (before.row !== null && before.row !== now.row) return MOVED;
  return before.control !== null && before.control !== now.control ? CHANGED : null;
}
