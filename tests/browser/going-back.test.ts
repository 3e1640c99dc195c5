import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs } from "#tests/support/staff";
import { arrived, hold, type Visit, visitAs } from "#tests/support/visit";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

/** A screen with all of its code, on a phone. */
async function onAPhone(path: string): Promise<Visit> {
  const tab = await visitAs(browser, server, "admin");
  await tab.page.setViewportSize({ width: 390, height: 700 });
  await tab.go(path);
  await arrived(tab, "wayfinding");
  await tab.page.waitForLoadState("networkidle");
  return tab;
}

function isInView(what: Locator): Promise<boolean> {
  return what.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

test.each([
  ["/devices?sort=name", "Tram stop"],
  ["/devices?sort=name", "Rose garden"],
  ["/areas", "Orchard Path"],
  ["/tonight?view=list", "Underpass"],
])("who goes back to %s stands where they were in it", async (path, name) => {
  const { page } = await onAPhone(path);
  const link = page.getByRole("main").getByRole("link", { name, exact: true }).first();
  await link.scrollIntoViewIfNeeded();
  await expect.poll(() => isInView(link)).toBe(true);
  const place = () => page.evaluate(() => Math.round(scrollY));
  const left = await place();
  await link.click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.goBack();
  await link.waitFor();
  // The city lives on: what needs attention may be a line more above the list by then.
  await expect.poll(async () => (await isInView(link)) || (await place()) === left).toBe(true);
});

test("whoever scrolls while the screen is read anew stays where they are", async () => {
  const { page } = await onAPhone("/devices?sort=name");
  let seen = "";
  await page.route("**/devices.data*", async (route) => {
    seen = await page.evaluate(() => {
      scrollTo(0, 1_500);
      const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("li");
      return row?.querySelector("h2, h3")?.textContent ?? "";
    });
    await route.continue();
  });
  await page.evaluate(() => scrollTo(0, 500));
  await server.query("UPDATE devices SET name = 'Alder coach park' WHERE name = 'Alder car park'");
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.getByRole("heading", { name: "Alder coach park" }).waitFor({ state: "attached" });
  expect(seen).toMatch(/\w/);
  // Not the page's place: the city lives on, and a card above may be a line longer by then.
  expect(await isInView(page.getByRole("main").getByRole("heading", { name: seen, exact: true }))).toBe(true);
});

test("a focused light that goes does not take along whoever has scrolled away from it", async () => {
  const { page } = await onAPhone("/devices?sort=name");
  const link = page.getByRole("main").getByRole("link", { name: "Rose garden", exact: true }).first();
  await link.focus();
  const place = () => page.evaluate(() => scrollY);
  await expect.poll(place).toBeGreaterThan(1_000);
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, -20_000);
  await expect.poll(place).toBe(0);
  await server.query("DELETE FROM devices WHERE name = 'Rose garden'");
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await link.waitFor({ state: "detached" });
  const focused = () => page.evaluate(() => document.activeElement?.closest("li")?.innerText ?? "");
  await expect.poll(focused).toMatch(/\w/);
  expect(await place()).toBe(0);
});

test.each(["pointer", "keyboard"])(
  "who scrolls on while a light is switched by %s: only the keyboard's focus takes the page along",
  async (by) => {
    const tab = await onAPhone("/devices?sort=name");
    const { page } = tab;
    const off = page.getByRole("main").getByRole("button", { name: "Turn off Tram stop" });
    const held = await hold(tab, "POST");
    await (by === "pointer" ? off.click() : off.press("Enter"));
    await expect.poll(() => off.isDisabled()).toBe(true);
    const place = () => page.evaluate(() => scrollY);
    expect(await place()).toBeGreaterThan(1_000);
    await page.mouse.wheel(0, -50_000);
    await expect.poll(place).toBe(0);
    await held.letGo();
    await expect.poll(() => off.evaluate((button) => button === document.activeElement)).toBe(true);
    if (by === "pointer") expect(await place()).toBe(0);
    else await expect.poll(place).toBeGreaterThan(1_000);
  },
);

