import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { pressOnceTold } from "#tests/support/press-once";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import {
  exec,
  arrived,
  aVisit,
  htmlOf,
  hydrated,
  momentsOf,
  signIn,
  visitAs,
  without,
  wordsOf,
  type Visit,
} from "#tests/support/visit";

let server: Server;
let browser: Browser;
let staff: Staff;
let admin: Visit;
let lamp: { id: string; area_id: string };
let other: { id: string };

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const [first, second] = await aPlace(staff, "Quince Yard", ["Quince lamp", "Quince bench"]);
  if (!first || !second) throw new Error("The place has no devices");
  [lamp, other] = [first, second];
  const place = { area_id: lamp.area_id, device_id: lamp.id };
  await staff.call("POST", "/workorders", { title: "Straighten the post", priority: "high", ...place });
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  for (const [title, from] of [
    ["First game", 24],
    ["Second game", 48],
    ["Third game", 72],
    ["Fourth game", 96],
  ] as const) {
    const window = { start_at: at(from), end_at: at(from + 1), timezone: "America/Los_Angeles" };
    await staff.call("POST", "/schedules", { title, ...place, ...window });
  }
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("a card and a search hit lead to the light's own page, with what is known of it", async () => {
  await admin.go("/devices?q=quince+lamp");
  await admin.page.getByRole("link", { name: "Quince lamp" }).click();
  await admin.page.waitForURL(`**/devices/${lamp.id}`);
  await admin.page
    .getByRole("article", { name: "Now" })
    .getByText(/^(Off|Not confirmed to be off)\b/)
    .first() // the second is 'Off until…'
    .waitFor();
  for (const title of ["First game", "Second game", "Third game"]) await admin.sees(title, part("Next windows"));
  expect(await part("Next windows").getByText("Fourth game").count()).toBe(0);
  await admin.sees("Straighten the post", part("Open work orders"));
  await admin.sees("Quince Yard hub", part("Hub"));
  await admin.sees("Nothing has been switched yet.", part("History"));

  await admin.page.keyboard.press("/");
  await admin.page.getByRole("combobox", { name: /^Search areas/ }).fill("quince bench");
  await admin.page.getByRole("option", { name: /Quince bench/ }).waitFor();
  await admin.page.keyboard.press("Enter");
  await admin.page.waitForURL(`**/devices/${other.id}`);
  await admin.page.getByRole("heading", { level: 1, name: "Quince bench" }).waitFor();
  await admin.sees(/^Nothing planned( since \d+:\d\d [AP]M)?$/, part("Tonight")); // an empty chart says nothing to an ear
});

test("a light is switched on its page, and the history says by whom", async () => {
  await admin.go(`/devices/${lamp.id}`);
  await admin.press("Turn on Quince lamp");
  await admin.sees("Device turned on successfully");
  // The event follows the verification, which the page does not wait for.
  await expect
    .poll(async () => {
      await admin.press("Refresh");
      return part("History").innerText();
    })
    .toContain("admin@parks.example");
  expect(await admin.page.getByRole("article", { name: "Now" }).getAttribute("data-state")).toBe("on");
  await admin.press("Turn off Quince lamp");
  await admin.sees("Device turned off successfully");
});

test("once the lamp has answered its page says one state, and the way back to the schedule none that was asked for before", async () => {
  const visit = await visitAs(browser, server, "admin");
  const { page } = visit;
  // Nor does the server tell of it.
  await page.routeWebSocket(/\/live/, (socket) => void socket.close());
  await visit.go(`/devices/${lamp.id}`);
  const now = part("Now", page);
  const state = async () => [await now.getAttribute("data-state"), await now.locator(".badge").first().innerText()];
  const stateAnew = async () => {
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    return state();
  };
  await expect.poll(stateAnew).toEqual(["off", "OFF"]);
  const lose = (route: Route) => (route.request().method() === "GET" ? route.abort() : route.fallback());
  await page.route("**/*.data*", lose);
  await visit.press("Turn on Quince lamp");
  await visit.sees("Device turned on successfully");
  expect(await state()).toEqual(["on", "ON"]);
  await page.unroute("**/*.data*", lose);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await staff.call("POST", `/devices/${lamp.id}/toggle`, { action: "off", until });
  await expect.poll(stateAnew).toEqual(["off", "OFF"]);
  await page.route("**/*.data*", lose);
  await visit.press("Back to the schedule");
  await visit.sees("Device returned to its schedule");
  expect(await state()).toEqual(["off", "OFF"]);
});

