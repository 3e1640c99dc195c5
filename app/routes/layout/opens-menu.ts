import type { MouseEvent } from "react";

/** For a button that opens the menu. Browsers that support it do so without script; with script, `open` alone does. */
export function opensMenu(open: () => void) {
  const onClick = (event: MouseEvent) => {
    // The command would come second, to a dialog that is open.
    event.preventDefault();
    open();
  };
  return { command: "show-modal", commandfor: "menu", onClick };
}
