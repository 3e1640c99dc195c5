import axe, { type RunOnly } from "axe-core";
import type { Page } from "playwright-core";

/** Dialogs, menus and popups over the page. */
export const OPEN = "[role=dialog], [role=alertdialog], dialog[open]";

/** The violations that axe finds in light mode, and the color-dependent ones in dark mode. */
export async function barriersInBoth(page: Page, within = "html"): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await barriers(page, within);
  await page.emulateMedia({ colorScheme: "dark" });
  // Dark mode differs in colors only, so only those rules run again.
  const dark = await barriers(page, within, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
  return [...light, ...dark.map((barrier) => `dark: ${barrier}`)];
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
