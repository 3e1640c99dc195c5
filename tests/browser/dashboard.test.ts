import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { withoutHubChecks } from "#tests/support/hub-checks";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { exec, hold, keepFailure, shownText, tryAgain, type Visit, visitAs, without } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;
let api: Staff;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await exec(server, "DELETE FROM areas");
  await withoutHubChecks(server);
  api = await signedInAs(server, "admin");
  await withoutNight(api);
  // It would read what the lights are, and so end what is set here.
  await api.call("POST", "/admin/settings/guardrails", { WATCHDOG_ENABLED: false });
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("without any area it says where to begin", async () => {
  await admin.go("/dashboard");
  await admin.sees("Dashboard", admin.page.getByRole("main"));
  await admin.sees("Monitor and control lighting systems across all areas");
  await admin.sees("No Areas Found");
  await admin.sees("Get started by creating your first area in the Areas section.");
  await admin.sees("None scheduled");
  expect(await summaries()).toEqual({
    "Total Areas": "0",
    "Online Hubs": "0/0",
    "Active Devices": "0/0",
    "Next Event": "None scheduled",
  });
});

test("its cards count hubs and lights, in the colours that tell how many of them work", async () => {
  await aCity();
  await admin.go("/dashboard");
  expect(await colours("Bare path")).toEqual({ "0/0 hubs": "grey", "0/0 devices": "grey" });
  expect(await colours("Bright field")).toEqual({ "1/1 hubs": "green", "2/2 devices": "green" });
  expect(await colours("Dark river")).toEqual({ "0/1 hubs": "red", "0/1 devices": "grey" });
  expect(await colours("Mixed park")).toEqual({ "1/2 hubs": "blue", "1/2 devices": "blue" });
  expect(await summaries()).toMatchObject({ "Total Areas": "4", "Online Hubs": "2/4", "Active Devices": "3/5" });

  await admin.sees("field", card("Bright field"));
  await admin.sees("50%", card("Mixed park"));
  await admin.sees("0%", card("Bare path"));
  expect(await card("Mixed park").getByRole("progressbar").getAttribute("value")).toBe("50");
  const facts = (await shownText(card("Bare path"))).replace(/\s+/g, " ");
  expect(facts).toContain("Last Activity None Next Event None Device Activity");
});

test("lights that are not as they should be are counted, and lead to the list of them", async () => {
  await exec(
    server,
    "UPDATE devices SET problem = 'still off, 3 tries', problem_since = '2026-11-21T02:05:00.000Z' WHERE id = (SELECT id FROM devices ORDER BY name LIMIT 1)",
  );
  await admin.go("/dashboard");
  await admin.sees("1 wrong");
  expect(await admin.page.getByText("1 wrong", { exact: true }).count()).toBe(2); // in the city and in its area
  await admin.sees("Needs attention");
  await admin.sees(/^1 wrong light\b/);
  await admin.page.getByRole("link", { name: "1 wrong" }).first().click();
  await admin.sees("Wrong since Nov 20, 6:05 PM");
  expect(await admin.page.getByRole("list", { name: "Devices" }).getByRole("article").count()).toBe(1);
  await exec(server, "UPDATE devices SET problem = NULL, problem_since = NULL");
  await admin.go("/dashboard");
});

