import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { unmarkNoScript } from "#app/no-script/no-script";
import { TransitionRouter } from "#app/router/transition-router";

endRequestsInTime();
lendNonceToStyles();
unmarkNoScript();
forgetAbortedLists();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TransitionRouter>
        <RemixBrowser />
      </TransitionRouter>
    </StrictMode>,
    { onRecoverableError },
  );
});

/**
 * Another screen or dialog was asked for before the list had come: React renders the list here, once it has, instead
 * of taking it over. That is no error, and from React 19 on none is told.
 */
function onRecoverableError(error: unknown) {
  if (!(error instanceof Error && /#421;|received an update before it finished/.test(error.message)))
    reportError(error);
}

/** Spec 9: every request of the browser ends at 10 s, Remix's own included. */
function endRequestsInTime() {
  const send = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const given = init?.signal ?? (input instanceof Request ? input.signal : null);
    const limit = AbortSignal.timeout(10_000);
    return send(input, { ...init, signal: given ? AbortSignal.any([given, limit]) : limit });
  };
}

/** The scroll lock under Radix's dialogs writes a style element; this is where it looks for the page's nonce. */
function lendNonceToStyles() {
  Object.assign(window, { __webpack_nonce__: document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce });
}

/** Of a list that was asked for again before it had come: the promise that nobody waits for any more is no failure. */
function forgetAbortedLists() {
  window.addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof DOMException && event.reason.name === "AbortError") event.preventDefault();
  });
}
