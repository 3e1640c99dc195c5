import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { PONG } from "#domain/lists/live";
import { DAY_MS, HOUR_MS } from "#domain/time/units";
import { toInstant, toWall } from "#domain/time/wall-clock";
import type { LiveMessage } from "#domain/lists/live-schema";
import { aBrowser, leave } from "#tests/support/chromium";
import { cutWhereAsked } from "#tests/support/cut";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { arrived, momentsOf, visitAs, type Visit, RETRIES } from "#tests/support/visit";

/** The demo city's. */
const ZONE = "America/Los_Angeles";

let server: Server;
let browser: Browser;
let staff: Staff;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

/** Waits until the screen says that it is told what changes. */
const isLive = ({ page }: Visit) => page.getByText("Live", { exact: true }).waitFor();

/** The requests of a page for its lists' data from now on. */
function loads(page: Page): string[] {
  const urls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".data") || pathname === "/api/alive") urls.push(pathname);
  });
  return urls;
}

test("what one person switches is on another's screen, without loading anything", async () => {
  await aPlace(staff, "Live park", ["Live lamp"]);
  const [admin, manager] = await Promise.all([visitAs(browser, server, "admin"), visitAs(browser, server, "manager")]);
  await Promise.all([admin, manager].map((visit) => visit.go("/devices?q=Live lamp")));
  await Promise.all([admin, manager].map(isLive));
  // Whatever the other screen asks for now has no answer.
  await manager.page.route("**/*.data*", () => undefined);
  const card = manager.page.getByRole("main").locator("[data-state]").filter({ hasText: "Live lamp" }).first();
  expect(await card.getAttribute("data-state")).not.toBe("on");
  await admin.press("Turn on Live lamp");
  await expect.poll(() => card.getAttribute("data-state")).toBe("on");
  await expect.poll(() => card.getByText("ON", { exact: true }).first().isVisible()).toBe(true);
  await admin.press("Turn off Live lamp");
  await expect.poll(() => card.getAttribute("data-state")).toBe("off");
});

test("what one person adds is in another's list, and a half-filled form stays as it is", async () => {
  const manager = await visitAs(browser, server, "manager");
  await manager.go("/areas?new=");
  await isLive(manager);
  const name = manager.page.getByRole("dialog").getByLabel("Name");
  await name.fill("Half a na");
  await staff.call("POST", "/areas", { name: "Live river", type: "river", location: null });
  await manager.page.getByText("Live river").first().waitFor({ state: "attached" });
  expect(await name.inputValue()).toBe("Half a na");
});

test("a page that something on the way answers in the server's place takes nothing of what is typed", async () => {
  const { page, ...manager } = await visitAs(browser, server, "manager");
  await page.clock.install();
  await manager.go("/areas?new=");
  await isLive({ page, ...manager });
  const name = page.getByRole("dialog").getByLabel("Name");
  await name.fill("Half a na");
  const answered: number[] = [];
  for (const status of [429, 404, 200]) {
    await page.route("**/areas.data*", (route) => {
      answered.push(status);
      return route.fulfill({ status, contentType: "text/html", body: "<h1>Too many requests</h1>" });
    });
    await staff.call("POST", "/areas", { name: `Withheld river ${status}`, type: "river", location: null });
    // Soon after another load one waits some seconds.
    const askedOn = () => page.clock.runFor(1_000).then(() => answered);
    await expect.poll(askedOn, { timeout: 15_000 }).toContain(status);
    await page.unroute("**/areas.data*");
    await staff.call("POST", "/areas", { name: `Next river ${status}`, type: "river", location: null });
    const next = page.getByText(`Next river ${status}`).first();
    await expect.poll(() => page.clock.runFor(1_000).then(() => next.count()), { timeout: 15_000 }).toBe(1);
    expect(await name.inputValue(), `after ${status}`).toBe("Half a na");
  }
  await page.context().close();
});

