import { afterEach, beforeEach } from "vitest";
import type { Page } from "playwright-core";
import { openPages } from "./chromium";
import { forgetSteps, lastSteps } from "./steps";

/** How long a page may take to say what it shows. One that hangs says nothing. */
const PATIENCE_MS = 3_000;
const LONGEST_TEXT = 1_500;

beforeEach(forgetSteps);

/**
 * Of a browser test that fails, perhaps once in a hundred runs: what it did last, and what its pages showed then. It is
 * part of the failure, because the summary of a run tells failures last; what a test prints is a thousand lines before.
 */
afterEach(async ({ task }) => {
  const [failure] = task.result?.errors ?? [];
  if (task.result?.state !== "fail" || failure === undefined) return;
  const shown = await Promise.all((await openPages()).map(describe));
  failure.message = [failure.message, `Its last steps: ${lastSteps().join("; ")}`, ...shown].join("\n\n");
});

async function describe(page: Page): Promise<string> {
  const shown = page.evaluate(() => {
    const parts = document.querySelectorAll<HTMLElement>(
      "main, [role=dialog], [role=alertdialog], [role=alert], [data-sonner-toast]",
    );
    // What a select could be told instead would be most of what is told.
    const textOf = (part: HTMLElement) =>
      [...part.querySelectorAll("select")].reduce(
        (text, select) => text.replace(select.innerText, select.selectedOptions[0]?.text ?? ""),
        part.innerText,
      );
    const texts = parts.length > 0 ? [...parts].map(textOf) : [document.body.innerText];
    return [document.hidden ? "(hidden)" : "", navigator.onLine ? "" : "(offline)", ...texts].join("\n");
  });
  const none = new Promise<string>((done) => setTimeout(done, PATIENCE_MS, "(does not answer)"));
  const text = await Promise.race([shown.catch(String), none]);
  return `${page.url()}: ${text.replaceAll(/\s*\n\s*/g, " | ").slice(0, LONGEST_TEXT)}`;
}
