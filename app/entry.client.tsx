import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { unmarkNoScript } from "#app/no-script/no-script";
import { watchActivity } from "#app/session/activity";
import { stayOnScreen } from "#app/router/stay-on-screen";
import { TransitionRouter } from "#app/router/transition-router";

endRequestsInTime();
// Whose browser keeps nothing cannot be signed in, and its storage throws: the page has yet to say so (`routes/login`).
if (navigator.cookieEnabled) watchActivity();
lendNonceToStyles();
unmarkNoScript();
forgetAbortedLists();
keepOfflinePage();
stayOnScreen();

void dataDecoded().then(hydrate);

/**
 * Remix decodes the page's data in its first render, and suspends with no boundary around it. A press or a key in that
 * moment made React 18 render at once, where that is an error (its #345): the page stayed dead until it was loaded anew
 * (remix-run/remix#10214). So the decoding is begun here, before React listens.
 */
async function dataDecoded() {
  try {
    RemixBrowser({});
  } catch (waiting) {
    await waiting;
  }
}

function hydrate() {
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
}

/**
 * If the person navigates before a streamed list arrives, React renders the list in the browser instead of hydrating
 * it. That is harmless, and React 19 no longer reports it.
 */
function onRecoverableError(error: unknown) {
  if (!(error instanceof Error && /#421;|received an update before it finished/.test(error.message)))
    reportError(error);
}

/** Gives every request of the browser, Remix's own included, a timeout of 10 s. */
function endRequestsInTime() {
  const send = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const given = init?.signal ?? (input instanceof Request ? input.signal : null);
    const limit = AbortSignal.timeout(10_000);
    return send(input, { ...init, signal: given ? AbortSignal.any([given, limit]) : limit });
  };
}

/** Radix's scroll lock inserts a style element and looks here for the page's nonce. */
function lendNonceToStyles() {
  Object.assign(window, { __webpack_nonce__: document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce });
}

/** Ignores the rejected promise of a list that was reloaded before it arrived. */
function forgetAbortedLists() {
  window.addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof DOMException && event.reason.name === "AbortError") event.preventDefault();
  });
}

/** Shows our own page instead of the browser's error when a page cannot be loaded (public/offline.js). */
function keepOfflinePage() {
  // Service workers exist on https and localhost only.
  void navigator.serviceWorker?.register("/offline.js").catch(() => undefined);
}