test("what the server tells while a form's own reload is on its way does not take its place", async () => {
  const admin = await visitAs(browser, server, "admin");
  const heard: string[] = [];
  admin.page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => void heard.push(String(payload)));
  });
  await admin.page.clock.install();
  await admin.go("/settings");
  await isLive(admin);
  const held: (() => void)[] = [];
  let isHolding = true;
  await admin.page.route("**/*.data*", async (route) => {
    if (isHolding && route.request().method() === "GET") await new Promise<void>((done) => held.push(done));
    await route.continue().catch(() => undefined);
  });
  await admin.page.getByLabel("Timezone", { exact: true }).selectOption("America/Denver");
  await admin.press("Save Settings");
  await expect.poll(() => held.length).toBeGreaterThan(0);
  // What changes within the same second is told in one message; after much at once that says 'reload' and no more.
  await expect.poll(() => heard.join()).toMatch(/"settings"|"reload"/);
  const before = heard.length;
  await staff.call("POST", "/areas", { name: "Meanwhile river", type: "river", location: null });
  await expect.poll(() => heard.slice(before).join()).toMatch(/"areas"|"reload"/);
  // Soon after another load one waits some seconds.
  await admin.page.clock.runFor(6_000);
  isHolding = false;
  for (const done of held) done();
  const information = admin.page.getByRole("article", { name: "System Information" });
  await expect.poll(() => information.innerText()).toContain("America/Denver");
  await staff.call("POST", "/admin/settings", { APP_TIMEZONE: "America/Los_Angeles" });
  await admin.page.context().close();
});

test("a list that was asked for before a light was pressed does not put the light back when it comes after", async () => {
  await aPlace(staff, "Overtaken park", ["Overtaken lamp"]);
  const { page, ...admin } = await visitAs(browser, server, "admin");
  // Nothing tells the screen better, as on a line that lets no socket through.
  await page.routeWebSocket(/\/live/, (socket) => void socket.close());
  await admin.go("/devices?q=Overtaken lamp");
  const card = page.getByRole("main").locator("[data-state]").filter({ hasText: "Overtaken lamp" }).first();
  let letGo: (() => Promise<void>) | undefined;
  let isFirst = true;
  await page.route("**/devices.data*", async (route) => {
    if (route.request().method() !== "GET" || !isFirst) return route.fallback();
    isFirst = false;
    const response = await route.fetch({ maxRetries: RETRIES });
    const body = await response.body();
    letGo = () => route.fulfill({ response, body });
  });
  await admin.press("Refresh");
  await expect.poll(() => letGo, { timeout: 15_000 }).toBeDefined();
  await admin.press("Turn on Overtaken lamp");
  await admin.sees("Device turned on successfully");
  await expect.poll(admin.loading).toBe(1);
  const states = await momentsOf(card, "data-state");
  await letGo?.();
  // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
  await page.waitForFunction(() => window.__remixRouter.state.revalidation === "idle");
  expect(await states()).toEqual(["on"]);
});

test("what was told of a light before the list was loaded anew is not told again with its next state", async () => {
  await aPlace(staff, "Sleepy park", ["Sleepy lamp"]);
  const visit = await visitAs(browser, server, "admin");
  const { page } = visit;
  let tell: (message: LiveMessage) => void = () => undefined;
  await page.routeWebSocket(/\/live/, (socket) => {
    tell = (message) => socket.send(JSON.stringify(message));
    socket.onMessage(() => socket.send(PONG));
    tell({ kind: "hello", version: 1 });
  });
  await visit.go("/devices?q=Sleepy lamp");
  await isLive(visit);
  const card = page.getByRole("article", { name: "Sleepy lamp" });
  const id = (await card.getByRole("link", { name: "Sleepy lamp" }).getAttribute("href"))?.split("/").at(-1) ?? "";
  const wrong = card.getByText(/^Wrong since/);
  const trouble = { id, problem: "still off, 3 tries", problem_since: "2026-11-20T02:00:00.000Z" };
  tell({ kind: "changes", version: 2, devices: [trouble], lists: [], spread_ms: 0 });
  await wrong.waitFor();
  // That it is over went by while the line was cut.
  const loaded = page.waitForResponse((response) => response.url().includes("/devices.data"));
  tell({ kind: "reload", version: 9, spread_ms: 0 });
  await loaded;
  await wrong.waitFor({ state: "detached" });
  await page.route("**/*.data*", () => undefined);
  const lit = { id, current_state: "on", last_state_at: new Date().toISOString() } as const;
  tell({ kind: "changes", version: 10, devices: [lit], lists: [], spread_ms: 0 });
  await card.getByText("ON", { exact: true }).first().waitFor();
  await expect.poll(() => card.getAttribute("data-state")).toBe("on");
  expect(await wrong.count()).toBe(0);
});

