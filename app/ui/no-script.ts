import { createContext, useContext, type MouseEvent } from "react";

/** Whether the page is rendered for a browser without script. False as soon as the script runs. */
const NoScript = createContext(false);

export const NoScriptProvider = NoScript.Provider;
export const useNoScript = () => useContext(NoScript);

/** The id of the form that opens and closes dialogs. Submitted without a dialog's name, it closes the dialog. */
export const DIALOG_FORM = "dialogs";

/** Without script, the button reloads the page without its dialog; with script it runs `instead`. */
export function reloads(instead: () => void) {
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    instead();
  };
  return { type: "submit", form: DIALOG_FORM, onClick } as const;
}