test("whoever scrolls by themselves after going back is left alone", async () => {
  const { page } = await onAPhone("/devices?sort=name");
  await page.getByRole("link", { name: "Tram stop", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Tram stop" }).waitFor();
  // The list is shorter than it was, and never reaches down to the place.
  await server.query("DELETE FROM devices WHERE name > 'C' AND name < 'T'");
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Device Management" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Tram stop", exact: true }).waitFor();
  const place = () => page.evaluate(() => scrollY);
  await expect.poll(place).toBeGreaterThan(1_000);
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, -20_000);
  await expect.poll(place).toBe(0);
  await page.evaluate(() => {
    document.body.style.minHeight = "20000px";
    return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
  expect(await place()).toBe(0);
});

const OFFLINE = "No connection to the server. What you see may be out of date; lights keep to their schedules.";

/** Tonight on a phone, to which a link of the devices led, and to these one of the dashboard. */
async function onTonight() {
  const tab = await onAPhone("/dashboard");
  const { page } = tab;
  const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
  async function open(link: string, screen: string) {
    await page.getByRole("navigation", { name: "At night" }).getByRole("link", { name: link, exact: true }).click();
    await heading(screen).waitFor();
  }
  await open("Devices", "Device Management");
  await open("Tonight", "Tonight");
  const entry = () => page.evaluate(() => location.pathname + history.state.idx);
  return { ...tab, heading, open, entry };
}

test("who goes back without a network stays, and goes to the same screens as before once there is one", async () => {
  const { page, sees, heading, entry } = await onTonight();
  await page.route("**/*.data*", (route) => route.abort());
  const before = await entry();
  for (const steps of [-1, -2]) {
    const failed = page.waitForEvent("requestfailed", (request) => /(devices|dashboard)\.data/.test(request.url()));
    await page.evaluate((by) => history.go(by), steps);
    await failed;
    await expect.poll(entry).toBe(before);
    await sees(OFFLINE);
    expect(await heading("Tonight").isVisible()).toBe(true);
  }
  await page.unroute("**/*.data*");
  await page.goBack();
  await heading("Device Management").waitFor();
  await page.goForward();
  await heading("Tonight").waitFor();
  await page.evaluate(() => history.go(-2));
  await heading("Dashboard").waitFor();
});

test.each([
  ["another press of back comes before it", true],
  ["the browser does not do it", false],
])("the return after a back without a network comes about also where %s", async (_, isPressed) => {
  const { page, sees, heading, entry } = await onTonight();
  await page.route("**/*.data*", (route) => route.abort());
  const before = await entry();
  await page.evaluate((presses) => {
    const go = history.go.bind(history);
    history.go = (steps) => {
      history.go = go;
      if (!presses) return;
      history.back();
      go(steps);
    };
    history.back();
  }, isPressed);
  await sees(OFFLINE);
  await expect.poll(entry, { timeout: 15_000 }).toBe(before);
  expect(await heading("Tonight").isVisible()).toBe(true);
  await page.unroute("**/*.data*");
  await page.goBack();
  await heading("Device Management").waitFor();
});

test("who goes back without a network past 'Skip to content' stays, too", async () => {
  const { page, sees, heading, open } = await onTonight();
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect.poll(() => page.evaluate(() => history.state)).toBe(null);
  await open("Dashboard", "Dashboard");
  await page.route("**/*.data*", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("tonight.data"));
  await page.evaluate(() => history.go(-2));
  await failed;
  await sees(OFFLINE);
  await expect.poll(() => new URL(page.url()).pathname).toBe("/dashboard");
  expect(await heading("Dashboard").isVisible()).toBe(true);
});

test("a form whose screen was read anew in vain closes to where its link stood all the same", async () => {
  const { page, press } = await onAPhone("/areas/demo-area-viaduct");
  await page.getByRole("main").getByRole("link", { name: "Book…", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  const entry = () => page.evaluate(() => history.state.key);
  const opened = await entry();
  await page.route("**/*.data*", (route) => route.abort());
  const staff = await signedInAs(server, "admin");
  const { data } = await staff.call("GET", "/schedules");
  const series = data.find(({ title }: { title: string }) => title === "Underpass, early");
  await staff.call("PUT", `/schedules/${series.id}`, { ...series, title: "Early" });
  await page.getByText("No connection to the server").waitFor();
  expect(await entry()).not.toBe(opened);
  await page.unroute("**/*.data*");
  await press("Cancel");
  await page.getByRole("heading", { level: 1, name: "Viaduct Path" }).waitFor();
});