test("a press shows no state before its answer, and one that fails leaves the state that the one before was answered", async () => {
  const visit = await visitAs(browser, server, "admin");
  const { page } = visit;
  // The network goes in the moment after the first answer: nothing tells the page what it was not told by it.
  await page.routeWebSocket(/\/live/, (socket) => void socket.close());
  await staff.call("POST", `/devices/${lamp.id}/toggle`, { action: "off" });
  await visit.go(`/devices/${lamp.id}`);
  const now = part("Now", page);
  await expect.poll(() => now.getAttribute("data-state")).toBe("off");
  const lose = (route: Route) => (route.request().method() === "GET" ? route.abort() : route.fallback());
  await page.route("**/*.data*", lose);
  await visit.press("Turn on Quince lamp");
  await visit.sees("Device turned on successfully");
  await expect.poll(() => page.getByRole("button", { name: "Turn off Quince lamp" }).isEnabled()).toBe(true);
  const states = await momentsOf(now, "data-state");
  await page.route("**/*.data*", (route) => route.abort());
  await visit.press("Turn off Quince lamp");
  await visit.sees("Failed to toggle device");
  expect(await states()).toEqual(["on"]);
  await staff.call("POST", `/devices/${lamp.id}/toggle`, { action: "off" });
});

test("a light's page leads to a schedule and a work order in which the light is chosen already", async () => {
  await admin.go(`/devices/${lamp.id}`);
  await admin.page.getByRole("link", { name: "New schedule" }).click();
  const dialog = admin.page.getByRole("dialog");
  await expect.poll(() => dialog.getByLabel("Device").inputValue()).toBe(lamp.id);
  expect(await dialog.getByLabel("Area").inputValue()).toBe(lamp.area_id);
  await admin.press("Cancel");
  await dialog.waitFor({ state: "detached" });
  expect(new URL(admin.page.url()).search).toBe("");

  await admin.go(`/devices/${lamp.id}`);
  await admin.page.getByRole("link", { name: "New work order" }).click();
  await expect.poll(() => dialog.getByLabel("Device").inputValue()).toBe(lamp.id);
});

test("a form that another screen's link opened closes to that screen, given up or saved, and else to its list", async () => {
  const dialog = admin.page.getByRole("dialog");
  const isAt = (path: string) => admin.page.waitForURL((url) => url.pathname + url.search === path);
  await admin.go(`/devices/${lamp.id}`);
  await admin.page.getByRole("link", { name: "New work order" }).click();
  await dialog.waitFor();
  await admin.page.keyboard.press("Escape");
  await isAt(`/devices/${lamp.id}`);

  await admin.page.getByRole("link", { name: "New work order" }).click();
  await dialog.getByLabel("Title").fill("Paint the post");
  await admin.press("Create Workorder");
  await admin.sees("Workorder created successfully");
  await isAt(`/devices/${lamp.id}`);
  await admin.sees("Paint the post", part("Open work orders"));

  await admin.page.getByRole("link", { name: "Straighten the post" }).click();
  await dialog.getByLabel("Title").fill("Straighten the tall post");
  await admin.page.goBack();
  await admin.press("Leave");
  await isAt(`/devices/${lamp.id}`);
  await admin.page.getByRole("link", { name: "Straighten the post" }).click();
  await dialog.getByLabel("Title").fill("Straighten the tall post");
  await admin.page.keyboard.press("Escape");
  await admin.press("Leave");
  await isAt(`/devices/${lamp.id}`);

  await admin.page.getByRole("link", { name: "New work order" }).click();
  await dialog.waitFor();
  await admin.reload();
  await admin.press("Cancel");
  await isAt("/workorders");
});

test("a light is edited and deleted on its page; then the list takes its place", async () => {
  await admin.go(`/devices/${other.id}`);
  await admin.press("Edit Quince bench");
  await admin.page.getByRole("dialog").getByLabel("Name").fill("Quince seat");
  await admin.press("Save changes");
  await admin.sees("Device updated successfully");
  await admin.page.getByRole("heading", { level: 1, name: "Quince seat" }).waitFor();
  await admin.press("Delete Quince seat");
  await admin.press("Delete");
  await admin.sees('Device "Quince seat" deleted successfully');
  await admin.page.waitForURL("**/devices");
});

