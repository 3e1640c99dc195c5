import { useEffect, useRef } from "react";

/** Lets Escape and a click elsewhere close a <details>; Escape returns the focus to its button. */
export function useClosing() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    function close(event: KeyboardEvent | PointerEvent) {
      const panel = details.current;
      if (!panel?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        if (panel.contains(document.activeElement)) panel.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && panel.contains(event.target)) return;
      panel.open = false;
    }
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, []);
  return details;
}