test("a light of a hidden department is not told, not even its id", async () => {
  const { data: dept } = await staff.call("POST", "/departments", { name: "Hidden" });
  const [lamp] = await aPlace(staff, "Hidden park", ["Hidden lamp"]);
  const { data: device } = await staff.call("PUT", `/devices/${lamp?.id}`, { ...lamp, dept_id: dept.id });
  const employee = await visitAs(browser, server, "employee");
  const heard: string[] = [];
  employee.page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => void heard.push(String(payload)));
  });
  await employee.go("/devices");
  await isLive(employee);
  const [shown] = await aPlace(staff, "Open park", ["Open lamp"]);
  await staff.call("POST", `/devices/${device.id}/toggle`, { action: "on" });
  await staff.call("POST", `/devices/${shown?.id}/toggle`, { action: "on" });
  await expect.poll(() => heard.join()).toContain(shown?.id);
  expect(heard.join()).not.toContain(device.id);
});

test("the lists are polled while there is no socket, and only then", async () => {
  const { page, ...manager } = await visitAs(browser, server, "manager");
  const sockets: WebSocketRoute[] = [];
  let isOpen = true;
  // The socket's other side is here: a server on a busy machine may close one, and open the next too late.
  await page.routeWebSocket(/\/live/, (socket) => {
    if (!isOpen) return void socket.close();
    sockets.push(socket);
    socket.onMessage(() => socket.send(PONG));
    socket.send(JSON.stringify({ kind: "hello", version: 1 } satisfies LiveMessage));
  });
  // A window that is come back to asks, too, and another page of the test may take and leave the focus.
  await page.addInitScript(() => {
    const unheard = (event: Event) => event.stopImmediatePropagation();
    for (const event of ["focus", "online", "offline"]) addEventListener(event, unheard);
    document.addEventListener("visibilitychange", unheard);
  });
  await page.clock.install();
  await manager.go("/hubs");
  await isLive({ page, ...manager });
  const polls = loads(page);
  // A poll is due after 20 s without a socket. What the page sends is answered in real time.
  for (let n = 0; n < 42; n += 1) {
    await isLive({ page, ...manager });
    await page.clock.runFor(1_000);
  }
  // Each poll asks first whether the server is there; what is loaded because of news does not.
  expect(polls).not.toContain("/api/alive");

  isOpen = false;
  // Also one that was on its way.
  await expect
    .poll(async () => {
      await Promise.all(sockets.splice(0).map((socket) => socket.close()));
      return page.getByText(/^Updated/).isVisible();
    })
    .toBe(true);
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000);
      return polls;
    })
    .toContain("/api/alive");

  isOpen = true;
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000);
      return page.getByText("Live", { exact: true }).isVisible();
    })
    .toBe(true);
  await page.context().close();
});

