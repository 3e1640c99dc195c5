import { useSyncExternalStore } from "react";

/**
 * What only the browser knows, and does not change while the page is open; `onServer` in the server's HTML and in the first
 * render, which must equal it.
 */
export function useBrowserValue<Value>(inBrowser: () => Value, onServer: Value): Value {
  return useSyncExternalStore(never, inBrowser, () => onServer);
}

const never = () => () => undefined;
