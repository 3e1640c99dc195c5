import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { placeOf, visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;
let toasts: Locator;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
});
beforeEach(async () => {
  admin = await visitAs(browser, server, "admin");
  await admin.page.setViewportSize({ width: 1280, height: 800 });
  await admin.go("/dashboard");
  toasts = admin.page.locator("[data-sonner-toast]");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("a toast stands at the bottom right, 356 px wide, and closes by itself, not before 4 s", async () => {
  const lived_ms = admin.page.evaluate(lifeOfAToast);
  await tell();
  await toasts.hover(); // else it may have gone before it is measured
  const { x, y, width, height } = await placeOf(toasts);
  expect([x + width, y + height, width]).toEqual([1280 - 24, 800 - 24, 356]);
  await admin.page.getByRole("heading", { level: 1 }).hover();
  expect(await lived_ms).toBeGreaterThan(3_900);
});

test("of four toasts three are seen, and under a pointer they lie open, 14 px apart", async () => {
  await tell();
  await toasts.hover();
  for (const all of [2, 3, 4]) await tell(all);
  expect(await admin.page.locator("[data-sonner-toast][data-visible=true]").count()).toBe(3);
  const [newest, next] = [await placeOf(toasts.nth(0)), await placeOf(toasts.nth(1))];
  expect(newest.y - (next.y + next.height)).toBe(14);
});

test("toasts that Alt+T has opened stay while the keyboard is in them, and close by themselves once it has left", async () => {
  await tell();
  await admin.page.keyboard.press("Alt+t");
  await tell(2);
  await admin.page.waitForTimeout(5000);
  expect(await admin.page.locator("[data-sonner-toast][data-expanded=true]").count()).toBe(2);
  await admin.page.getByRole("heading", { level: 1 }).click();
  await expect.poll(() => toasts.count(), { timeout: 15_000 }).toBe(0);
});

test("a toast is swiped away from 45 px on, and springs back before", async () => {
  await tell();
  await swipe(44);
  await admin.page.waitForTimeout(500);
  expect(await toasts.count()).toBe(1);
  await swipe(46);
  await toasts.waitFor({ state: "detached" }); // under the pointer it would stay
});

/** Runs in the page: how long (ms) the next toast is there. A page that stands still only makes it longer. */
function lifeOfAToast(): Promise<number> {
  return new Promise((resolve) => {
    let came_at: number | null = null;
    new MutationObserver(() => {
      const isThere = document.querySelector("[data-sonner-toast]") !== null;
      if (isThere) came_at ??= performance.now();
      else if (came_at !== null) resolve(performance.now() - came_at);
    }).observe(document.body, { childList: true, subtree: true });
  });
}

/** Raises one more toast, and moves neither the pointer nor the focus. */
async function tell(all = 1): Promise<void> {
  await admin.page.getByRole("button", { name: "Refresh" }).and(admin.page.locator(":enabled")).dispatchEvent("click");
  await expect.poll(() => toasts.count(), { timeout: 15_000 }).toBe(all);
}

/** Drags a toast to the right, too slowly for its speed to count. It begins beside its words, which a pointer marks. */
async function swipe(px: number): Promise<void> {
  const { mouse } = admin.page;
  const { x, y, width, height } = await placeOf(toasts);
  const [from, middle] = [x + width - 60, y + height / 2];
  await mouse.move(from, middle);
  await mouse.down();
  await mouse.move(from + 2, middle);
  await admin.page.waitForTimeout(600);
  await mouse.move(from + px, middle, { steps: 5 });
  await mouse.up();
}
