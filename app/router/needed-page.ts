import { useEffect } from "react";

let needs = 0;

/** Whether the page has what would be gone for good if it loaded anew by itself. */
export function isPageNeeded(): boolean {
  return needs > 0;
}

/** Registers such a thing, while `isNeeded`: a code that is shown this once, or work that goes on in the page. */
export function useNeedsPage(isNeeded = true): void {
  useEffect(() => {
    if (!isNeeded) return;
    needs += 1;
    return () => void (needs -= 1);
  }, [isNeeded]);
}