test("an area's page has its lights, hubs, windows and work orders; each light can be switched there", async () => {
  await admin.go("/dashboard");
  await admin.page.getByRole("link", { name: "Quince Yard" }).click();
  await admin.page.waitForURL(`**/areas/${lamp.area_id}`);
  await admin.press("Turn on Quince lamp");
  await admin.sees("Device turned on successfully");
  await admin.page.getByRole("heading", { name: "Lights: 1 of 1 on" }).waitFor();
  for (const title of ["First game", "Second game", "Third game"]) await admin.sees(title, part("Next windows"));
  await admin.sees("Straighten the post", part("Open work orders"));
  await admin.sees("Quince Yard hub", part("Hubs"));
  await admin.press("Turn off Quince lamp");
  await admin.sees("Device turned off successfully");
});

test("an area's page tells tonight in a sentence and a chart with one tab stop; a light's page names its groups", async () => {
  const device_ids = [lamp.id];
  await staff.call("POST", "/groups", { area_id: lamp.area_id, name: "Quince posts", device_ids });
  await admin.go(`/areas/${lamp.area_id}`);
  await admin.sees(/^0 of 1 light is on\. /, part("Tonight"));
  await part("Tonight").getByRole("list").getByRole("link", { name: "Quince lamp" }).waitFor();
  await expect.poll(() => part("Tonight").locator("[data-cell][tabindex='0']").count()).toBe(1);
  await admin.sees("1 light, 0 on", part("Groups"));
  await admin.page.getByRole("link", { name: "Book Quince posts" }).click();
  const device = admin.page.getByRole("dialog").getByLabel("Device");
  await expect.poll(() => device.locator("option:checked").innerText()).toBe("Quince posts");
  await admin.go(`/devices/${lamp.id}`);
  await admin.sees("Quince posts", part("Details"));
});

test("an alarm is acknowledged on the page of its light", async () => {
  await server.batch([
    [
      `INSERT INTO alarms (id, org_id, kind, device_id, device_name, area_id, area_name, what, why, opened_at, seq)
       SELECT 'quince-alarm', org_id, 'device_failed', id, name, area_id, 'Quince Yard', 'Dark', 'still off after 3 tries',
         strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 1 FROM devices WHERE id = ?`,
      lamp.id,
    ],
  ]);
  await admin.go(`/devices/${lamp.id}`);
  await arrived(admin, "offline-bar");
  // The code of the alarms' screen has not come.
  await admin.page.context().setOffline(true);
  const told = admin.page.getByText("Nothing was sent.");
  await admin.press("Acknowledge: Quince lamp");
  await admin.sees("Nothing was sent.");
  await told.waitFor({ state: "detached" });
  await admin.press("Acknowledge: Quince lamp");
  await told.waitFor();
  await admin.page.context().setOffline(false);
  await admin.press("Acknowledge: Quince lamp");
  await admin.sees("Alarm acknowledged");
  await admin.sees(/^Acknowledged by admin@/, part("Open alarms"));
});

test("who presses 'Acknowledge' twice makes no work order by what takes its place", async () => {
  await server.query("UPDATE alarms SET acknowledged_at = NULL, acknowledged_by = NULL WHERE id = 'quince-alarm'");
  const visit = await visitAs(browser, server, "admin");
  const { page } = visit;
  await visit.go(`/devices/${lamp.id}`);
  await arrived(visit, "wayfinding");
  const button = page.getByRole("button", { name: "Acknowledge: Quince lamp" });
  await button.hover();
  const box = await button.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) - 4];
  await page.evaluate(pressOnceTold, [x, y, "Acknowledged by"] as const);
  await page.mouse.click(x, y);
  await visit.sees("The button has just changed: that press did nothing");
  expect(await server.query("SELECT id FROM workorders WHERE title = 'Repair Quince lamp'")).toEqual([]);
  await page.getByRole("button", { name: "Make a work order: Quince lamp" }).waitFor();
});

