import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { complaintsOf } from "#tests/support/complaints";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight } from "#tests/support/staff";
import { exec, holdLateCode, htmlOf, signIn, visitAs, wordsOf, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;
let area_id: string;
let lamps: { id: string; name: string }[];

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await exec(server, "DELETE FROM areas"); // the demo's dead hub and lamp would make alarms of their own
  const staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const made = await aPlace(staff, "Bell Park", ["Bell gate", "Bell pond"]);
  lamps = made;
  area_id = made[0]?.area_id ?? "";
  admin = await visitAs(browser, server, "admin");
  // The object has begun, and ends no alarm that it does not know any more.
  await admin.go(`/areas/${area_id}`);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

/** An alarm of a lamp, as the engine writes it. */
async function alarm(name: string): Promise<string> {
  const lamp = lamps.find((each) => each.name === name);
  const id = `bell:${name}`;
  await server.query(
    `INSERT OR REPLACE INTO alarms (id, org_id, kind, device_id, device_name, area_id, area_name, what, why, opened_at, seq)
     SELECT ?, org_id, 'device_failed', id, name, area_id, 'Bell Park', 'Dark', 'still off after 3 tries',
       strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 minute'), 1 FROM devices WHERE id = ?`,
    id,
    lamp?.id ?? "",
  );
  return id;
}

const row = (name: string) => admin.page.getByRole("article", { name: new RegExp(`^${name}: Dark since `) });
const tab = (name: RegExp) => admin.page.getByRole("navigation", { name: "Alarms" }).getByRole("link", { name });

test("an area without an alarm says so", async () => {
  const words = wordsOf(await htmlOf(admin.page, server, `/alarms?area=${area_id}`));
  for (const told of ["No alarm is open", "The engine reports nothing wrong there now.", "Open (0)"])
    expect(words).toContain(told);
});

test("the alarms are narrowed to an area by the filter, and the address holds it", async () => {
  await admin.go("/alarms?tab=over");
  await admin.page.locator("summary", { hasText: "Filter" }).click();
  await admin.page.getByLabel("Area").selectOption("Bell Park");
  await admin.page.getByText("Only those of Bell Park.").waitFor();
  const search = new URL(admin.page.url()).searchParams;
  expect([search.get("tab"), search.get("area")]).toEqual(["over", area_id]);
  // The way out keeps the tab.
  await admin.page.getByRole("link", { name: "Show all" }).click();
  await admin.page.waitForURL("**/alarms?tab=over");
});

test("700 and 1280 px wide the filter opens beside the sidebar and within the window", async () => {
  await admin.go("/alarms");
  const filter = admin.page.locator("summary", { hasText: "Filter" });
  const left = async (part: Locator) => (await part.boundingBox())?.x ?? -1;
  for (const width of [700, 1280]) {
    await admin.page.setViewportSize({ width, height: 800 });
    await filter.click();
    expect(await left(admin.page.getByLabel("Area"))).toBeGreaterThan(await left(admin.page.getByRole("main")));
    await filter.click();
    await admin.page.getByLabel("Area").waitFor({ state: "hidden" });
  }
});

test("an alarm is acknowledged with one press, and the sidebar counts one less", async () => {
  await alarm("Bell gate");
  await alarm("Bell pond");
  await admin.go(`/alarms?area=${area_id}`);
  expect(await row("Bell gate").innerText()).toMatch(/Dark since .*: still off after 3 tries/);
  const entry = admin.page.getByLabel("Sidebar").getByRole("link", { name: /^Alarms/ });
  const before = Number((await entry.innerText()).replace(/\D/g, ""));
  await admin.press("Acknowledge: Bell gate");
  await admin.sees("Alarm acknowledged");
  await expect.poll(async () => Number((await entry.innerText()).replace(/\D/g, ""))).toBe(before - 1);
  await tab(/^Acknowledged/).click();
  await row("Bell gate").waitFor();
  expect(await row("Bell gate").innerText()).toContain("Acknowledged by admin@parks.example");
});

test("all alarms of a list are acknowledged at once after a question, but for what came after it was asked", async () => {
  await alarm("Bell gate");
  await server.query("UPDATE alarms SET over_at = opened_at WHERE id <> 'bell:Bell gate'");
  await admin.go(`/alarms?area=${area_id}`);
  await row("Bell gate").waitFor();
  // A single one has its own button.
  expect(await admin.page.getByRole("button", { name: "Acknowledge all..." }).count()).toBe(0);
  await alarm("Bell pond");
  await admin.go(`/alarms?area=${area_id}`);
  await admin.press("Acknowledge all...");
  const dialog = admin.page.getByRole("alertdialog", { name: "Acknowledge 2 alarms of Bell Park?" });
  await dialog.waitFor();
  expect(await barriersInBoth(admin.page)).toEqual([]);
  await server.query("UPDATE alarms SET seq = 2, why = 'still off after 9 tries' WHERE id = 'bell:Bell pond'");
  await dialog.getByRole("button", { name: "Acknowledge all" }).click();
  await admin.sees("1 alarm acknowledged");
  await expect.poll(() => tab(/^Open/).innerText()).toBe("Open (1)");
  expect(await row("Bell pond").innerText()).toContain("still off after 9 tries");
});

test("a press is told, too, that is answered before the rest of the page's code has come", async () => {
  await alarm("Bell pond");
  const visit = await visitAs(browser, server, "admin");
  const { page, go, press, sees, loading } = visit;
  const letGo = await holdLateCode(visit);
  await go(`/alarms?area=${area_id}`);
  // The list has come that the alarm is no more in.
  const reloaded = page.waitForResponse((response) => response.url().includes(".data?"));
  await press("Acknowledge: Bell pond");
  await reloaded;
  await expect.poll(loading).toBe(0);
  letGo();
  await sees("Alarm acknowledged");
});

test("a list without open alarms says how many are acknowledged, not that all is well", async () => {
  for (const name of ["Bell gate", "Bell pond"]) {
    await server.query("UPDATE alarms SET acknowledged_at = opened_at WHERE id = ?", await alarm(name));
  }
  const told = async () => wordsOf(await htmlOf(admin.page, server, `/alarms?area=${area_id}`));
  expect(await told()).toMatch(/No alarm is open 2 are acknowledged, and not over yet\./);
  await server.query("UPDATE alarms SET over_at = opened_at WHERE id = ?", "bell:Bell gate");
  expect(await told()).toMatch(/No alarm is open One is acknowledged, and not over yet\./);
});

test("an alarm is given to somebody, and taken back", async () => {
  await alarm("Bell pond");
  await admin.go(`/alarms?area=${area_id}`);
  await admin.press("Assign: Bell pond");
  const field = admin.page.getByRole("dialog").getByLabel("Assignee");
  await field.selectOption({ label: "manager@parks.example" });
  expect(await barriersInBoth(admin.page)).toEqual([]);
  await admin.press("Assign");
  await admin.sees("Alarm assigned");
  await admin.sees("Assigned to manager@parks.example");

  await admin.press("Assign: Bell pond");
  await field.selectOption({ label: "Nobody" });
  await admin.press("Assign");
  await admin.sees("Nobody has the alarm now");
  await expect.poll(() => admin.page.getByText("Assigned to manager@parks.example").count()).toBe(0);
});

test("a press on an alarm opens a work order with everything filled in, which is told when the alarm is over", async () => {
  const id = await alarm("Bell pond");
  await admin.go(`/alarms?area=${area_id}`);
  await admin.press("Make a work order: Bell pond");
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("Title").waitFor();
  expect(await dialog.getByLabel("Title").inputValue()).toBe("Repair Bell pond");
  expect(await dialog.getByLabel("Description").inputValue()).toMatch(/^Bell pond: Dark since .*tries\.\nBell Park/);
  await expect.poll(() => dialog.getByLabel("Device").locator("option:checked").innerText()).toBe("Bell pond");

  await admin.go(`/alarms?area=${area_id}`);
  const actions = row("Bell pond").locator(".button");
  const heights = await actions.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().height));
  expect(heights).toEqual([32, 32, 32]);
  await admin.page.getByRole("link", { name: "Work order", exact: true }).click();
  await dialog.getByLabel("Title").waitFor();

  await server.query("UPDATE alarms SET over_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?", id);
  await admin.go("/workorders?q=Bell+pond");
  await admin.sees(/^The alarm is over since /);
  await admin.go(`/alarms?area=${area_id}&tab=over`);
  await admin.sees(/^Dark from .* until .*: still off after 3 tries$/);
});

