import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave, letFetchAllScreens } from "#tests/support/chromium";
import { aServerProcess, type ServerProcess } from "#tests/support/server";
import { arrived, hide, loseNextAnswer, visitAs, type Visit, RETRIES } from "#tests/support/visit";

const BAR = "No connection to the server. What you see may be out of date; lights keep to their schedules.";

let server: ServerProcess;
let browser: Browser;
let admin: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServerProcess(), aBrowser()]);
  admin = await visitAs(browser, server, "admin");
  await letFetchAllScreens(admin.page);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("a list says that it is kept up to date, and a screen without a list nothing", async () => {
  await admin.go("/devices");
  await admin.sees("Live");
  await admin.go("/account");
  expect(await admin.page.getByText(/^(Live|Updated.*)$/).count()).toBe(0);
});

test.each([
  ["gets no answer", (route: Route) => route.abort()],
  ["fails", (route: Route) => route.fulfill({ status: 500, body: "broken" })],
])("a form can be sent again when the reload that follows it %s", async (_, answer) => {
  const alone = await visitAs(browser, server, "admin");
  await alone.go("/settings");
  await alone.page.route("**/settings.data*", (route) =>
    route.request().method() === "GET" ? answer(route) : route.fallback(),
  );
  for (const seconds of ["60", "61"]) {
    await alone.page.getByLabel("Hub check interval").fill(seconds);
    // The first one's toast may still be there.
    const saved = alone.page.waitForResponse((response) => response.request().method() === "POST");
    await alone.press("Save Settings");
    expect((await saved).status()).toBe(200);
    await alone.sees("Settings saved successfully");
  }
});

test.each<[what: string, path: string, button: RegExp, go: string, failed: string, done: string]>([
  ["an area", "/areas", /^Edit Alder Field$/, "Save changes", "Failed to save area", "Area updated successfully"],
  [
    "a schedule's end",
    "/schedules?q=football",
    /^Cancel /,
    "Cancel schedule",
    "Failed to cancel schedule",
    "Schedule canceled successfully",
  ],
])(
  "%s whose answer is lost on the way is sent again, and was nobody else's",
  async (_, path, button, go, failed, done) => {
    const { page, ...alone } = await visitAs(browser, server, "admin");
    await alone.go(path);
    await page.getByRole("button", { name: button }).first().click();
    const dialog = page.locator("[role=dialog], [role=alertdialog]");
    let answered = 0;
    await page.route("**/*.data*", async (route) => {
      if (route.request().method() !== "POST" || answered > 0) return route.fallback();
      await route.fetch({ maxRetries: RETRIES });
      answered += 1;
      await route.abort();
    });
    const submit = dialog.getByRole("button", { name: go, exact: true });
    await submit.click();
    await alone.sees(failed);
    expect(answered).toBe(1);
    await submit.click();
    await alone.sees(done);
    await dialog.waitFor({ state: "detached" });
  },
);

const SAVED_BEFORE = "What you sent first was saved after all. Send it once more to save what you have changed since.";