test.each(["midnight", "noon"])(
  "a page that stands open past %s is loaded anew, though nothing has changed: its 'tomorrow' is another day",
  async (which) => {
    const { page, ...manager } = await visitAs(browser, server, "manager");
    await page.routeWebSocket(/\/live/, (socket) => {
      socket.onMessage(() => socket.send(PONG));
      socket.send(JSON.stringify({ kind: "hello", version: 1 } satisfies LiveMessage));
    });
    // Nobody comes back to the window meanwhile.
    await page.addInitScript(() => addEventListener("focus", (event) => event.stopImmediatePropagation(), true));
    const wall = Math.ceil(toWall(ZONE, Date.now()) / DAY_MS) * DAY_MS + (which === "noon" ? DAY_MS / 2 : 0);
    await page.clock.install({ time: toInstant(ZONE, wall) - 30_000 });
    await manager.go("/hubs");
    await isLive({ page, ...manager });
    const reloads = loads(page);
    // What the page sends is answered in real time.
    for (let n = 0; n < 120 && reloads.length === 0; n += 1) {
      await isLive({ page, ...manager });
      await page.clock.runFor(1_000);
    }
    // Each poll would ask first whether the server is there.
    expect(reloads[0]).toBe("/hubs.data");
    expect(toWall(ZONE, await page.evaluate(() => Date.now()))).toBeGreaterThan(wall);
    await page.context().close();
  },
);

test("what a screen tells by its age is read anew now and then, though nothing is told", async () => {
  const { page, ...manager } = await visitAs(browser, server, "manager");
  await page.routeWebSocket(/\/live/, (socket) => {
    socket.onMessage(() => socket.send(PONG));
    socket.send(JSON.stringify({ kind: "hello", version: 1 } satisfies LiveMessage));
  });
  // Nobody comes back to the window meanwhile.
  await page.addInitScript(() => addEventListener("focus", (event) => event.stopImmediatePropagation(), true));
  // Long before the next midnight and noon.
  const wall = Math.ceil(toWall(ZONE, Date.now()) / DAY_MS) * DAY_MS + HOUR_MS;
  await page.clock.install({ time: toInstant(ZONE, wall) });
  await server.query("UPDATE hubs SET last_seen = ?", new Date().toISOString());
  await manager.go("/hubs");
  await isLive({ page, ...manager });
  const old = page.getByText("3h ago", { exact: true }).first();
  // What the page sends is answered in real time.
  for (let n = 0; n < 100 && !(await old.isVisible()); n += 1) {
    await isLive({ page, ...manager });
    // A check of a hub that is there is no news. Each time, since the engine checks the hubs in real time, too.
    await server.query("UPDATE hubs SET last_seen = ?", new Date(Date.now() - 3 * HOUR_MS).toISOString());
    await page.clock.runFor(5_000);
  }
  expect(await old.isVisible()).toBe(true);
  await page.context().close();
});

test("the lists are polled also after the device's clock was set back by hours", async () => {
  const { page, ...manager } = await visitAs(browser, server, "manager");
  await page.routeWebSocket(/\/live/, (socket) => void socket.close());
  await page.clock.install();
  await manager.go("/hubs");
  await manager.sees(/^Updated /);
  await page.clock.setSystemTime(await page.evaluate(() => Date.now() - 3 * 3_600_000));
  // Nobody comes back to the window meanwhile.
  await page.evaluate(() => addEventListener("focus", (event) => event.stopImmediatePropagation(), { capture: true }));
  const polls = loads(page);
  for (let n = 0; n < 6; n += 1) await page.clock.runFor(5_000);
  await expect.poll(() => polls).toContain("/hubs.data");
  await page.context().close();
});

test("a reload that is cut off leaves the list on screen, and is made up for though the socket is open", async () => {
  const { page, ...manager } = await visitAs(browser, server, "manager");
  await page.addInitScript(cutWhereAsked);
  await page.clock.install();
  await manager.go("/devices");
  await isLive({ page, ...manager });
  const cards = page.getByRole("article");
  const shown = await cards.count();
  expect(shown).toBeGreaterThan(0);
  for (const [cut, told] of [
    ["halfway", "Failed to fetch devices"],
    ["at once", "No connection to the server."],
  ] as const) {
    await page.evaluate((how) => document.documentElement.setAttribute("data-cut", how), cut);
    await manager.press("Refresh");
    const says = page.getByRole("alert").getByText(told);
    await says.waitFor();
    expect(await cards.count(), cut).toBe(shown);
    await page.evaluate(() => document.documentElement.removeAttribute("data-cut"));
    // A poll is due after 20 s. The answers come in real time.
    await page.clock.runFor(25_000);
    await expect.poll(() => says.count()).toBe(0);
    expect(await cards.count(), cut).toBe(shown);
  }
});

