import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatInstant } from "#domain/time/display";
import { DAY_MS, HOUR_MS } from "#domain/time/units";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { colorsIn } from "#tests/support/colors-in";
import { complaintsOf } from "#tests/support/complaints";
import { aTileHost } from "#tests/support/tiles";
import { exec, htmlOf, hydrated, signIn, visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let staff: Staff;
let admin: Visit;
let complaints: string[] = [];
const hosts = new Set<string>();

const ZONE = "America/Los_Angeles";

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer({ MAP_TILES_URL: "" }), aBrowser()]);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  // It would read what the lights are, and so end what is set here.
  await staff.call("POST", "/admin/settings/guardrails", { WATCHDOG_ENABLED: false });
  // One without a position; one with a light that is wrong.
  await exec(
    server,
    `UPDATE areas SET location = NULL WHERE id = 'demo-area-orchard'
     UPDATE devices SET problem = 'still off, 3 tries' WHERE id = 'demo-light-alder-clubhouse'`,
  );
  admin = await visitAs(browser, server, "admin");
  await admin.page.setViewportSize({ width: 1280, height: 900 });
  note(admin.page);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

/** What the page complains of, and where it fetches from. */
function note(page: Page) {
  complaints = complaintsOf(page);
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
}

const drawn = ({ page }: Visit) => page.locator("[data-drawn]").waitFor();
const row = ({ page }: Visit, name: string) => page.locator(".map-rows").getByRole("button", { name });
const card = ({ page }: Visit, name: string) => page.getByRole("region", { name, exact: true });

test("the map is a view of the areas: its address can be linked, and the back button leads to the cards", async () => {
  await admin.go("/areas");
  await admin.page.getByRole("link", { name: "Map", exact: true }).click();
  await drawn(admin);
  expect(new URL(admin.page.url()).search).toBe("?view=map");
  await row(admin, "Linden Park").waitFor();
  await admin.page.goBack();
  await admin.page.getByRole("article", { name: "Linden Park" }).waitFor();
  await admin.page.goForward();
  await drawn(admin);
});

test("its marks are drawn in their colors, also for whoever wants less motion", async () => {
  // The light scheme's --bad, of the area with a problem; the legend at the lower edge has it, too.
  const bad = [0xc0, 0x2a, 0x2a].join();
  const above = async () => colorsIn(mapOf(admin.page), (map) => ({ ...map, height: map.height - 80 }));
  await expect.poll(async () => (await above()).some((color) => color.join() === bad)).toBe(true);
});

test("each area in view says what its lights do; one without a position has the way to its form", async () => {
  expect(await row(admin, "Alder Field").innerText()).toMatch(/^Alder Field\n\d of 8 on\n?1 wrong/);
  await admin.sees("Without a position");
  const link = admin.page.getByRole("link", { name: "Set position of Orchard Path" });
  expect(await link.getAttribute("href")).toBe("/areas/demo-area-orchard?edit=demo-area-orchard");
});

