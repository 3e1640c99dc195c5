import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs } from "#tests/support/staff";
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

/** Lights one light, at whatever hour it is: the city's own may all be dark. */
async function lightOne(): Promise<void> {
  const api = await signedInAs(server, "admin");
  const { data } = await api.call("GET", "/devices");
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const lit = data.find(({ name }: { name: string }) => name === "Fishing deck");
  await api.call("POST", `/devices/${lit.id}/toggle`, { action: "on", until, reason: "Search", emergency: true });
}

test.each(["/guardrails", "/tonight", "/schedules?view=week&area=demo-area-alder", "/devices?view=list"])(
  "on %s what is told by a ground is on paper, too: switches, dark hours, legends, lamps",
  async (path) => {
    await lightOne();
    const { page, go } = admin;
    await page.setViewportSize({ width: SHEETS[0] ?? 0, height: 900 });
    await go(path);
    await expect.poll(admin.loading).toBe(0);
    await page.getByRole("main").locator("[role=switch], [data-why], tbody [data-state=on] th").first().waitFor();
    // Where the system replaces colors, the same keep theirs.
    await page.emulateMedia({ media: "print", forcedColors: "active" });
    const drawn = await page.locator("main").evaluate(drawings);
    await page.emulateMedia({ media: "print", forcedColors: "none" });
    expect(drawn).toContainEqual({ what: expect.anything(), isPrinted: true });
    expect(new Set(drawn.filter(({ isPrinted }) => !isPrinted).map(({ what }) => what))).toEqual(new Set());
  },
);

test("a week on paper has no way to a form, nor says how one drags", async () => {
  const { page, go } = admin;
  await page.setViewportSize({ width: SHEETS[1] ?? 0, height: 900 });
  await go("/schedules?view=week&area=demo-area-alder");
  await admin.sees(/for Alder Field\.$/);
  const main = page.getByRole("main");
  expect(await main.locator("a[aria-label^='Add a schedule']").count()).toBeGreaterThan(0);
  expect(await main.locator("a[aria-label^='Add a schedule']:visible").count()).toBe(0);
  expect(await main.getByText(/^Drag an empty stretch/).isVisible()).toBe(false);
});

test.each(["/dashboard", "/areas/demo-area-linden"])(
  "%s on paper offers nothing to press, nor the empty place of it",
  async (path) => {
    const { page, go } = admin;
    await page.setViewportSize({ width: SHEETS[0] ?? 0, height: 900 });
    await page.emulateMedia({ media: "screen" });
    await go(path);
    const main = page.getByRole("main");
    await main.locator(".border-t > .button, [role=group] > a").first().waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await main.getByRole("link", { name: /^(Book|All off…)$/ }).count()).toBe(0);
    expect(await main.locator(".border-t, [role=group]").evaluateAll(emptyPlaces)).toEqual([]);
  },
);

/** Runs in the page: of the elements those that are drawn and say nothing. */
function emptyPlaces(all: Element[]): string[] {
  const isEmpty = (one: Element) => one instanceof HTMLElement && one.offsetHeight > 0 && one.innerText.trim() === "";
  const isDrawn = (one: Element) =>
    [...one.querySelectorAll("svg, i, progress")].some((part) => part.checkVisibility());
  return all.filter((one) => isEmpty(one) && !isDrawn(one)).map((one) => one.outerHTML);
}

test("a long title, cut on the screen, is whole on paper", async () => {
  const { page, go } = admin;
  const title = "Look after the lamps along the river ".repeat(5).trim();
  const api = await signedInAs(server, "admin");
  await api.call("POST", "/workorders", { title });
  await page.setViewportSize({ width: SHEETS[0] ?? 0, height: 900 });
  await go("/workorders");
  const heading = page.getByRole("heading", { name: title });
  await heading.waitFor();
  const isWhole = () => heading.evaluate((node) => node.scrollHeight <= node.clientHeight + 1);
  await page.emulateMedia({ media: "screen" });
  expect(await isWhole()).toBe(false);
  await page.emulateMedia({ media: "print" });
  expect(await isWhole()).toBe(true);
});

test("a one-time code on paper says whose it is, and shows no button", async () => {
  const { page, go } = admin;
  await go("/departments?tab=people");
  await page.emulateMedia({ media: "screen" });
  await admin.press("Invite Person");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("newcomer@parks.example");
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await dialog.getByText(/^Give them this one-time code\./).waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await dialog.getByText("newcomer@parks.example").isVisible()).toBe(true);
  expect(await dialog.locator("code").isVisible()).toBe(true);
  expect(await dialog.locator("button:visible").count()).toBe(0);
});

/** Runs in the page: what keeps its own ground in forced colors, and is not merely what is chosen; and whether it is printed. */
function drawings(main: Element): { what: string; isPrinted: boolean }[] {
  const CHOSEN = "[aria-current], [aria-pressed=true], [aria-selected=true], label:has(> .sr-only:checked)";
  return [...main.querySelectorAll("*")]
    .filter((element) => element.closest(CHOSEN) === null && element.checkVisibility())
    .flatMap((element) => [null, "::before"].map((part) => ({ element, part, style: getComputedStyle(element, part) })))
    .filter(({ part, style }) => part === null || style.content !== "none")
    .filter(({ style }) => style.getPropertyValue("forced-color-adjust") === "none")
    .filter(({ style }) => style.backgroundImage !== "none" || style.backgroundColor !== "rgba(0, 0, 0, 0)")
    .map(({ element, part, style }) => ({
      what: `${element.tagName} ${element.className.toString()} ${part ?? ""}`,
      isPrinted: style.printColorAdjust === "exact",
    }));
}
