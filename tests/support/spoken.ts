import type { Page } from "playwright-core";

/**
 * What a screen reader says unasked from now on, in the order of its saying: what comes into a live region that stood there
 * before. Of one that is atomic, as a status and an alert are by themselves, all of its words are said again.
 */
export async function spoken(page: Page): Promise<() => Promise<string[]>> {
  const said = await page.evaluateHandle(listen);
  return () => said.evaluate((words) => [...words]);
}

/** Runs in the page. */
function listen(): string[] {
  const LIVE = "[role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive]";
  const said: string[] = [];
  const known = new WeakSet<Element>();
  const meet = () => document.querySelectorAll(LIVE).forEach((region) => known.add(region));
  const regionOf = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(LIVE);
  const isAtomic = (region: Element) =>
    region.ariaAtomic === "true" || (region.ariaAtomic === null && region.matches("[role=status], [role=alert]"));
  const wordsOf = (node: Node) => (node instanceof HTMLElement ? node.innerText : (node.textContent ?? ""));
  meet();
  new MutationObserver((changes) => {
    const heard = new Map<HTMLElement, string[]>();
    for (const { target, type, addedNodes } of changes) {
      const region = regionOf(target);
      const news = type === "characterData" ? [target] : [...addedNodes];
      if (!region || !known.has(region) || news.length === 0) continue;
      heard.set(region, [...(heard.get(region) ?? []), ...news.map(wordsOf)]);
    }
    for (const [region, news] of heard) {
      const words = (isAtomic(region) ? region.innerText : news.join(" ")).replaceAll(/\s+/g, " ").trim();
      if (words !== "") said.push(words);
    }
    requestAnimationFrame(meet);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  return said;
}