test("of many areas a hundred are listed, with a position or without, and the next as asked for", async () => {
  const many = (kind: string, location: string): [string] => [
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO areas (id, org_id, name, location)
     SELECT 'many-${kind}-' || i, 'demo-parks', printf('Zone ${kind} %03d', i), ${location} FROM n`,
  ];
  await server.batch([many("with", `'{"lat":37.7,"lon":-122.4}'`), many("without", "NULL")]);
  expect((await htmlOf(admin.page, server, "/areas?view=map")).length).toBeLessThan(500_000);
  await admin.go("/areas?view=map");
  for (const name of ["All areas", "Without a position"]) {
    const list = admin.page.getByRole("region", { name, exact: true });
    const items = list.getByRole("listitem");
    await expect.poll(() => items.count()).toBe(100);
    await list.getByRole("button", { name: "Show 100 more" }).click();
    await expect.poll(() => items.count()).toBe(200);
  }
  await exec(server, "DELETE FROM areas WHERE id LIKE 'many-%'");
  await admin.go("/areas?view=map");
  await drawn(admin);
});

test("with the keyboard an area is found on the map, its card opened, its lights switched and the card left", async () => {
  await row(admin, "Linden Park").focus();
  await admin.page.keyboard.press("Enter");
  const opened = card(admin, "Linden Park");
  await expect.poll(() => opened.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await opened.innerText()).toMatch(/Park\s+On now\s+\d of 9 on/i);
  await expect.poll(() => opened.innerText()).toMatch(/Next\s+(None|[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M)/);

  await opened.getByRole("button", { name: "All off…" }).click();
  await admin.page.getByRole("dialog").getByRole("button", { name: "Turn off 9 lights" }).waitFor();
  expect(new URL(admin.page.url()).searchParams.get("view")).toBe("map");
  await admin.page.keyboard.press("Escape");
  await admin.page.getByRole("dialog").waitFor({ state: "hidden" });
  await opened.getByRole("button", { name: "Close Linden Park" }).focus();
  await admin.page.keyboard.press("Escape");
  await opened.waitFor({ state: "hidden" });
  await expect.poll(() => row(admin, "Linden Park").evaluate((button) => button === document.activeElement)).toBe(true);
});

test("a card's switches are gray to an auditor, and say why", async () => {
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.go("/areas?view=map&turn-off=area:demo-area-alder");
  await drawn(auditor);
  await row(auditor, "Alder Field").click();
  const on = card(auditor, "Alder Field").getByRole("button", { name: "All on…" });
  await expect.poll(() => on.getAttribute("aria-disabled")).toBe("true");
  expect(await on.getAttribute("title")).toBe("You may look at these lights, not switch them.");
  expect(await auditor.page.getByRole("dialog").count()).toBe(0);
  await auditor.page.close();
});

test("a card whose lights may not go on offers no ON, and says why", async () => {
  const target = { type: "area", id: "demo-area-alder" };
  const to = new Date(Date.now() + HOUR_MS).toISOString();
  const closure = { target, from: new Date().toISOString(), to, reason: "hail" };
  const manager = await visitAs(browser, server, "manager");
  await manager.go("/areas?view=map");
  await drawn(manager);
  await row(manager, "Alder Field").press("Enter");
  const button = (name: string) => card(manager, "Alder Field").getByRole("button", { name });
  await expect.poll(() => button("All on…").getAttribute("title")).toBe(null);
  const { data: closed } = await staff.call("POST", "/closures", closure);
  await expect
    .poll(() => button("All on…").getAttribute("title"))
    .toMatch(/^Lights may not go on, closed until .*: hail\b/);
  expect(await button("All off…").getAttribute("title")).toBe(null);
  await staff.call("DELETE", `/closures/${closed.id}`);
  await expect.poll(() => button("All on…").getAttribute("title")).toBe(null);
  await manager.page.close();
});

test("a card's switches are gray where there are too many lights, and a typed address opens no question", async () => {
  await server.batch([
    [
      `INSERT INTO areas (id, org_id, name, location)
        VALUES ('arena', 'demo-parks', 'Arena', '{"lat":44,"lon":-121}')`,
    ],
    [
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501)
        INSERT INTO devices (id, org_id, area_id, name) SELECT 'arena-' || i, 'demo-parks', 'arena', 'Arena ' || i FROM n`,
    ],
  ]);
  const manager = await visitAs(browser, server, "manager");
  await manager.go("/areas?view=map&q=arena&turn-on=area:arena");
  await drawn(manager);
  await row(manager, "Arena").click();
  const on = card(manager, "Arena").getByRole("button", { name: "All on…" });
  await expect.poll(() => on.getAttribute("aria-disabled")).toBe("true");
  expect(await on.getAttribute("title")).toBe(
    "At most 500 lights are switched at once. Switch groups of them instead.",
  );
  await expect.poll(manager.loading).toBe(0);
  await manager.page.waitForLoadState("networkidle");
  expect(await manager.page.getByRole("dialog").count()).toBe(0);
  await manager.page.close();
  await exec(
    server,
    `DELETE FROM devices WHERE area_id = 'arena'
     DELETE FROM areas WHERE id = 'arena'`,
  );
});

test("a card says that lights of another department are not shown, as the dashboard's does", async () => {
  await exec(
    server,
    `INSERT INTO departments (id, org_id, name) VALUES ('far', 'demo-parks', 'Far')
     INSERT INTO areas (id, org_id, name, location) VALUES ('island', 'demo-parks', 'Island', '{"lat":44,"lon":-123}')
     INSERT INTO devices (id, org_id, area_id, dept_id, name) VALUES ('beacon', 'demo-parks', 'island', 'far', 'Beacon')`,
  );
  const employee = await visitAs(browser, server, "employee");
  await employee.go("/areas?view=map&q=island");
  await row(employee, "Island").click();
  await employee.sees("1 light of another department is not shown.", card(employee, "Island"));
  await employee.page.close();
  await exec(server, "DELETE FROM areas WHERE id = 'island'");
});

