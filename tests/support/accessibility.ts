import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** Dialogs, menus and popups over the page. */
export const OPEN = "[role=dialog], [role=alertdialog], dialog[open]";

/** The smaller of its two files: each page reads it anew. */
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const WCAG = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] } as const;
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

const ALL: RunOptions = { runOnly: { ...WCAG, values: [...WCAG.values] } };
const COLORS: RunOptions = { runOnly: { type: "rule", values: COLOR_RULES } };

/** The violations of WCAG 2.2 A and AA in light mode, each with its first element, and those of color in dark mode. */
export async function barriersInBoth(page: Page, within = "html"): Promise<string[]> {
  const size = page.viewportSize();
  await showAll(page);
  await page.emulateMedia({ colorScheme: "light" });
  const isWhole = within === "html" || within === "main";
  const around = isWhole ? null : await hide(page, outside, within);
  const repeated = await page.evaluateHandle(repeatedRows, within);
  const found = await repeated.evaluate(faultsOfTexts);
  found.push(...(await page.locator(within).evaluateAll(saidTwice)));
  const rows = await hide(page, repeatedRows, within);
  found.push(...(await barriers(page, within)));
  await page.emulateMedia({ colorScheme: "dark" });
  // Dark mode differs in colors only, so only those rules run again.
  const dark = await barriers(page, within, COLORS);
  await rows();
  await around?.();
  if (size) await page.setViewportSize(size);
  return [...found, ...dark.map((barrier) => `dark: ${barrier}`)];
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

/**
 * Hides elements that make no difference to the answer, until the result is called. Axe looks at every element that is
 * visible, whatever it is asked about, and at its colors longest.
 */
async function hide(
  page: Page,
  chosen: (within: string) => HTMLElement[],
  within: string,
): Promise<() => Promise<void>> {
  const elements = await page.evaluateHandle(chosen, within);
  const styles = await elements.evaluateHandle((all) =>
    all.map((element) => {
      const before = element.getAttribute("style");
      element.style.setProperty("display", "none", "important");
      return before;
    }),
  );
  return () =>
    elements.evaluate((all, before) => {
      all.forEach((element, i) => {
        const style = before[i];
        if (typeof style === "string") element.style.cssText = style;
        else element.removeAttribute("style");
      });
    }, styles);
}

/** What is behind or beside the element: a dialog has a background of its own. */
function outside(within: string): HTMLElement[] {
  const inside = [...document.querySelectorAll(within)];
  const around = new Set<Element>();
  for (const element of inside) for (let at: Element | null = element; at; at = at.parentElement) around.add(at);
  return [...around].flatMap((element) =>
    inside.some((one) => one.contains(element))
      ? []
      : [...element.children].filter(
          (child): child is HTMLElement => child instanceof HTMLElement && !around.has(child),
        ),
  );
}

/**
 * The rows of a list that axe would judge as it does another one: all but the first two, and the last, of those with the
 * same elements, classes and states. (Stripes differ between an odd and an even row only.) `faultsOfTexts` looks at all.
 */
function repeatedRows(): HTMLElement[] {
  const OWN =
    /^(id|for|name|value|href|src|action|title|datetime|d|x|y|key|aria-(label|labelledby|describedby|controls))$/;
  const looks = (element: Element): string =>
    [
      element.tagName,
      ...[...element.attributes].filter(({ name }) => !OWN.test(name)).map(({ name, value }) => `${name}=${value}`),
      `(${[...element.children].map(looks).join()})`,
    ].join(" ");
  const repeated: HTMLElement[] = [];
  for (const list of document.querySelectorAll("ul, ol, tbody, select, [role=list], [role=rowgroup]")) {
    const kinds = new Map<string, number>();
    const rows = [...list.children];
    rows.forEach((row, i) => {
      const kind = `${i % 2} ${looks(row)}`;
      const before = kinds.get(kind) ?? 0;
      kinds.set(kind, before + 1);
      if (before > 0 && i < rows.length - 1 && row instanceof HTMLElement) repeated.push(row);
    });
  }
  return repeated;
}

/** What can be wrong with a row that is built like another: a control that its texts leave without a name, an id that is there twice. */
function faultsOfTexts(rows: HTMLElement[]): string[] {
  const nameOf = (control: Element): string =>
    [
      control.ariaLabel,
      ...(control.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent),
      ...(control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? (control.labels ?? []) : []),
      control.getAttribute("title"),
      control.textContent,
      control.querySelector("[alt], [aria-label]")?.getAttribute("aria-label"),
    ]
      .map((part) => (typeof part === "string" ? part : (part?.textContent ?? "")).trim())
      .join("");
  const ids = new Map<string, number>();
  for (const { id } of document.querySelectorAll("[id]")) ids.set(id, (ids.get(id) ?? 0) + 1);
  return rows.flatMap((row) => [
    ...[...row.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary")]
      .filter((control) => nameOf(control) === "")
      .map((control) => `no name: ${control.outerHTML}`),
    ...[row, ...row.querySelectorAll("[id]")]
      .filter(({ id }) => (ids.get(id) ?? 0) > 1)
      .map(({ id }) => `twice: #${id}`),
  ]);
}

/** Controls whose description says what their name has said already: a screen reader says both. */
function saidTwice(roots: Element[]): string[] {
  const textsOf = (ids: string | null) => (ids ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);
  const controls = roots.flatMap((root) => [...root.querySelectorAll("[aria-describedby], [aria-label][title]")]);
  return controls
    .filter((control) => {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      const named = control.ariaLabel ?? textsOf(control.getAttribute("aria-labelledby")).join("");
      const name = named === "" ? labels.map((label) => label.textContent).join("") : named;
      const isRepeated = textsOf(control.getAttribute("aria-describedby")).some((text) => text && name.includes(text));
      return isRepeated || (control.ariaLabel !== null && control.ariaLabel === control.getAttribute("title"));
    })
    .map((control) => `said twice: ${control.outerHTML}`);
}

/** The violations that axe finds, each with its first element. */
export async function barriers(page: Page, within = "html", options = ALL): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(
    async ({ within, options }) => {
      // Colors change in a transition, during which contrasts are not final, and one transition may start another.
      const isMoving = () =>
        document.getAnimations().some((one) => one.effect?.getComputedTiming().endTime !== Infinity);
      for (let still = 0; still < 5; still = isMoving() ? 0 : still + 1) await new Promise(requestAnimationFrame);
      const run: typeof axe.run = Reflect.get(Reflect.get(window, "axe"), "run");
      return run(within, { ...options, resultTypes: ["violations"] });
    },
    { within, options },
  );
  return found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html ?? ""}: ${nodes[0]?.failureSummary ?? ""})`,
  );
}