test.each([
  ["edited", "Edit Alder Field", "Save changes"],
  ["created", "New Area", "Create Area"],
])("an area that was %s without an answer can be changed on and sent again", async (what, button, go) => {
  const { page, ...alone } = await visitAs(browser, server, "admin");
  await alone.go("/areas");
  await page.getByRole("button", { name: button, exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  const name = dialog.getByLabel("Name");
  await loseNextAnswer({ page });
  await name.fill(`Once ${what}`);
  await alone.press(go);
  await alone.sees("Failed to save area");
  await name.fill(`Twice ${what}`);
  await alone.press(go);
  await alone.sees(SAVED_BEFORE);
  expect(await name.inputValue()).toBe(`Twice ${what}`);
  await alone.press(go);
  await alone.sees("Area updated successfully");
  await dialog.waitFor({ state: "detached" });
  await alone.go(`/areas?q=${what}`);
  expect(await page.getByRole("article").evaluateAll((all) => all.map((card) => card.ariaLabel))).toEqual([
    `Twice ${what}`,
  ]);
});

test("one's own messages that were saved without an answer can be changed on and sent again", async () => {
  const { page, ...alone } = await visitAs(browser, server, "manager");
  await alone.go("/account");
  const phone = page.getByLabel("Your phone number");
  // A screen that loads by itself meanwhile knows of the first save, and the second is a save like any other.
  await hide({ page, ...alone });
  await loseNextAnswer({ page });
  await phone.fill("+13105550151");
  await alone.press("Save messages");
  await alone.sees("Failed to save your messages");
  await phone.fill("+13105550152");
  await alone.press("Save messages");
  await alone.sees(SAVED_BEFORE);
  await alone.press("Save messages");
  await alone.sees("Your messages are saved");
  await phone.fill("+13105550153");
  // The last save's toast may still be there.
  const saved = page.waitForResponse((response) => response.request().method() === "POST");
  await alone.press("Save messages");
  expect((await saved).status()).toBe(200);
  await alone.reload();
  expect(await phone.inputValue()).toBe("+13105550153");
});

test("a list that fails the moment it is asked for is told, and can be asked for again", async () => {
  const alone = await visitAs(browser, server, "admin");
  await alone.page.addInitScript(failAtOnce);
  await alone.go("/devices");
  await alone.sees("Device Management");
  await alone.page.evaluate(() => Object.assign(window, { isBroken: true }));
  for (const _ of ["the first time", "the second"]) {
    await alone.press("Refresh");
    await alone.sees("Failed to fetch devices");
    await alone.page.getByText("Failed to fetch devices").waitFor({ state: "detached" });
  }
});

test("a list that is not told what changes says how old it is, also after it was left for a screen that never came, and then that there is no connection", async () => {
  const { page, go, sees } = await visitAs(browser, server, "admin");
  await page.routeWebSocket(/\/live/, (socket) => void socket.close());
  await page.clock.install();
  await go("/devices");
  await sees(/^Updated (just now|\d+ s ago)$/);
  await page.clock.runFor(10_000);
  await sees(/^Updated \d+ s ago$/);
  // Nor does it find the server by itself.
  await page.route("**/api/alive", (route) => route.abort());
  const held: Route[] = [];
  await page.route("**/areas.data*", (route) => void held.push(route));
  await page.getByRole("link", { name: "Areas", exact: true }).click();
  const age = page.getByText(/^Updated /);
  await age.waitFor({ state: "detached" });
  for (const route of held) await route.abort();
  expect(await age.innerText()).toMatch(/^Updated \d+ s ago$/);
  await sees(BAR);
});

test("when the server goes away a screen stays and says so, and a page that cannot be loaded is one of ours; when it is back both lead on", async () => {
  const context = await browser.newContext({ serviceWorkers: "allow" });
  const other = await visitAs(context, server, "admin");
  await other.go("/devices");
  await other.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await other.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(await other.page.evaluate(answererOf, "/api/alive")).toBe("network");
  await admin.go("/devices");
  await admin.page.locator("link[rel=modulepreload][href*=assets]").nth(30).waitFor({ state: "attached" });
  await admin.page.waitForFunction(allPreloaded);
  await server.kill();

  await admin.page.getByRole("link", { name: "Areas", exact: true }).click();
  await admin.sees(BAR);
  expect(new URL(admin.page.url()).pathname).toBe("/devices");
  expect(await lights()).toBeGreaterThan(5);
  expect(await markedButtons()).toBe(true);

  await admin.press("Refresh");
  await admin.sees("Failed to fetch devices");
  await admin.page
    .getByRole("button", { name: /^Turn off/ })
    .first()
    .click();
  await admin.sees("Failed to toggle device");
  await admin.press("Retry");
  await admin.sees(BAR);
  expect(await lights()).toBeGreaterThan(5);

  await other.page.goto(`${server.url}/schedules`);
  const notice = other.page.getByRole("heading", { name: "No connection to the server" });
  await notice.waitFor();
  await other.page.getByRole("link", { name: "Try again" }).click();
  await notice.waitFor();

  // Or the page would find the server by itself before it is asked to.
  await hide(admin);
  await server.restart();
  // By itself: a person may be away.
  await other.sees("Schedule Management");
  await admin.press("Retry");
  await admin.page.getByText(BAR).waitFor({ state: "detached" });
  expect(await markedButtons()).toBe(false);
  await hide(admin, false);
  await admin.page.getByRole("link", { name: "Areas", exact: true }).click();
  await admin.page.getByRole("heading", { name: "Area Management" }).waitFor();
  await context.close();
});

test("a page whose network went while it came says so soon, though nothing tells it", async () => {
  const { page, go, sees } = await visitAs(browser, server, "admin");
  await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
  await page.routeWebSocket(/\/live/, (socket) => void socket.close());
  await page.route("**/api/alive", (route) => route.abort());
  await go("/settings");
  await sees(BAR);
  expect(await page.getByLabel("UAC key").isVisible()).toBe(true);
});

/** Of a desk and of a phone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

test("nothing moves under a finger when the server goes and comes", async () => {
  const { page, go, sees } = await visitAs(browser, server, "admin");
  await go("/settings");
  await arrived({ page }, "offline-bar");
  const save = page.getByRole("button", { name: "Save Settings", exact: true });
  const places = async () => JSON.stringify([await page.getByLabel("UAC key").boundingBox(), await save.boundingBox()]);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const before = await places();
    await page.context().setOffline(true);
    await sees(BAR);
    expect(await places()).toBe(before);
    expect(await save.evaluate(isOnTop)).toBe(true);
    await page.context().setOffline(false);
    await page.getByText(BAR).waitFor({ state: "detached" });
    expect(await places()).toBe(before);
  }
});

test("the notice leaves a selection's buttons free", async () => {
  const { page, go, sees, press } = await visitAs(browser, server, "admin");
  await go("/devices");
  await press("Select");
  await page.getByRole("region", { name: "Selection" }).waitFor();
  await arrived({ page }, "offline-bar");
  await page.context().setOffline(true);
  await sees(BAR);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const [notice, bar] = await Promise.all(
      ["#offline", "[aria-label=Selection]"].map((selector) => page.locator(selector).boundingBox()),
    );
    expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  }
});

test("a link to a screen whose code has not come yet leaves the page as it is without a network", async () => {
  const { page, go, sees } = await visitAs(browser, server, "admin");
  await go("/account");
  await arrived({ page }, "offline-bar");
  await page.getByLabel("Your phone number").fill("+13105550144");
  await page.context().setOffline(true);
  const link = page.getByRole("complementary").getByRole("link", { name: "Workorders" });
  const failed = page.waitForEvent("requestfailed", (request) => /assets\/route-.*\.js$/.test(request.url()));
  await link.hover();
  await failed;
  await sees(BAR);
  await page.waitForTimeout(300);
  expect(await page.getByLabel("Your phone number").inputValue()).toBe("+13105550144");
});

test("a press on such a link is told, and goes there once the network is back", async () => {
  const { page, go, sees } = await visitAs(browser, server, "admin");
  await go("/areas");
  await arrived({ page }, "offline-bar");
  const link = page.getByRole("complementary").getByRole("link", { name: "Workorders" });
  await page.context().setOffline(true);
  await link.click();
  await sees(BAR);
  await page.waitForTimeout(300);
  await sees("Area Management");
  expect(new URL(page.url()).pathname).toBe("/areas");
  await page.context().setOffline(false);
  await page.getByText(BAR).waitFor({ state: "detached" });
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Workorders" }).waitFor();
});

test("a press on a link that the page has not asked about yet leaves the page as it is, and is told", async () => {
  const { page, go, sees } = await visitAs(browser, server, "admin");
  const isAsked = page.waitForEvent("requestfailed", (request) => request.url().includes("/__manifest"));
  await page.route(/__manifest/, (route) => route.abort());
  await go("/areas");
  await arrived({ page }, "offline-bar");
  await isAsked;
  await page.context().setOffline(true);
  const link = page.getByRole("complementary").getByRole("link", { name: "Workorders" });
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("p=%2Fworkorders&version"));
  await link.click();
  await failed;
  await sees(BAR);
  await sees("Area Management");
  expect(new URL(page.url()).pathname).toBe("/areas");
  await page.unroute(/__manifest/);
  await page.context().setOffline(false);
  await page.getByText(BAR).waitFor({ state: "detached" });
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Workorders" }).waitFor();
});

test("a press on a link whose code fails first leaves the page as it is, though the network seems to be there", async () => {
  const { page, go, sees } = await visitAs(browser, server, "admin");
  await go("/areas");
  await arrived({ page }, "offline-bar");
  // The screen's data stay under way; everything else fails.
  await page.route(isNoData, (route) => route.abort());
  await page.route(/workorders\.data/, () => undefined);
  const link = page.getByRole("complementary").getByRole("link", { name: "Workorders" });
  await link.click();
  await sees(BAR);
  await sees("Area Management");
  expect(new URL(page.url()).pathname).toBe("/areas");
  await page.unrouteAll();
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Workorders" }).waitFor();
});

test("a screen whose code a newer release has replaced is loaded anew", async () => {
  const { page, go } = await visitAs(browser, server, "admin");
  await go("/areas");
  await page.route(/assets\/route-.*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 1 });
  const anew = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole("complementary").getByRole("link", { name: "Events Log" }).click();
  expect((await anew).url()).toBe(`${server.url}/areas`);
});

test.each([
  ["that loads whatever has changed", false],
  ["whose own list has never come", true],
])("a screen %s asks once, not without end, while there is no network", async (_, isBroken) => {
  const { page, go, sees } = await visitAs(browser, server, "admin");
  await letFetchAllScreens(page);
  // Without a network nothing is told either; the browser's switch leaves an open socket as it is.
  await page.routeWebSocket(/\/live/, (socket) => void socket.close());
  await go("/import");
  await page.locator("link[rel=modulepreload][href*=assets]").nth(30).waitFor({ state: "attached" });
  await page.waitForFunction(allPreloaded);
  if (isBroken) {
    await page.route("**/devices.data*", (route) => route.fulfill({ status: 500, body: "broken" }));
    await page.getByRole("link", { name: "Devices", exact: true }).click();
    await sees("Failed to fetch devices");
    await page.unroute("**/devices.data*");
  }
  let asked = 0;
  page.on("request", (request) => void (/\.data/.test(request.url()) && (asked += 1)));
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Hubs", exact: true }).click();
  await sees(BAR);
  await page.waitForTimeout(1_000);
  expect(asked).toBeLessThan(4);
  await page.context().setOffline(false);
  await page.getByText(BAR).waitFor({ state: "detached" });
});