test("when an alarm was over is told by the server's clock, wherever the device's is", async () => {
  const { page, ...visit } = await visitAs(browser, server, "admin");
  await exec(
    server,
    `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, over_at, seq) VALUES ('elder', 'demo-parks', 'scheduler_late', 'Late', 'of a test', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 hour'), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 1)
     INSERT INTO workorders (id, org_id, title, alarm_id) VALUES ('elder', 'demo-parks', 'Elder order', 'elder')`,
  );
  const complaints = complaintsOf(page);
  await page.clock.install({ time: Date.now() + 26 * 3_600_000 });
  await visit.go("/workorders?q=Elder+order");
  await visit.sees(/^The alarm is over since \d+:\d\d [AP]M$/);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a light's page and its area's page show what is wrong", async () => {
  await alarm("Bell gate");
  const lamp = lamps.find(({ name }) => name === "Bell gate")?.id;
  for (const path of [`/devices/${lamp}`, `/areas/${area_id}`]) {
    const html = await htmlOf(admin.page, server, path);
    expect(html).toMatch(/<h2[^]*?Open alarms<\/h2>[^]*>Dark since [^<]*: still off after 3 tries</);
  }
});

test("an alarm is acknowledged and made a work order without JavaScript", async () => {
  await alarm("Bell gate");
  const context = await browser.newContext({ javaScriptEnabled: false });
  await signIn(context, server, "admin@parks.example");
  const page = await context.newPage();
  await page.goto(`${server.url}/alarms?area=${area_id}`);
  await page.getByRole("button", { name: "Acknowledge: Bell gate" }).click();
  await page.getByText("Alarm acknowledged").first().waitFor();
  await page.goto(`${server.url}/alarms?tab=acknowledged&area=${area_id}`);
  await page.getByRole("button", { name: "Make a work order: Bell gate" }).click();
  await page.getByLabel("Title").waitFor();
  expect(await page.getByLabel("Title").inputValue()).toBe("Repair Bell gate");
  await context.close();
});

