import { useEffect, useRef } from "react";

/**
 * For what takes the focus when the control that had it has gone with a change of `of`: whoever goes on with the keyboard
 * would begin at the top of the window again.
 */
export function useLeftFocus<E extends HTMLElement>(of: unknown) {
  const ref = useRef<E>(null);
  const last = useRef(of);
  useEffect(() => {
    if (last.current === of) return;
    last.current = of;
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  }, [of]);
  return ref;
}
