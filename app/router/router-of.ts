/** Remix's router. Only in a browser. */
export function routerOf() {
  // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
  return window.__remixRouter;
}