test("signing out elsewhere ends what a screen is told, and leads to the sign-in", async () => {
  const manager = await visitAs(browser, server, "manager");
  await manager.go("/hubs");
  await isLive(manager);
  await manager.page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem("token")}` };
    await fetch("/api/auth/logout", { method: "POST", headers });
  });
  await manager.page.waitForURL(/\/login/);
  await expect.poll(() => manager.page.getByText("Live", { exact: true }).count()).toBe(0);
});

/** Changes a demo account's role as the admin, and back when the test ends. */
async function setRole(name: string, role: string) {
  const { data: users } = await staff.call("GET", "/users");
  const { id } = users.find(({ email }: { email: string }) => email === `${name}@parks.example`);
  await staff.call("PUT", `/users/${id}`, { role });
  return id;
}

test("another role is in force at once, and has its own buttons and screens where a page stands open, once nothing typed is lost by that", async () => {
  const { page, ...manager } = await visitAs(browser, server, "manager");
  onTestFinished(() => setRole("manager", "manager"));
  const closed: string[] = [];
  page.on("websocket", (socket) => void socket.on("close", () => closed.push(socket.url())));
  await manager.go("/areas");
  await isLive({ page, ...manager });
  await page.getByRole("button", { name: "New Area", exact: true }).waitFor();
  const tests = page.getByRole("link", { name: "Connectivity Test" });
  await setRole("manager", "employee");
  await expect.poll(() => closed.length).toBe(1);
  await isLive({ page, ...manager });
  await page.getByRole("button", { name: "New Area", exact: true }).waitFor({ state: "detached" });
  await tests.waitFor({ state: "detached" });
  await setRole("manager", "manager");
  await tests.waitFor();

  await manager.press("New Area");
  await arrived({ page }, "watch-form");
  const name = page.getByRole("dialog").getByLabel("Name");
  await name.fill("Half a name");
  const reload = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/areas.data");
  await setRole("manager", "employee");
  await reload;
  await manager.press("Create Area");
  await manager.sees("Permission denied");
  expect(await name.inputValue()).toBe("Half a name");
  await manager.press("Cancel");
  await tests.waitFor({ state: "detached" });
});

test("whoever is taken out of the chosen department does not read all lights under its name", async () => {
  const { page, ...employee } = await visitAs(browser, server, "employee");
  const { data: depts } = await staff.call("GET", "/departments");
  const { id } = depts.find(({ name }: { name: string }) => name === "Sports Fields");
  const user_id = await setRole("employee", "employee");
  onTestFinished(() => staff.call("POST", `/departments/${id}/members`, { user_id, dept_id: id, role: "dept_staff" }));
  await employee.go("/devices");
  const department = page.getByRole("banner").getByLabel("Department", { exact: true });
  await department.selectOption({ label: "Sports Fields" });
  await expect.poll(() => page.evaluate(() => localStorage.getItem("user"))).toContain(`"current_dept_id":"${id}"`);
  await isLive({ page, ...employee });
  await staff.call("DELETE", `/departments/${id}/members/${user_id}`);
  await expect.poll(() => department.locator("option:checked").innerText()).toBe("All Departments");
});

test("a screen that stands open says at once that the lights are no longer simulated", async () => {
  const { page, ...employee } = await visitAs(browser, server, "employee");
  onTestFinished(() => staff.call("POST", "/admin/settings", { PROVIDER_MODE: "mock" }));
  await employee.go("/areas");
  await isLive({ page, ...employee });
  const badge = page.getByRole("banner").getByText("Mock mode", { exact: true });
  await badge.waitFor();
  await staff.call("POST", "/admin/settings", { PROVIDER_MODE: "local" });
  await expect.poll(() => badge.count()).toBe(0);
});
