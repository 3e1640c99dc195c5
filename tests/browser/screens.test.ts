import axe, { type RunOnly } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight } from "#tests/support/staff";
import { hydrated } from "#tests/support/visit";

const SCREENS = {
  "/dashboard": "Dashboard",
  "/areas": "Area Management",
  "/hubs": "Hub Management",
  "/devices": "Device Management",
  "/schedules": "Schedule Management",
  "/workorders": "Workorders",
  "/history": "History",
  "/events": "Events Log",
  "/connectivity": "Connectivity Test",
  "/settings": "Settings",
  "/guardrails": "Guardrail Settings",
  "/departments": "Departments",
};
const PATHS = Object.keys(SCREENS);

/** The buttons that open dialogs. */
const DIALOGS: [string, ...(string | RegExp)[]][] = [
  ["/dashboard", "Search"],
  ["/areas", "New Area", /^Edit /, /^Delete /],
  ["/hubs", "New Hub", /^Edit /, /^Delete /],
  ["/devices", "New Device", /^Edit /, /^Delete /],
  ["/schedules", "New Schedule", /^Edit /, /^Cancel /],
  ["/workorders", "New Workorder", /^Edit /, /^Delete /],
  ["/departments?department=demo-dept-sports", "New Department", /^Edit /, /^Delete /, "Add Member", /^Remove /],
  ["/departments?tab=people", "Invite Person", /^Edit /, /^New password for /],
];
const OPEN = "[role=dialog], [role=alertdialog], dialog[open]";

/** What comes up on the way: where it begins, how one gets there, and what of the page it is. */
const WAYS: Record<string, [path: string, way: (page: Page) => Promise<void>, within: string]> = {
  "changing one's password, refused": [
    "/dashboard?password=",
    async (page) => {
      await press(page, "Change password");
      await page.getByRole("dialog").getByText("Current password is required").waitFor();
    },
    OPEN,
  ],
  "the quick search, with results": [
    "/dashboard",
    async (page) => {
      await press(page, "Search");
      await page.getByRole("combobox", { name: /^Search areas/ }).fill("park");
      await page
        .getByRole("option", { name: /Linden Park/ })
        .first()
        .waitFor();
    },
    OPEN,
  ],
  "the question before many schedules are canceled": [
    "/schedules",
    async (page) => {
      await press(page, "Select");
      await page
        .getByRole("checkbox", { name: /^Select / })
        .first()
        .check();
      await press(page, "Cancel schedules");
    },
    OPEN,
  ],
  "a one-time password": [
    "/departments?tab=people",
    async (page) => {
      await press(page, "New password for auditor@parks.example");
      await press(page, "Make a new password");
      await page.getByText("It is shown only now.").waitFor();
    },
    OPEN,
  ],
  "the question before a light in use is tested": ["/connectivity", testBooked, OPEN],
  "a test's result": [
    "/connectivity",
    async (page) => {
      await testBooked(page);
      await press(page, "Run the test");
      await page.getByRole("main").getByText("Device Booked lamp turned off successfully").waitFor();
    },
    "main",
  ],
};

let server: Server;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  context = await browser.newContext({ reducedMotion: "reduce" });
  const credentials = { email: "admin@parks.example", password: "lamplighter-demo" };
  await context.request.post(`${server.url}/api/auth/login`, { data: credentials });
  await aBookedLamp();
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test.each(PATHS)("%s opens on a desk without a complaint, and can be used without eyes or mouse", async (path) => {
  const { page, complaints } = await open(path, { width: 1280, height: 900 });
  expect(complaints).toEqual([]);
  expect(await barriersInBoth(page)).toEqual([]);
  await page.close();
});

