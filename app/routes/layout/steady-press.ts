import { useEffect } from "react";
import { toast } from "sonner";

/** In less nobody has read what has come under the pointer. */
const READ_MS = 500;
/** As far as a hand moves that rests. */
const REST_PX = 12;
const ROW = "li, tr";
const MOVED = "The list has just moved: that press did nothing";

/** Where the pointer was last, in px of the window, and over which row of a list. */
type Place = { x: number; y: number; row: Element | null };

/**
 * Takes no press of a button that has come under the pointer by itself a moment ago. A light that is pressed goes elsewhere in
 * a list, and whoever pressed once more would switch the one that has taken its place.
 */
export function SteadyPress() {
  useEffect(() => {
    const main = document.getElementById("main");
    if (!main) return;
    let last: Place = { x: 0, y: 0, row: null };
    let moved = { ...last, at: -Infinity };
    let isStray = false;
    const watch = new MutationObserver((changes) => {
      if (changes.some(movesRows)) moved = { ...last, at: performance.now() };
    });
    const move = (event: PointerEvent) => {
      last = placeOf(event);
      if (Math.hypot(last.x - moved.x, last.y - moved.y) > REST_PX) moved.at = -Infinity;
    };
    const down = (event: PointerEvent) => {
      move(event);
      isStray = performance.now() - moved.at < READ_MS && moved.row !== null && moved.row !== last.row;
    };
    const click = (event: MouseEvent) => {
      // The click of a key has no detail.
      if (!isStray || event.detail === 0 || !(event.target instanceof Element && event.target.closest("button")))
        return;
      event.preventDefault();
      event.stopPropagation();
      toast.info(MOVED, { id: MOVED });
    };
    watch.observe(main, { childList: true, subtree: true });
    addEventListener("pointermove", move, { passive: true });
    addEventListener("pointerdown", down, true);
    addEventListener("click", click, true);
    return () => {
      watch.disconnect();
      removeEventListener("pointermove", move);
      removeEventListener("pointerdown", down, true);
      removeEventListener("click", click, true);
    };
  }, []);
  return null;
}

function placeOf({ clientX: x, clientY: y, target }: PointerEvent): Place {
  return { x, y, row: target instanceof Element ? target.closest(ROW) : null };
}

function movesRows({ addedNodes, removedNodes }: MutationRecord): boolean {
  return [...addedNodes, ...removedNodes].some((node) => node instanceof Element && node.matches(ROW));
}