test("a silent hub is told first, on a phone, too, with a link to the alarms of the lights behind it", async () => {
  for (const { name } of lamps) await alarm(name);
  await server.query(
    `INSERT OR REPLACE INTO hubs (id, org_id, area_id, name, status, last_seen)
     SELECT 'bell-hub', org_id, id, 'Bell hub', 'offline', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-21 minutes') FROM areas WHERE id = ?`,
    area_id,
  );
  await server.query(
    "UPDATE devices SET hub_id = 'bell-hub', problem = 'its hub is away since 5:39 PM' WHERE area_id = ?",
    area_id,
  );
  await server.query(
    `INSERT OR REPLACE INTO alarms (id, org_id, kind, hub_id, hub_name, area_id, area_name, what, why, opened_at, seq)
     SELECT 'bell:hub', org_id, 'hub_offline', id, name, area_id, 'Bell Park', 'Away', 'the hub does not answer',
       strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-20 minutes'), 1 FROM hubs WHERE id = 'bell-hub'`,
  );
  await admin.page.setViewportSize({ width: 1280, height: 844 });
  await admin.go(`/alarms?area=${area_id}`);
  const cards = admin.page.getByRole("list", { name: "Alarms", exact: true }).getByRole("article");
  await tab(/^Open \(3\)$/).waitFor();
  for (const width of [1280, 390]) {
    await admin.page.setViewportSize({ width, height: 844 });
    await admin.sees("and 2 alarms of lights behind it");
    expect(await cards.count()).toBe(1);
    expect(await barriersInBoth(admin.page)).toEqual([]);
    expect(await admin.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }

  await admin.page.getByRole("link", { name: "and 2 alarms of lights behind it" }).click();
  await admin.sees(/^Only those of lights behind Bell hub\./);
  for (const { name } of lamps) await row(name).waitFor();
  expect(await cards.count()).toBe(2);
  expect(await admin.page.getByRole("button", { name: "Acknowledge all..." }).count()).toBe(0);

  // Somebody has seen that the hub is away: its lights' alarms are nobody's still.
  await server.query(
    "UPDATE alarms SET acknowledged_at = opened_at, acknowledged_by = 'ana@city.example' WHERE id = 'bell:hub'",
  );
  await admin.go(`/alarms?area=${area_id}`);
  await admin.sees("Away for 21 min");
  await admin.sees("and 2 alarms of lights behind it");
  expect(await cards.count()).toBe(1);

  // It answers again: its lights are not well yet, which is told of them.
  await server.query("UPDATE hubs SET status = 'online' WHERE id = 'bell-hub'");
  await admin.go(`/alarms?area=${area_id}&hub=bell-hub`);
  await tab(/^Open \(2\)$/).waitFor();
  await admin.sees("No alarm here is told of the hub");
  expect(await admin.page.getByText("nothing wrong").count()).toBe(0);
  await admin.page.getByRole("paragraph").filter({ hasText: "behind a hub" }).getByRole("link").click();
  for (const { name } of lamps) await row(name).waitFor();
  expect(await cards.count()).toBe(2);
  await server.query("DELETE FROM alarms WHERE id = 'bell:hub'");
  await server.query("UPDATE devices SET hub_id = NULL, problem = NULL WHERE area_id = ?", area_id);
  await server.query("DELETE FROM hubs WHERE id = 'bell-hub'");
});

test("the list of alarms can be used without eyes, in light and dark, on a phone", async () => {
  await alarm("Bell gate");
  await admin.page.setViewportSize({ width: 390, height: 844 });
  await admin.go(`/alarms?area=${area_id}`);
  await row("Bell gate").waitFor();
  expect(await barriersInBoth(admin.page)).toEqual([]);
  const overflow = await admin.page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(overflow).toBe(0);
});