test("what is a year away or more says its year, so that nobody takes it for this one's", async () => {
  // Its turn would come in some run, and what it reads would be of today.
  await staff.call("POST", "/admin/settings/guardrails", { WATCHDOG_ENABLED: false });
  const [light] = await aPlace(staff, "Sloe Walk", ["Sloe lamp"]);
  if (!light) throw new Error("The place has no light");
  const year = new Date().getUTCFullYear() + 3;
  const place = { area_id: light.area_id, device_id: light.id };
  const window = { start_at: `${year}-11-21T02:00:00.000Z`, end_at: `${year}-11-21T04:00:00.000Z` };
  await staff.call("POST", "/schedules", { title: "Sloe fair", ...place, ...window, timezone: "America/Los_Angeles" });
  const { data: order } = await staff.call("POST", "/workorders", { title: "Paint the sloe post", ...place });
  const records = [
    ["areas", light.area_id],
    ["devices", light.id],
    ["workorders", order.id],
  ];
  await server.batch(
    records.map(([table, id]) => [`UPDATE ${table} SET created_at = '2020-11-21T02:00:00.000Z' WHERE id = '${id}'`]),
  );
  await exec(
    server,
    `UPDATE devices SET problem = 'still off', problem_since = created_at, last_state_at = created_at WHERE id = '${light.id}'`,
  );
  const hours = `Nov 20, ${year}, 6:00 PM - 8:00 PM`;
  const old = "Nov 20, 2020, 6:00 PM";
  for (const [path, words] of Object.entries({
    "/schedules?q=sloe": [`Nov 20, ${year}, 6:00 PM`],
    "/dashboard": [`Nov 20, ${year}, 6:00 PM`],
    [`/devices/${light.id}`]: [hours, old, `Last update ${old}`, `Wrong since ${old}`],
    [`/areas/${light.area_id}`]: [hours],
    "/devices?q=sloe": [old, `Wrong since ${old}`],
    "/areas?q=sloe": [old],
    "/workorders?q=sloe": [old],
  })) {
    const shown = wordsOf(await htmlOf(admin.page, server, path));
    for (const each of words) expect(shown, path).toContain(each);
  }
});

test("a night that is years away has its year in the form that books it, and in the one that skips it", async () => {
  const [light] = await aPlace(staff, "Bay Walk", ["Bay lamp"]);
  if (!light) throw new Error("The place has no light");
  const year = new Date().getUTCFullYear() + 3;
  const place = { area_id: light.area_id, device_id: light.id };
  const window = { start_at: `${year}-11-21T02:00:00.000Z`, end_at: `${year}-11-21T04:00:00.000Z` };
  const series = { ...window, rrule: "FREQ=DAILY;COUNT=3", timezone: "America/Los_Angeles" };
  const { data } = await staff.call("POST", "/schedules", { title: "Bay fair", ...place, ...series });
  await staff.call("POST", "/schedules", { title: "Bay rehearsal", ...place, ...series });
  const dialog = admin.page.getByRole("dialog");
  await admin.go(`/schedules?edit=${data.id}`);
  const preview = dialog.getByRole("region", { name: "Preview" });
  await preview.getByText(new RegExp(`^\\w{3}, Nov 20, ${year}$`)).waitFor();
  await preview.getByText(`Bay rehearsal also lights them on Nov 20, ${year}, 6:00 PM.`).waitFor();
  await admin.go(`/schedules?skip=${data.id}`);
  const nights = dialog.getByLabel("Night").locator("option");
  await expect
    .poll(async () => (await nights.allInnerTexts())[0])
    .toMatch(new RegExp(`, Nov 20, ${year}, 6:00 PM - 8`));
  await admin.press("Skip");
  await admin.page.getByText(new RegExp(`^Skipped \\w{3}, Nov 20, ${year}$`)).waitFor();
});

test("where lights of an area are hidden, its page does not say that nothing is scheduled at all", async () => {
  await exec(
    server,
    `INSERT INTO departments (id, org_id, name) VALUES ('far', 'demo-parks', 'Far')
     INSERT INTO areas (id, org_id, name) VALUES ('island', 'demo-parks', 'Island')
     INSERT INTO devices (id, org_id, area_id, dept_id, name) VALUES ('beacon', 'demo-parks', 'island', 'far', 'Beacon')`,
  );
  const { page } = await visitAs(browser, server, "employee");
  const shown = wordsOf(await htmlOf(page, server, "/areas/island"));
  expect(shown).toContain("1 light of another department is not shown.");
  expect(shown).toContain("Nothing is scheduled for the lights shown here.");
});

