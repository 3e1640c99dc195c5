import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight } from "#tests/support/staff";
import { htmlOf, visitAs } from "#tests/support/visit";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await withoutNight(await signedInAs(server, "admin"));
  await aPlace(await signedInAs(server, "manager"), "Keyboard Park", ["Keyboard lamp"]);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("with the keyboard alone a person signs in, finds a light, switches it, edits and deletes it, and leaves", async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  const { keyboard } = page;
  await page.goto(`${server.url}/login`);
  await tabTo(page, "Email");
  await keyboard.type("admin@parks.example");
  await keyboard.press("Tab");
  await keyboard.type("lamplighter-demo");
  await keyboard.press("Enter");
  await told(page, "Login successful!");

  await tabTo(page, "Skip to content");
  await keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");

  await keyboard.press("/");
  await page.getByRole("combobox", { name: /^Search/ }).waitFor();
  await keyboard.type("keyboard lamp");
  await page.getByRole("option", { name: "Keyboard lamp" }).waitFor();
  await keyboard.press("Enter");
  await page.waitForURL(/\/devices\/[\w-]+$/);
  await page.getByRole("heading", { level: 1, name: "Keyboard lamp" }).waitFor();

  await keyboard.press("/");
  await page.getByRole("combobox", { name: /^Search/ }).waitFor();
  await keyboard.type("devices");
  await page.getByRole("option", { name: "Devices" }).waitFor();
  await keyboard.press("Enter");
  await page.waitForURL("**/devices");
  const card = page.getByRole("article", { name: "Keyboard lamp" });
  await card.waitFor();

  await tabTo(page, "Turn on Keyboard lamp");
  await keyboard.press("Enter");
  await told(page, "Device turned on successfully");
  expect(await card.getAttribute("data-state")).toBe("on");
  await expect.poll(() => focused(page)).toBe("Turn on Keyboard lamp");

  await tabTo(page, "Edit Keyboard lamp", "Shift+Tab");
  await keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Edit Device" }).waitFor();
  await expect.poll(() => focused(page)).toBe("Name");
  await keyboard.press("Control+A");
  await keyboard.press("Delete");
  await keyboard.press("Enter");
  await page.getByRole("dialog").getByText("Device name and area are required").waitFor();
  await keyboard.type("Keyboard lantern");
  await keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("Keep editing");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Edit Keyboard lamp");

  await keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Edit Device" }).waitFor();
  await expect.poll(() => focused(page)).toBe("Name");
  await keyboard.press("Control+A");
  await keyboard.type("Keyboard lamp 2");
  await keyboard.press("Enter");
  await told(page, "Device updated successfully");
  await expect.poll(() => focused(page)).toBe("Edit Keyboard lamp 2");

  await tabTo(page, "Delete Keyboard lamp 2");
  await keyboard.press("Enter");
  await page.getByRole("alertdialog", { name: "Delete Device" }).waitFor();
  await expect.poll(() => focused(page)).toBe("Cancel");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await told(page, 'Device "Keyboard lamp 2" deleted successfully');
  // The next card has the focus, and nobody begins at the top of the window again.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("article")?.ariaLabel ?? ""))
    .not.toBe("");

  await tabTo(page, "User menu", "Shift+Tab");
  await keyboard.press("Enter");
  await tabTo(page, "Sign out");
  await keyboard.press("Enter");
  await told(page, "Logged out successfully");
  await page.close();
}, 180_000);

test("a form that was opened from another screen leaves the focus at the screen that it closes to", async () => {
  const { page, go } = await visitAs(browser, server, "manager");
  await go("/devices/demo-light-viaduct-underpass");
  await page.getByRole("link", { name: "Book…" }).press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

test.each([
  ["/schedules?view=week", "The week after", "The week after"],
  ["/schedules?view=week", "List", "List"],
  ["/departments", "People", "People"],
  ["/tonight?date=2026-01-01", "Tonight", "main"],
  ["/devices?q=nothing-has-this-name", "Show all", "main"],
])("on %s a press of %s, which is drawn anew or gone, leaves the focus at %s", async (path, pressed, left) => {
  const { page, go } = await visitAs(browser, server, "admin");
  await go(path);
  const main = page.getByRole("main");
  const control = await main.getByRole("link", { name: pressed, exact: true }).elementHandle();
  await control?.press("Enter");
  await expect.poll(() => control?.evaluate((element) => element.isConnected)).toBe(false);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.id === "main" || document.activeElement?.tagName))
    .toBe(left === "main" || "A");
  if (left !== "main") expect(await focused(page)).toBe(left);
});