test("a press on a mark opens its card, one on the ground closes it", async () => {
  await row(admin, "Civic Plaza").press("Enter");
  await card(admin, "Civic Plaza").waitFor();
  const canvas = admin.page.locator("canvas.maplibregl-canvas");
  const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
  // It lies beside the card, which is 272 pixels wide.
  const mark = { x: width / 2 + 136, y: height / 2 };
  await canvas.click({ position: { x: 20, y: height - 120 } });
  await card(admin, "Civic Plaza").waitFor({ state: "hidden" });
  expect(await card(admin, "Civic Plaza").count()).toBe(0);
  await canvas.click({ position: mark });
  await card(admin, "Civic Plaza").waitFor();
});

test("what is switched elsewhere is told on the map, which is not drawn anew", async () => {
  await admin.sees("Live");
  const canvas = await admin.page.locator("canvas.maplibregl-canvas").elementHandle();
  await staff.call("POST", "/areas/demo-area-plaza/toggle", { action: "on" });
  await expect.poll(() => row(admin, "Civic Plaza").innerText()).toContain("5 of 5 on");
  await expect.poll(() => card(admin, "Civic Plaza").innerText()).toContain("5 of 5 on");
  await expect.poll(() => row(admin, "Civic Plaza").locator("svg").getAttribute("data-mark")).toBe("lit");
  expect(await canvas?.evaluate((element) => element.isConnected)).toBe(true);
});

test("an area that somebody deletes meanwhile takes no form, nor what is typed in it, away from the map", async () => {
  const location = { address: null, lat: 37.77, lon: -122.43 };
  const { data: area } = await staff.call("POST", "/areas", { name: "Gravel Yard", type: "park", location });
  await staff.call("POST", "/devices", { name: "Gravel lamp", area_id: area.id });
  const visit = await visitAs(browser, server, "manager");
  await visit.go("/areas?view=map");
  await drawn(visit);
  await row(visit, "Gravel Yard").press("Enter");
  await card(visit, "Gravel Yard").getByRole("button", { name: "All off…" }).click();
  const reason = visit.page.getByRole("dialog").getByLabel("Reason");
  await reason.fill("storm");
  await staff.call("DELETE", `/areas/${area.id}`);
  await visit.page.locator(".map-card").waitFor({ state: "detached" });
  expect(await reason.inputValue()).toBe("storm");
  await visit.press("Turn off 1 light");
  await visit.sees("Area not found");
  await visit.press("Cancel");
  await reason.waitFor({ state: "detached" });
});

test("a card that stays open says what comes next now, not what came next when it was opened", async () => {
  const location = { address: null, lat: 37.77, lon: -122.43 };
  const { data: area } = await staff.call("POST", "/areas", { name: "Lamp Yard", type: "park", location });
  const { data: light } = await staff.call("POST", "/devices", { name: "Yard lamp", area_id: area.id });
  await admin.go("/areas?view=map");
  await drawn(admin);
  await row(admin, "Lamp Yard").press("Enter");
  await expect.poll(() => card(admin, "Lamp Yard").innerText()).toMatch(/0 of 1 on[^]*Next\s+None/);
  const end = Date.now() + HOUR_MS;
  const window = { start_at: new Date().toISOString(), end_at: new Date(end).toISOString(), rrule: null };
  await staff.call("POST", "/schedules", { title: "Check", area_id: area.id, device_id: light.id, ...window });
  await expect.poll(() => card(admin, "Lamp Yard").innerText()).toContain("1 of 1 on");
  await expect.poll(() => card(admin, "Lamp Yard").innerText()).toContain(formatInstant(end, ZONE));
  await staff.call("DELETE", `/areas/${area.id}`);
  await row(admin, "Lamp Yard").waitFor({ state: "detached" });
});

test("on a map that was opened before the morning, none is offered that is over", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page } = visit;
  const yesterday = Math.floor(toWall(ZONE, Date.now()) / DAY_MS) * DAY_MS - DAY_MS;
  await page.clock.install({ time: toInstant(ZONE, yesterday + 5.5 * HOUR_MS) });
  await visit.go("/areas?view=map");
  await drawn(visit);
  await page.clock.setSystemTime(toInstant(ZONE, yesterday + 6.25 * HOUR_MS));
  await row(visit, "Linden Park").press("Enter");
  await card(visit, "Linden Park").getByRole("button", { name: "All off…" }).click();
  const ends = page
    .getByRole("dialog")
    .getByLabel("For how long")
    .getByRole("option", { name: /6:00 AM$/ });
  expect(Date.parse((await ends.getAttribute("value")) ?? "")).toBeGreaterThan(Date.now());
  await page.context().close();
});

