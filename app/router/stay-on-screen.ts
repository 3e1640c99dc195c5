import { setLost } from "#app/router/connection";

/** By then the page itself has loaded. */
const QUIET_MS = 2_000;

/**
 * Keeps the screen when a navigation or a reload gets no answer: Remix would replace it with its error page. The
 * request is left pending and the router is sent to where it is, which ends the navigation; `isAnotherList` lets
 * nothing load for that. Other requests (a form's options, a toggle) tell of their failures themselves.
 */
export function stayOnScreen() {
  setTimeout(preloadScreens, QUIET_MS);
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    try {
      const response = await send(input, init);
      if (response.status < 500 || !isReload(request)) return response;
    } catch (error) {
      if (request.signal.aborted && !isTimeout(request.signal.reason)) throw error;
      if (!isNavigation(request) && !isReload(request)) throw error;
    }
    return remain();
  };
}

function remain(): Promise<never> {
  setLost(true);
  const { pathname, search, hash } = routerOf().state.location;
  void routerOf().navigate(pathname + search + hash, { replace: true, preventScrollReset: true });
  return new Promise(() => undefined);
}

/** A navigation's own data: those of the screen that is being loaded, or of the page that a form was sent to. */
function isNavigation({ url }: Request): boolean {
  const { location } = routerOf().state.navigation;
  return location !== undefined && pageOf(url) === location.pathname;
}

/** The data of the screen that is there already. */
function isReload({ url, method }: Request): boolean {
  const { navigation, location } = routerOf().state;
  return navigation.state === "idle" && method === "GET" && pageOf(url) === location.pathname;
}

/** '/devices' for '/devices.data'; null for what is no page's data. */
function pageOf(url: string): string | null {
  const { pathname } = new URL(url);
  if (pathname === "/_root.data") return "/";
  return pathname.endsWith(".data") ? pathname.slice(0, -".data".length) : null;
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

/** Remix reloads the whole page if a screen's code cannot be fetched; so all of it is fetched while there is a server. */
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

function routerOf() {
  // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
  return window.__remixRouter;
}