test("of what a press takes out of a list the next entry has the focus", async () => {
  const { page, go } = await visitAs(browser, server, "admin");
  // The object has begun, and ends no alarm that it does not know any more.
  await go("/areas/demo-area-viaduct");
  await server.batch(
    ["gate", "pond"].map((name, seq) => [
      `INSERT INTO alarms (id, org_id, kind, device_name, what, why, opened_at, seq)
       VALUES (?, 'demo-parks', 'device_failed', ?, 'Dark', 'still off after 3 tries', '2026-01-01T00:00:00.000Z', ?)`,
      `keyboard:${name}`,
      name,
      seq,
    ]),
  );
  await go("/alarms");
  const buttons = page.getByRole("button", { name: /^Acknowledge: / });
  await buttons.nth(1).waitFor();
  const [first, second] = await buttons.evaluateAll((all) => all.map((button) => button.closest("article")?.ariaLabel));
  await buttons.first().press("Enter");
  await page.getByRole("article", { name: first ?? "", exact: true }).waitFor({ state: "detached" });
  const entry = () => page.evaluate(() => document.activeElement?.closest("article")?.ariaLabel);
  await expect.poll(entry).toBe(second);
});

test("where a press takes away only itself, its entry of the list has the focus, and not the page", async () => {
  const { page, go } = await visitAs(browser, server, "admin");
  const id = "demo-light-viaduct-underpass";
  await go(`/devices/${id}`);
  await server.query(
    `INSERT INTO alarms (id, org_id, kind, device_id, device_name, what, why, opened_at, seq)
     VALUES ('keyboard:underpass', 'demo-parks', 'device_failed', ?, 'Underpass', 'Dark', 'still off', '2026-01-01T00:00:00.000Z', 9)`,
    id,
  );
  await go(`/devices/${id}`);
  const button = page.getByRole("button", { name: "Acknowledge: Underpass" });
  await button.press("Enter");
  await button.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Make a work order: Underpass");
});

test("a form that Enter sends has the focus at what is refused", async () => {
  const { page, go } = await visitAs(browser, server, "manager");
  await go("/devices?new=");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Half a lamp");
  await dialog.getByLabel("Model").press("Enter");
  await dialog.getByText("Device name and area are required").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("area_id");
});

test.each(["/closures?new=", "/permits?new="])(
  "on %s a place that is missing has the focus at its area",
  async (path) => {
    const { page, go } = await visitAs(browser, server, "manager");
    await go(path);
    const dialog = page.getByRole("dialog");
    const area = dialog.getByLabel("Area", { exact: true });
    await area.and(page.locator(":enabled")).waitFor();
    await dialog.getByLabel("Reason").fill("wet ground");
    await dialog.getByRole("button", { name: /^Create / }).press("Enter");
    const wrong = dialog.getByText("Choose a device, a group or an area");
    await wrong.waitFor();
    await expect.poll(() => area.evaluate((select) => document.activeElement === select)).toBe(true);
    expect(await area.getAttribute("aria-describedby")).toBe(await wrong.getAttribute("id"));
    await area.selectOption("Keyboard Park");
    await wrong.waitFor({ state: "detached" });
  },
);

