import axe, { type RunOnly } from "axe-core";
import type { Page } from "playwright-core";

/** Whatever has come up over the page. */
export const OPEN = "[role=dialog], [role=alertdialog], dialog[open]";

/** What axe finds wrong in light, and what of it depends on colours in dark. */
export async function barriersInBoth(page: Page, within = "html"): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await barriers(page, within);
  await page.emulateMedia({ colorScheme: "dark" });
  // It is the same page in other colours.
  const dark = await barriers(page, within, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
  return [...light, ...dark.map((barrier) => `dark: ${barrier}`)];
}

const WCAG: RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };

/** What axe finds wrong by WCAG 2.2 A and AA, each with the first element that has it. */
export async function barriers(page: Page, within = "html", runOnly = WCAG): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    async ({ within, runOnly }) => {
      // A change of colours is a moment's transition, in which nothing has its contrast yet, and one may bring the next.
      const isMoving = () =>
        document.getAnimations().some((one) => one.effect?.getComputedTiming().endTime !== Infinity);
      for (let still = 0; still < 5; still = isMoving() ? 0 : still + 1) await new Promise(requestAnimationFrame);
      const run: typeof axe.run = Reflect.get(Reflect.get(window, "axe"), "run");
      return run(within, { runOnly });
    },
    { within, runOnly },
  );
  return found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html ?? ""}: ${nodes[0]?.failureSummary ?? ""})`,
  );
}
