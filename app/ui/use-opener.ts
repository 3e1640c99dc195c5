import { useState } from "react";

/**
 * Gives the focus back to what had it when the dialog opened. Radix does so for its own triggers; ours are opened by
 * the address, so that they can be linked.
 */
export function useOpener() {
  const [opener] = useState(() => (typeof document === "undefined" ? null : document.activeElement));
  return (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
}