test("the search goes anywhere, leaves fields alone, says when there is nothing, and gives the focus back", async () => {
  const { page, go } = await visitAs(browser, server, "employee");
  const { keyboard } = page;
  await go("/devices");
  const combobox = page.getByRole("combobox", { name: "Search areas, hubs, devices, schedules and screens" });
  const options = page.getByRole("listbox", { name: "Found" }).getByRole("option");

  await page.getByRole("searchbox").fill("");
  await page.getByRole("searchbox").press("/");
  expect(await page.getByRole("searchbox").inputValue()).toBe("/");
  expect(await combobox.isVisible()).toBe(false);
  await page.getByRole("searchbox").fill("");

  await page.getByRole("button", { name: "Search", exact: true }).press("Enter");
  await combobox.waitFor();
  expect(await options.allInnerTexts()).not.toContainEqual(expect.stringContaining("Settings"));
  await keyboard.press("ArrowDown");
  expect(await page.locator("[role=option][aria-selected=true]").innerText()).toContain("Tonight");
  await keyboard.type("no such thing anywhere");
  await page.getByRole("status").getByText('Nothing found for "no such thing anywhere"').waitFor();
  await keyboard.press("Escape");
  // A closed dialog is hidden at once, and gone a moment later.
  await page.locator("dialog[aria-label=Search]").waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Search");

  await keyboard.press("Control+k");
  await combobox.waitFor();
  await page.route("**/find*", (route) => route.abort());
  await keyboard.type("keyboard");
  await page.getByText("The search failed. Check your connection; it is tried again.").waitFor();
  await page.unroute("**/find*");
  await options.filter({ hasText: "Keyboard Park" }).first().waitFor(); // by itself
  await keyboard.type(" park");
  await options.filter({ hasText: "Keyboard Park" }).first().waitFor();
  await keyboard.press("Enter");
  await page.waitForURL(/\/areas\/[\w-]+$/);
  await page.getByRole("heading", { level: 1, name: "Keyboard Park" }).waitFor();
  await page.close();
});

test("Enter that ends what an input method composes in the search goes nowhere", async () => {
  const { page, go } = await visitAs(browser, server, "employee");
  await go("/devices");
  await page.keyboard.press("Control+k");
  const combobox = page.getByRole("combobox", { name: /^Search/ });
  await combobox.waitFor();
  await page.keyboard.type("tonight");
  const press = (isComposing: boolean) =>
    combobox.evaluate((input, composing) => {
      const key = { key: "Enter", isComposing: composing, bubbles: true, cancelable: true };
      return input.dispatchEvent(new KeyboardEvent("keydown", key));
    }, isComposing);
  expect(await press(true)).toBe(true);
  expect([new URL(page.url()).pathname, await combobox.isVisible()]).toEqual(["/devices", true]);
  await press(false);
  await page.waitForURL("**/tonight");
  await page.close();
});

test("a hub that is chosen in the search is the one that its list shows, also where others have its name", async () => {
  await server.batch([
    [
      "INSERT INTO areas (id, org_id, name) VALUES ('elm', 'demo-parks', 'Elm Yard'), ('fir', 'demo-parks', 'Fir Yard')",
    ],
    [
      "INSERT INTO hubs (id, org_id, area_id, name) SELECT id, org_id, id, 'Shed hub' FROM areas WHERE id IN ('elm', 'fir')",
    ],
  ]);
  const { page, go } = await visitAs(browser, server, "employee");
  await go("/areas");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Search/ }).waitFor();
  await page.keyboard.type("shed hub");
  await page.getByRole("option", { name: "Fir Yard" }).click();
  await page.waitForURL("**/hubs?*");
  const cards = page.getByRole("main").getByRole("article");
  await cards.first().waitFor();
  await expect.poll(() => cards.count()).toBe(1);
  expect(await cards.innerText()).toContain("Fir Yard");
});

test("what is typed after '/' while the search's code is on its way stands in it, and presses nothing", async () => {
  const { page, go } = await visitAs(browser, server, "employee");
  const { keyboard } = page;
  let letCome = (): void => {};
  const held = new Promise<void>((done) => (letCome = done));
  await page.route("**/assets/palette-*.js", async (route) => {
    await held;
    await route.fallback();
  });
  await go("/areas");
  await page.getByRole("link", { name: "Map" }).focus();
  await keyboard.press("/");
  await keyboard.type("keyboard pork");
  await keyboard.press("Backspace");
  await keyboard.press("Backspace");
  await keyboard.press("Backspace");
  await keyboard.type("ark");
  await keyboard.press("Enter");
  letCome();
  const combobox = page.getByRole("combobox", { name: /^Search/ });
  await combobox.waitFor();
  await keyboard.type(" ");
  expect(await combobox.inputValue()).toBe("keyboard park ");
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("option", { name: "Keyboard Park" }).first().waitFor();
  await keyboard.press("Escape");
  await page.locator("dialog[aria-label=Search]").waitFor({ state: "detached" });
  await keyboard.press("/");
  await combobox.waitFor();
  expect(await combobox.inputValue()).toBe("");
  await page.close();
});