test.each(DIALOGS)("the dialogs of %s can be used without eyes, in light and dark", async (path, ...buttons) => {
  const { page } = await open(path, { width: 1280, height: 900 });
  for (const button of buttons) {
    await page.getByRole("button", { name: button, exact: true }).first().click();
    await page.locator(OPEN).waitFor();
    expect(await barriersInBoth(page, OPEN), String(button)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(OPEN).waitFor({ state: "detached" });
  }
  await page.close();
});

test.each(Object.entries(WAYS))("%s can be met without eyes, in light and dark", async (_, [path, way, within]) => {
  const { page } = await open(path, { width: 1280, height: 900 });
  await way(page);
  await page.locator(within).waitFor();
  expect(await barriersInBoth(page, within)).toEqual([]);
  await page.close();
});

test("on a phone the menus can be used without eyes, in light and dark", async () => {
  const { page } = await open("/areas", { width: 390, height: 844 });
  for (const [button, opened] of [
    ["Open menu", "dialog[open]"],
    ["User menu", ":popover-open"],
  ] as const) {
    await press(page, button);
    await page.locator(opened).waitFor();
    expect(await barriersInBoth(page, opened), button).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(opened).waitFor({ state: "detached" });
  }
  await page.close();
});

test.each(PATHS)("%s fits a phone: nothing is scrolled sideways", async (path) => {
  const { page, complaints } = await open(path, { width: 375, height: 740 });
  expect(complaints).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await page.close();
});

test("a name of one long word fits a phone, too", async () => {
  const staff = await signedInAs(server, "admin");
  const word = "Lightsbehindtheoldboathouseandalongtheriverpathtothefootbridge";
  const { data: area } = await staff.call("POST", "/areas", { name: word, location: { address: word } });
  const hub = await staff.call("POST", "/hubs", { name: word, area_id: area.id, notes: word });
  const device = { name: word, area_id: area.id, hub_id: hub.data.id, model: word, cloud_device_id: word };
  const { data: light } = await staff.call("POST", "/devices", device);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const window = { start_at: at(1), end_at: at(2), timezone: "America/Los_Angeles" };
  const place = { area_id: area.id, device_id: light.id };
  await staff.call("POST", "/schedules", { title: word, description_short: word, ...place, ...window });
  await staff.call("POST", "/workorders", { title: word, description: word, ...place });
  await staff.call("POST", `/devices/${light.id}/toggle`, { action: "off" });
  const page = await context.newPage();
  await page.setViewportSize({ width: 375, height: 740 });
  for (const path of [
    "/dashboard",
    "/areas",
    "/hubs",
    "/devices",
    "/schedules",
    "/workorders",
    "/history",
    "/events",
  ]) {
    await page.goto(`${server.url}${path}?q=${word}`);
    await page.getByRole("main").getByText(word).and(page.locator(":not(option)")).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(375);
  }
  await page.close();
});

test("signed out there is the sign-in, whatever is asked for; signed in an unknown path is the dashboard", async () => {
  const stranger = await browser.newPage({ reducedMotion: "reduce" });
  for (const path of ["/", "/devices", "/no-such-screen"]) {
    await stranger.goto(server.url + path);
    expect(new URL(stranger.url()).pathname).toBe("/login");
  }
  expect(await barriers(stranger)).toEqual([]);
  await stranger.getByLabel("Email").fill("nobody@parks.example");
  await stranger.getByLabel("Password").fill("not the password");
  await press(stranger, "Sign In");
  await stranger.locator("[data-sonner-toast]").waitFor();
  expect(await barriersInBoth(stranger)).toEqual([]);
  await stranger.close();

  const page = await context.newPage();
  await page.goto(`${server.url}/no-such-screen`);
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await page.close();
});

async function open(path: string, viewport: { width: number; height: number }) {
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  await page.goto(server.url + path);
  const heading = Object.entries(SCREENS).find(([known]) => known === path.split("?")[0])?.[1] ?? "";
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await hydrated(page);
  return { page, complaints };
}

async function press(page: Page, button: string) {
  await page.getByRole("button", { name: button, exact: true }).last().click();
}

/** Whoever tests a light that a schedule holds is asked first. */
async function aBookedLamp() {
  const staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const [lamp] = await aPlace(staff, "Booked Park", ["Booked lamp"]);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const window = { start_at: at(-1), end_at: at(2), timezone: "America/Los_Angeles" };
  await staff.call("POST", "/schedules", { title: "Choir", area_id: lamp?.area_id, device_id: lamp?.id, ...window });
}

async function testBooked(page: Page) {
  await page.getByLabel("Device", { exact: true }).selectOption({ label: "Booked lamp (Booked Park)" });
  await press(page, "Test OFF");
  await page.getByText("Test a light that is in use?").waitFor();
}

async function barriersInBoth(page: Page, within = "html"): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await barriers(page, within);
  await page.emulateMedia({ colorScheme: "dark" });
  // It is the same page in other colours.
  const dark = await barriers(page, within, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
  return [...light, ...dark.map((barrier) => `dark: ${barrier}`)];
}

const WCAG: RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };

/** What axe finds wrong by WCAG 2.2 A and AA, each with the first element that has it. */
async function barriers(page: Page, within = "html", runOnly = WCAG): Promise<string[]> {
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
