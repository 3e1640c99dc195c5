import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { setFaults } from "#tests/support/faults";
import { seen } from "#tests/support/seen";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { exec, htmlFor, htmlOf, meanwhile, visitAs, without, wordsOf, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let api: Staff;
let admin: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  api = await signedInAs(server, "admin");
  await withoutNight(api);
  const [lamp] = await aPlace(api, "Past Park", ["Past lamp", "Silent lamp"]);
  await api.call("POST", `/devices/${lamp?.id}/toggle`, { action: "on" });
  await setFaults(server, { "lamp:dead": [{ kind: "offline" }] });
  await book("Dead lamp", "dead");
  await book("Booked lamp", "alive");
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("a device's event tells what was done, where, by which way and with what answer", async () => {
  await admin.go("/history");
  const event = admin.page.getByRole("listitem").filter({ hasText: "Past lamp" }).first();
  const text = await event.innerText();
  for (const word of ["ON", "success", "Past Park", "Past Park hub", "mock"]) expect(text).toContain(word);
  expect(text).toMatch(/[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M/);
  await admin.sees("Activity Logs");
});

test("an event of a schedule names it; a failure says what was answered", async () => {
  const happened = async () => {
    const { data } = await api.call("GET", "/history/events");
    return data.map(({ device_name }: { device_name: string }) => device_name);
  };
  await expect.poll(happened).toEqual(expect.arrayContaining(["Booked lamp", "Dead lamp"]));
  await admin.reload();
  for (const [lamp, ...words] of [
    ["Booked lamp", "ON", "success", "Night market", "mock", "mock: state on", "HTTP 200"],
    ["Dead lamp", "ON", "failure", "Night market", "mock", "mock: not reachable"],
  ] as const) {
    const event = admin.page.getByRole("listitem").filter({ hasText: lamp }).first();
    for (const word of words) await admin.sees(word, event);
  }
});

test("filters are in the address, so that a view can be linked and the back button undoes them", async () => {
  const area = admin.page.getByLabel("Area", { exact: true });
  const device = admin.page.getByLabel("Device", { exact: true });
  expect(await area.locator("option").first().innerText()).toBe("All Areas");
  expect(await device.locator("option").first().innerText()).toBe("All Devices");
  seen("All Areas");
  seen("All Devices");
  await area.selectOption("Past Park");
  await admin.page.waitForURL(/\?area=/);
  const choices = () => device.locator("option").allInnerTexts();
  await expect.poll(choices).toEqual(["All Devices", "Past lamp", "Silent lamp"]);
  await device.selectOption("Silent lamp");
  await admin.sees("No Events Found");

  await admin.reload();
  await admin.sees("No Events Found");
  await admin.page.goBack();
  await admin.page.getByRole("listitem").filter({ hasText: "Past lamp" }).first().waitFor();
  await admin.press("Clear Filters");
  await admin.page.waitForURL(/\/history$/);
  await expect.poll(() => area.inputValue()).toBe("");
});

test("where the light that the list is narrowed to is deleted, its filter does not say that all are shown", async () => {
  const [lamp] = await aPlace(api, "Gone Park", ["Gone lamp"]);
  await api.call("POST", `/devices/${lamp?.id}/toggle`, { action: "on" });
  await admin.go(`/history?area=${lamp?.area_id}&device=${lamp?.id}`);
  const chosen = (label: string) => admin.page.getByLabel(label, { exact: true }).locator("option:checked");
  await expect.poll(() => chosen("Device").innerText()).toBe("Gone lamp");
  await api.call("DELETE", `/areas/${lamp?.area_id}`);
  await admin.reload();
  await admin.page.getByRole("listitem").filter({ hasText: "Gone lamp" }).first().waitFor();
  await expect.poll(() => chosen("Area").innerText()).toBe("Unknown Area");
  await expect.poll(() => chosen("Device").innerText()).toBe("Unknown Device");

  await admin.page.getByLabel("Area", { exact: true }).selectOption("All Areas");
  await admin.page.waitForURL((url) => !url.searchParams.get("area"));
  await admin.page.getByLabel("Device", { exact: true }).selectOption("All Devices");
  await admin.page.getByRole("listitem").filter({ hasText: "Past lamp" }).first().waitFor();
});

test("a day is typed digit by digit, and the back button takes it out again", async () => {
  await admin.go("/history");
  const from = admin.page.getByLabel("From", { exact: true });
  await admin.page.locator("summary", { hasText: "Filter" }).click();
  await from.focus();
  await admin.page.keyboard.type("01022026", { delay: 30 });
  await admin.page.waitForURL(/\/history\?from=2026-01-02$/);
  expect(await from.evaluate((field) => field === document.activeElement)).toBe(true);
  // The address is there before the page that follows it.
  await admin.page.locator("summary", { hasText: "in use" }).waitFor();
  await admin.page.goBack();
  await admin.page.waitForURL(/\/history$/);
  await expect.poll(() => from.inputValue()).toBe("");
});

test("a day of months ago comes from the archive, with the same filters, and says so", async () => {
  const day = new Date(Date.now() - 120 * 86_400_000).toISOString().slice(0, 10);
  await server.query(
    `INSERT INTO device_events (id, org_id, created_at, device_name, area_name, action, result) VALUES
     ('old-1', 'demo-parks', ?1 || 'T20:00:00.000Z', 'Old lamp', 'Past Park', 'on', 'success'),
     ('old-2', 'demo-parks', ?1 || 'T20:01:00.000Z', 'Older lamp', 'Past Park', 'off', 'failure')`,
    day,
  );
  await server.ring("17 11 * * *");
  expect(await server.query("SELECT id FROM device_events WHERE id LIKE 'old-%'")).toEqual([]);
  const all = wordsOf(await htmlOf(admin.page, server, `/history?from=${day}&to=${day}`));
  expect(all).toContain("Old lamp");
  expect(all).toMatch(/ Entries from before [A-Z][a-z]{2} \d+, \d{4} come from the archive\. /);
  const failed = wordsOf(await htmlOf(admin.page, server, `/history?from=${day}&to=${day}&result=failure`));
  expect(failed).toContain("Older lamp");
  expect(failed).not.toContain("Old lamp");
});

test("the activity logs tell who changed what, details as formatted JSON", async () => {
  await admin.go("/history");
  await admin.page.getByRole("link", { name: "Activity Logs" }).click();
  await admin.page.waitForURL(/tab=logs/);
  const log = admin.page.getByRole("listitem").filter({ hasText: '"name": "Past Park"' }).first();
  await log.waitFor();
  expect(await log.innerText()).toMatch(/admin@parks\.example\s+admin\s+create\s+area/);
  expect(await log.locator("pre").innerText()).toContain('{\n  "after": {\n');
});

test("what nobody did, the system did; and without any log there is a word for it", async () => {
  await meanwhile(
    server,
    `ALTER TABLE audit_logs RENAME TO audit_logs_away
     CREATE TABLE audit_logs AS SELECT * FROM audit_logs_away LIMIT 1
     UPDATE audit_logs SET actor_email = NULL, actor_role = NULL, org_id = 'demo-parks'`,
    async () => {
      await admin.reload();
      await admin.sees("System");
    },
    "DELETE FROM audit_logs",
  );
  await meanwhile(
    server,
    "DELETE FROM audit_logs",
    async () => {
      await admin.reload();
      await admin.sees("No Activity Logs Found");
    },
    `DROP TABLE audit_logs
     ALTER TABLE audit_logs_away RENAME TO audit_logs`,
  );
});

test("a device whose name the log does not know is unknown", async () => {
  await meanwhile(
    server,
    "UPDATE device_events SET device_name = NULL",
    async () => {
      expect(wordsOf(await htmlOf(admin.page, server, "/history"))).toContain(" Unknown Device ");
      seen("Unknown Device");
    },
    "UPDATE device_events SET device_name = 'Forgotten lamp'",
  );
});

test.each(["manager", "employee"] as const)("a %s has the events, and no activity logs", async (name) => {
  const [events, logs] = await htmlFor(browser, server, name, "/history", "/history?tab=logs");
  expect(events).toContain("Device Events");
  seen("Device Events");
  expect(events).not.toContain("Activity Logs");
  expect(logs).toContain("Admin Access Required");
  seen("Admin Access Required");
});

test("what fails is told", async () => {
  await without(server, "device_events", async () => {
    await admin.go("/history");
    await admin.sees("Failed to fetch event history");
  });
  await without(server, "audit_logs", async () => {
    await admin.go("/history?tab=logs");
    await admin.sees("Failed to fetch audit logs");
  });
});

/** A lamp that is to be on from now, for an hour. */
async function book(name: string, cloud_device_id: string) {
  const { data: areas } = await api.call("GET", "/areas");
  const { id: area_id } = areas.find((area: { name: string }) => area.name === "Civic Plaza");
  const { data: device } = await api.call("POST", "/devices", { name, area_id, cloud_device_id });
  const [start_at, end_at] = [Date.now(), Date.now() + 3_600_000].map((at) => new Date(at).toISOString());
  const booking = { title: "Night market", area_id, device_id: device.id, start_at, end_at, rrule: null };
  await api.call("POST", "/schedules", booking);
}

test("a large city's devices are chosen by their area, on every screen that has a select of them", async () => {
  await exec(
    server,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501) INSERT INTO devices (id, org_id, area_id, name) SELECT 'x' || i, org_id, id, printf('Crowd %03d', i) FROM n, (SELECT org_id, id FROM areas WHERE name = 'Past Park')`,
  );
  const options = (label: string) => admin.page.getByLabel(label, { exact: true }).locator("option").allInnerTexts();
  const area = admin.page.getByLabel("Area", { exact: true });
  for (const [path, label] of [
    ["/history", "Device"],
    ["/connectivity", "Device"],
    ["/workorders?new", "Device"],
  ] as const) {
    await admin.go(path);
    await expect.poll(async () => (await area.locator("option").allInnerTexts()).includes("Past Park")).toBe(true);
    expect((await options(label)).length).toBeLessThan(3);
    await area.selectOption({ label: "Past Park" });
    await expect.poll(async () => (await options(label)).some((text) => text.startsWith("Past lamp"))).toBe(true);
    expect((await options(label)).some((text) => text.startsWith("Booked lamp"))).toBe(false);
  }
});
