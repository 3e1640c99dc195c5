import axe, { type RunOnly } from "axe-core";
import type { Page } from "playwright-core";

/** Dialogs, menus and popups over the page. */
export const OPEN = "[role=dialog], [role=alertdialog], dialog[open]";

/** The violations that axe finds in light mode, and the color-dependent ones in dark mode. */
export async function barriersInBoth(page: Page, within = "html"): Promise<string[]> {
  const size = page.viewportSize();
  await showAll(page);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await barriers(page, within);
  await page.emulateMedia({ colorScheme: "dark" });
  // Dark mode differs in colors only, so only those rules run again.
  const dark = await barriers(page, within, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
  if (size) await page.setViewportSize(size);
  return [...light, ...dark.map((barrier) => `dark: ${barrier}`)];
}

/**
 * On a phone all of the page is shown at once. The bars that stick to its edges half cover whatever is under them at the
 * moment, which axe takes for a target that is too small and scrolling changes.
 */
async function showAll(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  if (width >= 768) return;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
}

const WCAG: RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };

/** The violations of WCAG 2.2 A and AA, each with its first element. */
export async function barriers(page: Page, within = "html", runOnly = WCAG): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    async ({ within, runOnly }) => {
      // Colors change in a transition, during which contrasts are not final, and one transition may start another.
      const isMoving = () =>
        document.getAnimations().some((one) => one.effect?.getComputedTiming().endTime !== Infinity);
      for (let still = 0; still < 5; still = isMoving() ? 0 : still + 1) await new Promise(requestAnimationFrame);
      const run: typeof axe.run = Reflect.get(Reflect.get(window, "axe"), "run");
      return run(within, { runOnly, resultTypes: ["violations"] });
    },
    { within, runOnly },
  );
  return found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html ?? ""}: ${nodes[0]?.failureSummary ?? ""})`,
  );
}
