import { matchRoutes } from "@remix-run/react";
import { NOT_SENT } from "#app/forms/catch-network-error";
import { isLayoutBehind, isRemaining, isThere, setLost, setRemaining, tellUnreached } from "#app/router/connection";
import { isReturning, returnToEntry } from "#app/router/return-to-entry";
import { routerOf } from "#app/router/router-of";

/** After this the page itself has loaded. */
const QUIET_MS = 2_000;

/**
 * Keeps the screen when a navigation or a reload gets no answer, instead of Remix's error page. Leaves the request pending
 * and navigates to the current location, which ends the navigation; `isAnotherList` keeps that from asking for anything.
 * Other requests (a form's options, a toggle) report their failures themselves.
 */
export function stayOnScreen() {
  setTimeout(preloadScreens, QUIET_MS);
  window.navigation?.addEventListener("navigate", (event) => void stayOffline(event));
  const send = window.fetch.bind(window);
  let written = 0;
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const isOfScreen = screenPath(request.url) !== null;
    const before = written;
    try {
      const response = await send(input, init);
      if (request.method !== "GET" && isOfScreen) written += 1;
      if (!isReload(request)) {
        // The layout, which is loaded with the next screen, would take the whole page along.
        const hasLayout = isLayoutBehind() && isOfScreen && request.method === "GET" && isNavigation(request);
        if (hasLayout && !isOurs(response)) throw new TypeError("no answer of ours");
        return response;
      }
      // It was asked for before a form was answered, and may come after the reload that follows the form.
      if (written !== before) return await window.fetch(input, init);
      return isOurs(response) || isRemaining() ? await begun(response) : await remain();
    } catch (error) {
      if (request.signal.aborted && !isTimeout(request.signal.reason)) throw error;
      const asked = isManifest(request.url) && new URL(request.url).searchParams.get("p");
      if (asked && endUnsent((action) => action === asked && !routeOf(action))) return new Promise(() => undefined);
      if (!isNavigation(request) && !isReload(request)) throw error;
      if (isReturning()) return new Promise(() => undefined);
      // A screen that has nothing to stay with loads in any case: to remain would ask again, without end.
      if (isRemaining()) throw error;
    }
    setLost(true);
    const { navigation, location } = routerOf().state;
    if (navigation.location && navigation.location.search !== location.search)
      tellUnreached(navigation.location.search);
    return remain();
  };
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Window {
    /** Not every browser has it, and TypeScript does not know it yet. */
    navigation?: {
      addEventListener: ((type: "navigate", listener: (event: Navigate) => void) => void) & OnNavigateError;
      removeEventListener: OnNavigateError;
    };
  }
}
type OnNavigateError = (type: "navigateerror", listener: () => void) => void;
type Navigate = Event & { navigationType: string; userInitiated: boolean };

let isLeaving = false;

/**
 * Remix loads the page anew if it cannot fetch a screen's code, be it for a link that the mouse rests on. Without a server
 * that would lose the page, and what is typed in it. The browser may not know that the network is gone: the server is asked.
 */
async function stayOffline(event: Navigate) {
  if (event.navigationType !== "reload" || event.userInitiated || isLeaving) return;
  event.preventDefault();
  isLeaving = await isThere();
  if (isLeaving) return window.location.reload();
  if (routerOf().state.navigation.state !== "idle") void remain();
  endUnsent((action) => routeOf(action)?.lazy !== undefined);
}

/**
 * Answers what was posted to another screen, as by Undo, and waits for that screen's route or code: Remix would wait for the
 * code without end, while no list is loaded anew, and shows its error page without the route. A post ends only where it is
 * sent again: to a route that has its code. Whether there was any.
 */