test("a hub and a schedule are led to where other areas have one of the same name", async () => {
  const [, beech] = await Promise.all(["Ash Yard", "Beech Yard"].map((name) => aPlace(staff, name, [`${name} lamp`])));
  const [light] = beech ?? [];
  if (!light) throw new Error("The place has no light");
  await exec(
    server,
    `UPDATE hubs SET name = 'Yard hub', status = 'offline', last_seen = created_at WHERE name LIKE '%h Yard hub'
     INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, last_end_at, timezone) SELECT 'yard-' || id, org_id, id, 'Yard fair', '2090-01-01T02:00:00.000Z', '2090-01-01T04:00:00.000Z', '2090-01-01T04:00:00.000Z', 'UTC' FROM devices WHERE name LIKE '%h Yard lamp'`,
  );
  for (const path of [`/devices/${light.id}`, `/areas/${light.area_id}`])
    for (const name of ["Yard hub", "Yard fair"]) {
      const html = await htmlOf(admin.page, server, path);
      const [, href = ""] = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${name}</a>`).exec(html) ?? [];
      expect(href, `${name} on ${path}`).toContain("q=Yard");
      const list = await htmlOf(admin.page, server, href.replaceAll("&amp;", "&"));
      const cards = list.match(new RegExp(`<article [^>]*aria-label="${name}".*?</article>`, "gs")) ?? [];
      expect(
        cards.map((card) => /Ash Yard|Beech Yard/.exec(card)?.[0]),
        `${name} on ${path}`,
      ).toEqual(["Beech Yard"]);
    }
});

test("a history that goes back some days does not say that nothing was ever switched", async () => {
  const [light] = await aPlace(staff, "Yew Yard", ["Yew lamp"]);
  if (!light) throw new Error("The place has no light");
  const told = async (path: string) => wordsOf(await htmlOf(admin.page, server, path));
  expect(await told(`/areas/${light.area_id}`)).toContain("Nothing has been switched yet.");
  await exec(
    server,
    `UPDATE areas SET created_at = '2020-11-21T02:00:00.000Z' WHERE id = '${light.area_id}'
     UPDATE devices SET created_at = '2020-11-21T02:00:00.000Z' WHERE id = '${light.id}'`,
  );
  expect(await told(`/areas/${light.area_id}`)).toContain("Nothing was switched in the last 7 days.");
  expect(await told(`/devices/${light.id}`)).toContain("Nothing was switched in the last 90 days.");
});

test("what does not exist, or may not be seen, says so in a sentence", async () => {
  const answer = await admin.page.goto(`${server.url}/devices/no-such-device`);
  expect(answer?.status()).toBe(404);
  await admin.sees("This device does not exist, or you do not have access to it.");
  await admin.page.goto(`${server.url}/areas/no-such-area`);
  await admin.sees("This area does not exist, or you do not have access to it.");
  const employee = await visitAs(browser, server, "employee");
  await employee.page.goto(`${server.url}/devices/demo-light-viaduct-underpass`);
  await employee.sees("This device does not exist, or you do not have access to it.");
});

test("whoever chooses a department on the page of a light that it hides is told that it may hide it", async () => {
  const visit = await visitAs(browser, server, "admin");
  await visit.go("/devices/demo-light-viaduct-underpass");
  const department = visit.page.getByRole("banner").getByLabel("Department", { exact: true });
  await department.selectOption({ label: "Sports Fields" });
  await visit.sees("This device does not exist, you do not have access to it, or the chosen department hides it.");
  await department.selectOption({ label: "All Departments" });
  await visit.page.getByRole("heading", { level: 1, name: "Underpass" }).waitFor();
});

test.each([
  ["a new group", "area", "?add", "Name"],
  ["an area's toggle", "area", "?turn-off=area:ID", "Reason"],
  ["a light's toggle", "device", "?turn-off=ID", "Reason"],
])("the form of %s stays where what it is of is deleted elsewhere, and says so when it is sent", async (...row) => {
  const [, of, query, label] = row;
  const [light] = await aPlace(staff, `Short-lived ${row[0]}`, ["Short-lived lamp"]);
  const id = (of === "area" ? light?.area_id : light?.id) ?? "";
  const { page, ...alone } = await visitAs(browser, server, "admin");
  await alone.go(`/${of}s/${id}${query.replace("ID", id)}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(label).fill("Half-typed");
  if (query === "?add") await dialog.getByLabel("Short-lived lamp").check();
  const reloaded = page.waitForResponse((answer) => answer.url().includes(`/${id}.data`) && answer.status() === 404);
  await staff.call("DELETE", `/${of}s/${id}`);
  await reloaded;
  await expect.poll(alone.loading).toBe(0);
  expect(await dialog.getByLabel(label).inputValue()).toBe("Half-typed");
  await dialog.locator("button:not([type])").last().click();
  await dialog.getByText(/not found$/).waitFor();
  expect(await dialog.getByLabel(label).inputValue()).toBe("Half-typed");
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await alone.sees(of === "area" ? "Area not found" : "Device not found");
});

test("a page whose parts cannot be loaded says so, and keeps its heading", async () => {
  await without(server, "workorders", async () => {
    await admin.page.goto(`${server.url}/devices/${lamp.id}`);
    await admin.sees("Failed to fetch devices");
    await admin.page.getByRole("heading", { level: 1, name: "Quince lamp" }).waitFor();
  });
});

test("in the demo one lamp does not answer, and an auditor is told why the buttons are grey", async () => {
  await admin.go("/devices/demo-light-viaduct-bike-counter");
  await admin.press("Turn on Bike counter");
  await admin.sees("Failed to turn on device");
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.go("/devices/demo-light-alder-clubhouse");
  await auditor.sees("You may look at this department's lights, not switch them.");
  expect(await auditor.page.getByRole("button", { name: "Turn off Clubhouse" }).isDisabled()).toBe(true);
});

test("the dashboard's 'All off…' asks an auditor nothing about lights that they may not switch", async () => {
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.go("/dashboard");
  await auditor.page.getByRole("group", { name: "Alder Field" }).getByRole("link", { name: "All off…" }).click();
  const off = auditor.page.getByRole("button", { name: "All off…", exact: true, includeHidden: true });
  await off.waitFor();
  await arrived(auditor, "area-switch");
  await hydrated(auditor.page);
  expect(await auditor.page.getByRole("dialog").count()).toBe(0);
  expect(await off.getAttribute("aria-disabled")).toBe("true");
  expect(await off.getAttribute("title")).toBe("You may look at these lights, not switch them.");
});

test("signing in leads back to the page that was wanted", async () => {
  const stranger = await aVisit(browser, server);
  await stranger.go(`/devices/${lamp.id}`);
  expect(new URL(stranger.page.url()).pathname).toBe("/login");
  await stranger.page.getByLabel("Email").fill("manager@parks.example");
  await stranger.page.getByLabel("Password").fill("lamplighter-demo");
  await stranger.press("Sign In");
  await stranger.page.waitForURL(`**/devices/${lamp.id}`);
});

test("without JavaScript a light's page is whole, and switches", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await signIn(context, server, "manager@parks.example");
  const page = await context.newPage();
  await page.goto(`${server.url}/devices/${lamp.id}`);
  await page.getByRole("heading", { name: "Next windows" }).waitFor();
  await page.getByRole("button", { name: "Turn on Quince lamp" }).click();
  await page.getByText("Device turned on successfully").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/devices/${lamp.id}`);
  await page.goto(`${server.url}/areas/${lamp.area_id}`);
  await page.getByRole("button", { name: "Turn off Quince lamp" }).click();
  await page.getByText("Device turned off successfully").waitFor();
});

test("code that cannot be fetched is told, takes nothing else off the screen, and is fetched the next time", async () => {
  const { page, go, press, sees } = await visitAs(browser, server, "admin");
  const abort = (route: Route) => route.abort();
  await page.route("**/assets/{schedule-dialog,device-aside}-*", abort);
  await go("/schedules?q=first+game");
  await press("New Schedule");
  await sees("A part of this page could not be loaded. Load the page again.");
  await expect.poll(() => new URL(page.url()).search).toBe("?q=first+game");
  expect(await page.getByRole("article", { name: "First game" }).count()).toBe(1);
  await page.unroute("**/assets/{schedule-dialog,device-aside}-*", abort);
  await press("New Schedule");
  await page.getByRole("dialog").getByLabel("Title").waitFor();

  await page.route("**/assets/device-aside-*", abort);
  await go(`/devices/${lamp.id}`);
  await page.getByText("A part of this page could not be loaded. Load the page again", { exact: true }).waitFor();
  await page.getByRole("article", { name: "Now" }).waitFor();
  await page.unroute("**/assets/device-aside-*", abort);
  await press("Load the page again");
  await sees("Quince Yard hub", part("Hub", page));
});

function part(name: string, page = admin.page) {
  return page.getByRole("article", { name, exact: true });
}