function isNoData({ pathname }: URL): boolean {
  return !pathname.endsWith(".data");
}

/** Runs in the page: while `isBroken`, its lists fail before React has rendered that they are being loaded. */
function failAtOnce() {
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) =>
    "isBroken" in window && window.isBroken === true && new Request(input, init).url.includes("/devices.data")
      ? new Response("broken", { status: 500 })
      : send(input, init);
}

/** Runs in the page: who has answered a request there; 'network' if its service worker need not be started for it. */
async function answererOf(path: string) {
  await (await fetch(path)).text();
  const isOf = ({ name }: PerformanceEntry) => new URL(name).pathname === path;
  for (;;) {
    const entry = performance.getEntriesByType("resource").find(isOf);
    if (entry) return Reflect.get(entry, "workerFinalSourceType");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs in the page: whether nothing covers the middle of an element. */
function isOnTop(element: Element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

/** Runs in the page: whether the code of every screen has arrived. */
function allPreloaded() {
  const arrived = new Set(performance.getEntriesByType("resource").map(({ name }) => name));
  const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")];
  return links.every(({ href }) => arrived.has(href));
}

const lights = () => admin.page.getByRole("list", { name: "Devices" }).getByRole("article").count();

/** What would change something is marked as long as it cannot. */
const markedButtons = () =>
  admin.page
    .getByRole("button", { name: /^Turn off/ })
    .first()
    .evaluate((button) => getComputedStyle(button).borderTopStyle === "dashed");
