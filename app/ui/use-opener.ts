import { useState } from "react";

/**
 * Returns the focus to the element that had it when the dialog opened. Radix does so for its own triggers; our dialogs
 * are opened by the URL.
 */
export function useOpener() {
  const [opener] = useState(() => (typeof document === "undefined" ? null : document.activeElement));
  return (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
}