test("the map has no barriers in either scheme, asks no other host, and runs its worker from the assets", async () => {
  expect(await barriersInBoth(admin.page)).toEqual([]);
  expect([...hosts]).toEqual([new URL(server.url).host]);
  expect(admin.page.workers().map((worker) => new URL(worker.url()).pathname.split("-")[0])).toContain(
    "/assets/maplibre",
  );
  expect(complaints).toEqual([]);
});

test("on a phone the list is beneath the map, and nothing is wider than the screen", async () => {
  await admin.page.setViewportSize({ width: 390, height: 844 });
  await admin.reload();
  await drawn(admin);
  await row(admin, "Linden Park").click();
  await card(admin, "Linden Park").waitFor();
  const inside = await admin.page.evaluate(() => {
    const [frame, opened] = [".map-frame", ".map-card"].map((one) =>
      document.querySelector(one)?.getBoundingClientRect(),
    );
    return {
      isIn: (opened?.top ?? 0) > (frame?.top ?? 0) && (opened?.bottom ?? 0) < (frame?.bottom ?? 0),
      isSeen: (frame?.top ?? -1) >= 0 && (frame?.bottom ?? Infinity) <= innerHeight,
      wide: document.documentElement.scrollWidth,
    };
  });
  expect(inside).toEqual({ isIn: true, isSeen: true, wide: 390 });
  await admin.page.setViewportSize({ width: 1280, height: 900 });
});

test.each([
  ["a browser that cannot draw", "This browser cannot draw the map. Here are its areas as a list."],
  ["a lost network", "The map could not be loaded. Here are its areas as a list; load the page again for the map."],
])("in %s the list stands alone, and says why", async (what, sentence) => {
  const context = await browser.newContext();
  await signIn(context, server, "admin@parks.example");
  if (what === "a lost network") await context.route("**/assets/draw-map*", (route) => route.abort());
  else {
    await context.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype;
      const without = function (this: HTMLCanvasElement, kind: string, ...more: unknown[]) {
        return kind.startsWith("webgl") ? null : Reflect.apply(getContext, this, [kind, ...more]);
      };
      Object.assign(HTMLCanvasElement.prototype, { getContext: without });
    });
  }
  const page = await context.newPage();
  await page.goto(`${server.url}/areas?view=map`);
  await page.getByText(sentence).waitFor();
  await hydrated(page);
  await page.getByRole("button", { name: /^Linden Park/ }).press("Enter");
  await page.getByRole("region", { name: "Linden Park", exact: true }).waitFor();
  expect(await page.locator("canvas").count()).toBe(0);
  await context.close();
});

test("without JavaScript the map's address shows the cards", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await signIn(context, server, "admin@parks.example");
  const page = await context.newPage();
  await page.goto(`${server.url}/areas?view=map`);
  await page.getByRole("article", { name: "Linden Park" }).waitFor();
  expect(await page.getByRole("link", { name: "Map", exact: true }).count()).toBe(0);
  await context.close();
});

test("with MAP_TILES_URL the ground is drawn from that file, by ranges, with its credit", async () => {
  await leave(browser);
  await server.stop();
  const host = await aTileHost();
  server = await aServer({ MAP_TILES_URL: host.url });
  const visit = await visitAs(browser, server, "admin");
  await visit.page.emulateMedia({ colorScheme: "light" });
  note(visit.page);
  await visit.go("/dashboard");
  await visit.page.getByRole("link", { name: "Areas", exact: true }).click();
  await visit.page.getByRole("link", { name: "Map", exact: true }).click();
  await drawn(visit);
  await visit.sees("© OpenStreetMap");
  // The light scheme's --map-water.
  await expect.poll(() => groundOf(visit.page)).toEqual([0xc9, 0xdf, 0xf0]);
  expect(host.ranges.length).toBeGreaterThan(0);
  expect(host.ranges.every((range) => /^bytes=\d+-\d+$/.test(range))).toBe(true);
  expect(complaints).toEqual([]);
  await host.stop();
});

/** The color (red, green, blue) near the map's upper left corner. */
async function groundOf(page: Page): Promise<number[]> {
  const [ground] = await colorsIn(mapOf(page), ({ x, y }) => ({ x: x + 12, y: y + 12, width: 4, height: 4 }));
  return ground ?? [];
}

const mapOf = (page: Page) => page.locator("canvas.maplibregl-canvas");
