import { routerOf } from "#app/router/router-of";
import { useLocation } from "@remix-run/react";
import { useEffect } from "react";

/** A list that has not come by then does not come: every request ends at 10 s. */
const AWAITED_MS = 12_000;
/** Whoever does one of these goes on by themselves. */
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];

/**
 * Goes on to where one was when one goes back to a screen. The router does so once, while the placeholder of the list is
 * there, which is too short for it: whoever works off a list would look for their place after each of its pages.
 */
export function KeptScroll() {
  const location = useLocation();
  useEffect(() => {
    const wanted = routerOf().state.restoreScrollPosition;
    return typeof wanted === "number" ? scrollOnceItReaches(wanted) : undefined;
  }, [location]);
  return null;
}

/** Scrolls so far down as the page grows. Returns a function that ends that. */
function scrollOnceItReaches(wanted: number): () => void {
  const growth = new ResizeObserver(() => {
    if (scrollY < Math.floor(wanted)) scrollTo(0, wanted);
    else end();
  });
  const timer = setTimeout(end, AWAITED_MS);
  function end() {
    clearTimeout(timer);
    growth.disconnect();
    for (const move of MOVES) removeEventListener(move, end);
  }
  for (const move of MOVES) addEventListener(move, end, { passive: true });
  growth.observe(document.body);
  return end;
}
