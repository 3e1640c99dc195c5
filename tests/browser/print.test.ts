import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;

/** The width of a sheet of A4 between its margins, upright and on its side. */
const SHEETS = [718, 1047];
const INK = "rgb(20, 32, 51)";

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  admin = await visitAs(browser, server, "admin");
  await admin.go("/dashboard");
  await admin.page.getByRole("button", { name: "User menu" }).click();
  await admin.page.getByRole("button", { name: "Dark" }).click();
  await admin.page.locator("html[data-theme=dark]").waitFor();
  await admin.page.emulateMedia({ media: "print" });
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test.each(["/tonight", "/schedules", "/schedules?view=week", "/history"])(
  "%s is printed dark on light, also for who chose the dark theme, without what can only be pressed",
  async (path) => {
    const { page, go } = admin;
    await go(path);
    await expect.poll(admin.loading).toBe(0);
    const main = page.getByRole("main");
    expect(await main.getByRole("heading", { level: 1 }).evaluate((node) => getComputedStyle(node).color)).toBe(INK);
    for (const width of SHEETS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.locator("body a:visible, body button:visible").and(page.locator(":not(main *)")).count()).toBe(
        0,
      );
      expect(await main.locator(".button:visible, [role=search]:visible").count()).toBe(0);
      // All of the sheet is the content's.
      expect(await main.evaluate((node) => node.getBoundingClientRect().left)).toBe(0);
      expect(await main.evaluate((node) => node.getBoundingClientRect().width)).toBe(width);
    }
  },
);

test("a week on paper says which week and place it is of, keeps its bars' colors, and cuts no night in two", async () => {
  const { page, go, sees } = admin;
  await go("/schedules?view=week&area=demo-area-alder");
  await sees(/for Alder Field\.$/);
  expect(await page.getByRole("heading", { level: 2, name: / - / }).isVisible()).toBe(true);
  const night = page.locator("[data-row]").first();
  expect(await night.evaluate((node) => getComputedStyle(node).breakInside)).toBe("avoid");
  expect(await night.locator(".week-track").evaluate((node) => getComputedStyle(node).printColorAdjust)).toBe("exact");
  await go("/tonight");
  await expect.poll(admin.loading).toBe(0);
  expect(await page.getByRole("navigation", { name: "Nights" }).innerText()).toMatch(/\w{3}, \w{3} \d/);
});
