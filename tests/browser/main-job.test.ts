import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { complaintsOf } from "#tests/support/complaints";
import { aServerProcess, type ServerProcess } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight } from "#tests/support/staff";

let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServerProcess({ fresh: true }), aBrowser()]);
  await withoutNight(await signedInAs(server, "admin"));
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("a manager books a light for the next minute, and it goes on and off by itself", async () => {
  await aPlace(await signedInAs(server, "manager"), "Journey Park", ["Journey lamp"]);
  const page = await browser.newPage();
  const complaints = complaintsOf(page);

  await signIn(page);
  await book(page, "Journey lamp");

  await page.getByRole("link", { name: "Devices", exact: true }).click();
  // The screen before has a search of its own.
  await page.getByRole("heading", { name: "Device Management" }).waitFor();
  await page.getByRole("searchbox").fill("Journey lamp");
  const card = page.locator("[data-state]", { hasText: "Journey lamp" });
  await card.waitFor();
  expect(await card.getAttribute("data-state")).not.toBe("on");
  await becomes(page, "on");
  await becomes(page, "off");

  await page.getByRole("link", { name: "Events Log", exact: true }).click();
  const rows = page.getByRole("row", { name: "Journey lamp" });
  // The list is told of a new row.
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(0).innerText()).toMatch(/scheduler\s+OFF\s+ok\s+1/i);
  expect(await rows.nth(1).innerText()).toMatch(/scheduler\s+ON\s+ok\s+1\s+On until .*: Journey practice/i);
  // The empty form, above.
  expect(complaints).toEqual([expect.stringContaining("422")]);
}, 240_000);

async function signIn(page: Page) {
  await page.goto(`${server.url}/schedules`);
  await page.waitForURL(/\/login(\?|$)/);
  await page.getByRole("button", { name: "Manager Account" }).click();
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/schedules");
  await page.getByText("Login successful!").waitFor();
}

/** From the next full minute to the one after, in the dialog's own minutes. */
async function book(page: Page, device: string) {
  await page.getByRole("link", { name: "Schedules", exact: true }).click();
  await page.getByRole("button", { name: "New Schedule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create Schedule" }).click();
  await dialog.getByText("Title, area, and device are required").first().waitFor();

  await dialog.getByLabel("Title").fill("Journey practice");
  await dialog.getByLabel("Area").selectOption("Journey Park");
  await dialog.getByLabel("Device").selectOption(device);
  // Time enough to send it, and to look at the light before.
  const minute = Math.ceil((Date.now() + 20_000) / 60_000) * 60_000;
  await fillTime(page, "Start", minute);
  await fillTime(page, "End", minute + 60_000);
  await dialog.getByRole("button", { name: "Create Schedule" }).click();
  await page.getByText("Schedule created successfully").waitFor();
  await page.getByText("Journey practice").first().waitFor();
}

/** Every time on screen is in APP_TIMEZONE. */
async function fillTime(page: Page, which: "Start" | "End", at: number) {
  const [date = "", time = ""] = new Date(at)
    .toLocaleString("sv-SE", { timeZone: "America/Los_Angeles", hour12: false })
    .split(" ");
  await page.getByLabel(`${which} date`).fill(date);
  await page.getByLabel(`${which} time`).fill(time.slice(0, 5));
}

/** By itself, while somebody looks. */
async function becomes(page: Page, state: "on" | "off") {
  await page.locator(`[data-state="${state}"]`, { hasText: "Journey lamp" }).waitFor({ timeout: 100_000 });
}