test("the next event is the soonest of all areas, and the last activity what was switched last", async () => {
  const { data: devices } = await api.call("GET", "/devices");
  const [lamp] = devices.filter(({ area_name }: { area_name: string }) => area_name === "Dark river");
  await api.call("POST", `/devices/${lamp.id}/toggle`, { action: "off" });
  const now = Date.now();
  const hours = (ahead: number) => new Date(now + ahead * 3_600_000).toISOString();
  const plan = { title: "Walk", area_id: lamp.area_id, device_id: lamp.id, rrule: null };
  await api.call("POST", "/schedules", { ...plan, start_at: hours(30), end_at: hours(31) });
  await api.call("POST", "/schedules", { ...plan, start_at: hours(26), end_at: hours(27) });
  await admin.press("Refresh");
  await admin.sees("Dashboard refreshed");
  const next = (await summaries())["Next Event"] ?? "";
  expect(next).toBe(shortTime(hours(26)));
  const facts = (await shownText(card("Dark river"))).replace(/\s+/g, " ");
  expect(facts).toMatch(/Last Activity [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M/);
  expect(facts).toContain(`Next Event ${next}`);
});

test("on a slow line there are six placeholders; while it is refreshed the button waits", async () => {
  await admin.page.getByRole("link", { name: "Areas", exact: true }).click();
  await admin.sees("Area Management");
  let { letGo } = await hold(admin, "GET");
  await admin.page.getByRole("link", { name: "Dashboard", exact: true }).click();
  await admin.page.getByRole("status", { name: "Loading dashboard" }).waitFor();
  expect(await admin.page.locator("[data-placeholder]").count()).toBe(6);
  await letGo();
  await card("Mixed park").waitFor();

  ({ letGo } = await hold(admin, "GET"));
  await admin.press("Refresh");
  expect(await admin.page.getByRole("button", { name: "Refresh" }).isDisabled()).toBe(true);
  await letGo();
  await admin.sees("Dashboard refreshed");
  await expect.poll(() => admin.page.getByRole("button", { name: "Refresh" }).isDisabled()).toBe(false);
});

test("what fails is told, on arrival and on refresh", async () => {
  await without(server, "areas", async () => {
    await admin.press("Refresh");
    await admin.sees("Failed to fetch dashboard data");
    await admin.go("/dashboard");
    await admin.sees("Failed to fetch dashboard data");
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await card("Mixed park").waitFor();
});

test("a refresh without a network is told, and leaves what is on screen", async () => {
  await admin.page.context().setOffline(true);
  await admin.press("Refresh");
  await admin.sees("Failed to fetch dashboard data");
  await card("Mixed park").waitFor();
  await expect.poll(() => admin.page.getByRole("button", { name: "Refresh" }).isDisabled()).toBe(false);
  await admin.page.context().setOffline(false);
});

test.each(["manager", "employee"] as const)("a %s sees the same", async (name) => {
  const visit = await visitAs(browser, server, name);
  await visit.go("/");
  await visit.sees("Mixed park");
  await visit.press("Refresh");
  await visit.sees("Dashboard refreshed");
  await visit.page.close();
});

const card = (name: string) =>
  admin.page.getByRole("listitem").filter({ has: admin.page.getByRole("heading", { name, exact: true }) });

test("on a phone the figures of a large city are no two numbers", async () => {
  await server.query(
    `INSERT INTO devices (id, org_id, area_id, name, current_state)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
     SELECT 'many-' || i, 'demo-parks', (SELECT id FROM areas LIMIT 1), 'Lamp ' || i, iif(i % 3 = 0, 'on', 'off') FROM n`,
  );
  await admin.page.setViewportSize({ width: 390, height: 844 });
  await admin.go("/dashboard");
  const figures = admin.page.getByRole("article").filter({ hasText: "Active Devices" }).locator("h2 + p");
  await expect.poll(() => figures.innerText()).toMatch(/^\d,\d{3}\/\d\d,\d{3}$/);
  // The lines of each piece of text.
  const lines = await figures.evaluate((node) =>
    [...node.childNodes].map((part) => {
      const range = document.createRange();
      range.selectNode(part);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    }),
  );
  expect(Math.max(...lines)).toBe(1);
});

test("beside what is on, too", async () => {
  await admin.page.setViewportSize({ width: 1280, height: 900 });
  await admin.go("/dashboard");
  const figures = admin.page.getByRole("region", { name: "On now" }).getByText(/^\d,\d{3}\/\d\d,\d{3}$/);
  await figures.waitFor();
  const lines = await figures.evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
  expect(lines).toBe(1);
});

/** Four areas: with nothing in it, with all lit, with all dark, and with half of it working. */
async function aCity() {
  await api.call("POST", "/areas", { name: "Bare path", type: "path", location: null });
  await aPlace(api, "Bright field", ["Bright 1", "Bright 2"]);
  await aPlace(api, "Dark river", ["Dark 1"]);
  await aPlace(api, "Mixed park", ["Mixed 1", "Mixed 2"]);
  const { data: areas } = await api.call("GET", "/areas");
  const { id } = areas.find(({ name }: { name: string }) => name === "Mixed park");
  await api.call("POST", "/hubs", { name: "Second hub", area_id: id });
  await exec(
    server,
    `UPDATE areas SET type = 'field' WHERE name = 'Bright field'
     UPDATE hubs SET status = 'online' WHERE name IN ('Bright field hub', 'Mixed park hub')
     UPDATE hubs SET status = 'offline' WHERE name IN ('Dark river hub', 'Second hub')
     UPDATE devices SET current_state = 'on' WHERE name IN ('Bright 1', 'Bright 2', 'Mixed 1')`,
  );
}

async function summaries(): Promise<Record<string, string>> {
  await admin.page.getByRole("heading", { name: "Total Areas" }).waitFor();
  const texts = await admin.page.locator("article:has(h2) >> visible=true").allInnerTexts();
  return Object.fromEntries(texts.map((text) => text.split(/\n+/).map((part) => part.trim())));
}

/** The card's two badges: what they say, and in which color. */
async function colours(area: string): Promise<Record<string, string>> {
  await shownText(card(area));
  const badges: Locator[] = await card(area).locator("span.badge").all();
  const told = badges.map(async (badge) => [await badge.innerText(), colourOf(await badge.getAttribute("class"))]);
  return Object.fromEntries(await Promise.all(told));
}

function colourOf(classes: string | null): string {
  const colours = { "badge-neutral": "grey", "badge-ok": "green", "badge-bad": "red", "badge-brand": "blue" };
  return Object.entries(colours).find(([name]) => classes?.split(" ").includes(name))?.[1] ?? "none";
}

/** Short month, day, hour and minute, in APP_TIMEZONE. */
function shortTime(at: string): string {
  const parts = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
  return new Date(at).toLocaleString("en-US", { ...parts, timeZone: "America/Los_Angeles" }).replace(/\u202f/g, " ");
}