function endUnsent(isWaiting: (action: string) => boolean): boolean {
  const { state, patchRoutes, fetch } = routerOf();
  const waiting = [...state.fetchers].filter(([, sent]) => sent.state === "submitting" && isWaiting(sent.formAction));
  if (waiting.length === 0) return false;
  patchRoutes(null, [{ id: UNSENT, path: UNSENT, action: () => ({ ...NOT_SENT }) }]);
  for (const [key] of waiting) fetch(key, UNSENT, UNSENT, { formMethod: "post", formData: new FormData() });
  return true;
}

function routeOf(path: string) {
  return matchRoutes(routerOf().routes, path)?.at(-1)?.route;
}

const UNSENT = "/unsent";

/**
 * Whether the screen itself has answered. What stands between may, as a firewall that finds the requests too many: with a
 * page of its own, whatever its status, which Remix could not read.
 */
function isOurs({ status, headers }: Response): boolean {
  return status < 500 && headers.has("X-Remix-Response");
}

/** The answer once it has begun to arrive. One that breaks off before is none; Remix would show its error page. */
async function begun(answer: Response): Promise<Response> {
  if (!answer.body) return answer;
  const [first, whole] = answer.body.tee();
  const reader = first.getReader();
  await reader.read();
  void reader.cancel();
  return new Response(whole, answer);
}

/** Ends a navigation that is under way where it began, and loads nothing. Its own answer never comes. */
export function remain(): Promise<never> {
  if (!isReturning()) {
    setRemaining(true);
    void goWhereItBegan().finally(() => setRemaining(false));
  }
  return new Promise(() => undefined);
}

async function goWhereItBegan(): Promise<void> {
  // After the browser's back the entry is another screen's already: put in its place, this one would take away the way there.
  if (await returnToEntry()) return;
  const { pathname, search, hash } = routerOf().state.location;
  return routerOf().navigate(pathname + search + hash, { replace: true, preventScrollReset: true });
}

/** What a route's loader answered last. Only in a browser. */
export function dataOnScreen(route: string): unknown {
  return routerOf().state.loaderData[route];
}

/**
 * Calls `listener` whenever a reload of the screen ends, with or without new data. `isCut` says that it was given up for a
 * navigation, to a dialog for example. Returns a function that ends that. Not a state to render: React may skip rendering
 * a reload that fails at once.
 */
export function onReloadEnd(listener: (isCut: boolean) => void): () => void {
  let last = routerOf().state;
  return routerOf().subscribe((state) => {
    const isEnd = last.revalidation === "loading" && state.revalidation === "idle";
    const isCut = last.location.pathname + last.location.search !== state.location.pathname + state.location.search;
    last = state;
    if (isEnd) listener(isCut);
  });
}

/**
 * Whether the request is a navigation's own: which screen the address is, its data, or a form's post. What a button sends
 * while its screen loads anew is not: left pending, it would never tell that it has failed.
 */
function isNavigation({ url, method }: Request): boolean {
  const { location, state } = routerOf().state.navigation;
  if (location === undefined) return false;
  const isPost = method !== "GET";
  return isManifest(url) || (screenPath(url) === location.pathname && isPost === (state === "submitting"));
}

/** Whether the request asks which screens the addresses are. */
function isManifest(url: string): boolean {
  return url.includes("/__manifest");
}

/** Whether the request reloads the current screen's data. */
function isReload({ url, method }: Request): boolean {
  const { navigation, location } = routerOf().state;
  return navigation.state === "idle" && method === "GET" && screenPath(url) === location.pathname;
}

/** '/devices' for '/devices.data'; null for any other request. */
function screenPath(url: string): string | null {
  const { pathname } = new URL(url);
  if (pathname === "/_root.data") return "/";
  return pathname.endsWith(".data") ? pathname.slice(0, -".data".length) : null;
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

/** Prefetches every screen's code, because Remix reloads the whole page if it cannot be fetched later. */
function preloadScreens() {
  // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
  const routes = Object.values(window.__remixManifest.routes);
  const files = new Set(routes.flatMap((route) => (route?.hasLoader ? [route.module, ...(route.imports ?? [])] : [])));
  for (const href of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = href;
    document.head.appendChild(link);
  }
}
