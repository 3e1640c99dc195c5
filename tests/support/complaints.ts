import type { Page } from "playwright-core";

/**
 * Not complaints of ours: Remix logs a load that a newer one has overtaken, whenever that happens, a link that is pointed at
 * before the page has been told of its route, and being told of routes where the page is left meanwhile (an answer that is
 * an error reads otherwise); and the driver that draws without a graphics card says that it is slow.
 */
const OF_OTHERS =
  /AbortError|signal is aborted|Tried to prefetch \S+ but no routes matched|manifest patches TypeError: Failed to fetch|GL Driver Message/;

/** The page's uncaught errors, and the errors and warnings on its console, from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  const note = (text: string) => void (OF_OTHERS.test(text) || complaints.push(text));
  page.on("pageerror", (error) => note(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) note(message.text());
  });
  return complaints;
}
