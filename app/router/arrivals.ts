import { useLocation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** The entries of the history to which a link of another screen led; none after the page has been loaded again. */
const fromElsewhere = new Set<string>();

/** Remembers how each entry was reached. Once, in the layout. */
export function useArrivals(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const last = useRef({ key, pathname });
  useEffect(() => {
    const isHere = last.current.pathname === pathname;
    // What takes an entry's place, as after a reload without an answer, has the same one before it.
    const isKept = type === "REPLACE" && isHere && fromElsewhere.has(last.current.key);
    if (isKept || (type === "PUSH" && !isHere)) fromElsewhere.add(key);
    last.current = { key, pathname };
  }, [key, pathname, type]);
}

/** Whether the entry before this one, by its key, is another screen of ours. */
export function cameFromElsewhere(key: string): boolean {
  return fromElsewhere.has(key);
}

let isGoing = false;

/**
 * Goes back to the screen before an entry, once: a second press comes before the screen has changed, or the browser has even
 * begun, and would leave that screen, too.
 */
export function goBackFrom(key: string, navigate: (delta: number) => void): void {
  if (isGoing || window.history.state?.key !== key) return;
  isGoing = true;
  window.addEventListener("popstate", () => void (isGoing = false), { once: true });
  navigate(-1);
}