test("a link to another screen is answered with the screen's name, by a link of the content and by the browser's back, too", async () => {
  const { page, go } = await visitAs(browser, server, "employee");
  const told = page.getByRole("status", { name: "Screen" });
  await go("/areas");
  await told.waitFor({ state: "attached" });
  expect(await told.innerText()).toBe("");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Devices" }).press("Enter");
  await expect.poll(() => told.innerText()).toBe("Devices");
  const light = page.getByRole("article").first().getByRole("link").first();
  const name = await light.innerText();
  await light.press("Enter");
  await expect.poll(() => told.innerText()).toContain(name);
  await page.goBack();
  await expect.poll(() => told.innerText()).toBe("Devices");
  await page.close();
});

test("light and dark follow the system until somebody chooses; the choice is there before the first paint", async () => {
  const { page, go } = await visitAs(browser, server, "manager");
  await page.emulateMedia({ colorScheme: "dark" });
  await go("/dashboard");
  const canvas = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await canvas()).toBe("rgb(12, 19, 31)");
  await page.getByRole("button", { name: "User menu" }).click();
  await page.getByRole("button", { name: "Light" }).click();
  await expect.poll(canvas).toBe("rgb(244, 246, 249)");
  const html = await htmlOf(page, server, "/dashboard");
  expect(html).toContain('<html lang="en" data-theme="light">');
  await page.reload();
  expect(await canvas()).toBe("rgb(244, 246, 249)");
  await page.getByRole("button", { name: "User menu" }).click();
  await page.getByRole("button", { name: "System" }).click();
  await page.reload();
  expect(await canvas()).toBe("rgb(12, 19, 31)");
  await page.close();
});

test("who turns the key '/' off under Account has Ctrl+K, no hint at the key, and can turn it on again", async () => {
  const { page, go, press, sees, reload } = await visitAs(browser, server, "auditor");
  const { keyboard } = page;
  const search = page.getByRole("button", { name: "Search", exact: true });
  const hint = search.getByText("/", { exact: true });
  const choice = page.getByLabel("Open the search with the key /");
  const combobox = page.getByRole("combobox", { name: /^Search/ });
  await go("/account");
  expect(await hint.isVisible()).toBe(true);
  await choice.uncheck();
  await press("Save shortcuts");
  await sees("Your shortcuts are saved");
  await hint.waitFor({ state: "detached" });
  expect(await search.getAttribute("aria-keyshortcuts")).toBe("Control+K");

  await reload();
  expect(await hint.count()).toBe(0);
  expect(await choice.isChecked()).toBe(false);
  await keyboard.press("/");
  // Where '/' were heard, this would be typed into the search, which opens empty.
  await keyboard.press("x");
  await keyboard.press("Control+k");
  await combobox.waitFor();
  expect(await combobox.inputValue()).toBe("");
  await keyboard.press("Escape");
  await page.locator("dialog[aria-label=Search]").waitFor({ state: "detached" });

  await choice.check();
  await press("Save shortcuts");
  await hint.waitFor();
  await keyboard.press("/");
  await combobox.waitFor();
  await page.close();
});

/** What has the focus, by its label or its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : undefined;
    return element?.getAttribute("aria-label") ?? label ?? element?.textContent?.trim() ?? "";
  });
}

async function tabTo(page: Page, label: string, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    if ((await focused(page)) === label) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${label}`);
}

/** A toast, where those who do not see it hear it. */
async function told(page: Page, words: string): Promise<void> {
  await page.locator("section[aria-live=polite]").getByText(words, { exact: true }).first().waitFor();
}
