import { createContext, useContext, type MouseEvent } from "react";

/** Whether the page has to do without script; false in a browser that runs it, from its first effect on. */
const NoScript = createContext(false);

export const NoScriptProvider = NoScript.Provider;
export const useNoScript = () => useContext(NoScript);

/** The form that dialogs are opened and closed with: sent bare, it leads to the page without a dialog. */
export const DIALOG_FORM = "dialogs";

/** Makes a button ask for the page again, without its dialog; with the script it does this instead. */
export function reloads(instead: () => void) {
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    instead();
  };
  return { type: "submit", form: DIALOG_FORM, onClick } as const;
}
