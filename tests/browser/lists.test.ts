import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { setFaults } from "#tests/support/faults";
import { aServer, type Server } from "#tests/support/server";
import { INPUTS, LISTED } from "#tests/support/listed-fields";
import { signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { cardIn, exec, hide, htmlOf, visitAs, wordsOf, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let api: Staff;
let admin: Visit;

/** A walk of lights that fills more than a page, three lights on a quay of which one is dead, and plans for all three. */
beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  api = await signedInAs(server, "admin");
  await withoutNight(api);
  // It would read what the lights are, and so end what is set here.
  await api.call("POST", "/admin/settings/guardrails", { WATCHDOG_ENABLED: false });
  await server.batch(
    [
      "INSERT INTO areas (id, org_id, name, type) VALUES ('walk', 'demo-parks', 'Long Walk', 'path'), ('quay', 'demo-parks', 'Quay', 'river')",
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70)
         INSERT INTO devices (id, org_id, area_id, name, current_state)
         SELECT 'walk-' || i, 'demo-parks', 'walk', printf('Walk lamp %02d', i), iif(i % 2, 'off', 'unknown') FROM n`,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
         INSERT INTO devices (id, org_id, area_id, name, cloud_device_id)
         SELECT 'quay-' || i, 'demo-parks', 'quay', 'Quay lamp ' || i, iif(i = 2, 'dead', NULL) FROM n`,
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, last_end_at, timezone)
         SELECT 'plan-' || id, 'demo-parks', id, name || ' plan', '2035-01-01T02:00:00.000Z', '2035-01-01T03:00:00.000Z',
         '2035-01-01T03:00:00.000Z', 'UTC' FROM devices WHERE area_id = 'quay'`,
    ].map((statement) => [statement]),
  );
  await setFaults(server, {
    "lamp:dead": [{ kind: "offline" }],
  });
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const names = () => admin.page.getByRole("heading", { level: 2 }).allInnerTexts();
const address = () => new URL(admin.page.url()).search;

test("searched, narrowed, ordered and paged, a view is in the address, and the back button undoes each step", async () => {
  await admin.go("/devices");
  await admin.page.getByRole("searchbox", { name: "Search devices" }).pressSequentially("walk lamp", { delay: 20 });
  // Half of the words finds as many.
  await expect.poll(address).toBe("?q=walk+lamp");
  await admin.sees("70 of 122");
  await admin.sees("Page 1 of 2 (70)");

  await admin.page.locator("summary").click();
  await admin.page.getByLabel("State").selectOption("Off");
  await admin.sees("35 of 122");
  await admin.page.getByLabel("Sort by").selectOption("Last update");
  await admin.page.waitForURL(/sort=updated/);
  await admin.page.keyboard.press("Escape");
  await admin.page.getByLabel("State").waitFor({ state: "hidden" });

  await admin.page.goBack();
  await admin.page.goBack();
  await admin.sees("70 of 122");
  await admin.page.getByRole("link", { name: "Next" }).click();
  await admin.sees("Page 2 of 2 (70)");
  expect(await names()).toEqual(Array.from({ length: 10 }, (_, n) => `Walk lamp ${61 + n}`));
  await admin.reload();
  await admin.sees("Page 2 of 2 (70)");

  await admin.page.getByRole("link", { name: "Show all" }).click();
  await admin.page.waitForURL(/\/devices\?$|\/devices$/);
  await expect.poll(() => admin.page.getByRole("searchbox").inputValue()).toBe("");
});

test("what is typed into the search stays where no answer comes, and is searched for when the server answers again", async () => {
  const visit = await visitAs(browser, server, "admin");
  const { page, go } = visit;
  await go("/devices");
  const search = page.getByRole("searchbox");
  let asked = 0;
  let isCut = true;
  await page.route(/\.data|\/alive/, (route) => {
    asked += 1;
    return isCut ? route.abort() : route.fallback();
  });
  await search.pressSequentially("alder");
  await expect.poll(() => asked).toBeGreaterThan(0);
  const retry = page.getByRole("button", { name: "Retry", exact: true });
  await retry.waitFor();
  // Or the page would find the server by itself before it is asked to.
  await hide(visit);
  // What it asks already has failed, too, once the next question has.
  await page.evaluate(() => fetch("/api/alive").catch(() => null));
  isCut = false;
  await retry.click();
  await page.waitForURL(/\?q=alder$/);
  expect(await search.inputValue()).toBe("alder");
});

test("a filter by area loads them when it is opened; while they cannot be had it says so and keeps the chosen one", async () => {
  const { page } = admin;
  await admin.go("/devices?area=quay");
  await admin.sees("3 of 122");
  expect(await page.content()).not.toContain("Long Walk");
  const area = page.getByLabel("Area", { exact: true });
  const options = area.locator("option");
  await page.route("**/choices?*", (route) => route.abort());
  await page.locator("summary").click();
  await expect.poll(() => options.allInnerTexts()).toEqual(["All areas", "Quay", "Areas could not be loaded"]);
  expect(await area.inputValue()).toBe("quay");
  await page.unroute("**/choices?*");
  await expect.poll(() => options.allInnerTexts()).toContain("Long Walk"); // asked again by itself
  expect(await area.inputValue()).toBe("quay");
  await area.selectOption("Long Walk");
  await admin.sees("70 of 122");
  expect(await area.inputValue()).toBe("walk");
  await page.keyboard.press("Escape");
});

test("a link leads to the view, and what leaves nothing says so", async () => {
  await admin.go("/devices?area=quay&type=river&sort=state");
  await expect.poll(names).toEqual(["Quay lamp 1", "Quay lamp 2", "Quay lamp 3"]);
  await exec(server, "UPDATE devices SET problem = 'still off, 3 tries' WHERE id = 'quay-3'");
  await admin.go("/devices?area=quay");
  const wrongFirst = admin.page.getByRole("link", { name: /^Wrong first/ });
  await wrongFirst.click();
  await expect.poll(names).toEqual(["Quay lamp 3", "Quay lamp 1", "Quay lamp 2"]);
  expect(address()).toBe("?area=quay&sort=state");
  expect(await wrongFirst.getAttribute("aria-current")).toBe("true");
  await wrongFirst.click();
  await expect.poll(names).toEqual(["Quay lamp 1", "Quay lamp 2", "Quay lamp 3"]);
  await exec(server, "UPDATE devices SET problem = NULL");
  for (const path of ["/devices?area=quay&type=field", "/schedules?area=quay&status=canceled"])
    expect(await htmlOf(admin.page, server, path)).toContain("Nothing matches your search");
});

test("without script the same form narrows the list", async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await admin.page.context().storageState(),
  });
  const page = await context.newPage();
  await page.goto(`${server.url}/devices`);
  await page.locator("summary").click();
  await page.getByLabel("Area", { exact: true }).selectOption("Quay");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("3 of 122").waitFor();
  expect(await page.getByRole("heading", { level: 2 }).allInnerTexts()).toHaveLength(3);
  await context.close();
});

test("a short list has no tools in its way", async () => {
  expect(await htmlOf(admin.page, server, "/hubs")).toContain('type="search"');
  await exec(server, "DELETE FROM hubs WHERE rowid > 3");
  const html = await htmlOf(admin.page, server, "/hubs");
  expect(html.match(/<article /g)).toHaveLength(3);
  expect(html).not.toContain('type="search"');
});

test("a search that a link has brought to a short list stays under the hands that empty it", async () => {
  await admin.go("/hubs");
  await expect.poll(async () => (await names()).length).toBe(3);
  const [first = ""] = await names();
  await admin.go(`/hubs?${new URLSearchParams({ q: first })}`);
  const search = admin.page.getByRole("searchbox");
  await search.fill("");
  await expect.poll(address).toBe("");
  await expect.poll(async () => (await names()).length).toBe(3);
  await admin.page.keyboard.type(first);
  await expect.poll(() => new URLSearchParams(address()).get("q")).toBe(first);
});

test("many lights are switched at once; what fails is told with its reason, and stays chosen", async () => {
  await admin.go("/devices?area=quay");
  await admin.press("Select");
  const bar = admin.page.getByRole("region", { name: "Selection" });
  expect(await bar.getByRole("button", { name: "Turn on" }).isDisabled()).toBe(true);
  await admin.press("All on this page");
  await admin.sees("3 selected");
  await admin.press("Turn on");
  await admin.sees("2 turned on, 1 failed");
  expect(await bar.getByRole("listitem").allInnerTexts()).toEqual([expect.stringMatching(/^Quay lamp 2: \w+/)]);
  await admin.sees("1 selected");
  expect(await admin.page.getByLabel("Select Quay lamp 2").isChecked()).toBe(true);
  const states = () => admin.page.getByRole("article").evaluateAll((cards) => cards.map((card) => card.dataset.state));
  await expect.poll(states).toEqual(["on", expect.not.stringMatching("on"), "on"]);
  const logs = (await api.call("GET", "/admin/audit-logs")).data;
  expect(logs.filter(({ action }: { action: string }) => action === "toggle")).toHaveLength(3);
});

test("many schedules are canceled at once, after a question", async () => {
  await admin.go("/schedules?area=quay");
  await admin.press("Select");
  await admin.press("All on this page");
  await admin.page.getByLabel("Select Quay lamp 3 plan").uncheck();
  await admin.press("Cancel schedules");
  await admin.sees("Cancel 2 Schedules");
  await admin.press("Keep schedules");
  expect(await openOnQuay()).toHaveLength(3);

  // Somebody else is quicker with one of them, and this screen has not heard of it yet.
  await hide(admin);
  await api.call("PUT", "/schedules/plan-quay-1/cancel", {});
  await admin.press("Cancel schedules");
  await admin.sees("Cancel 2 Schedules");
  await admin.press("Cancel schedules");
  await admin.sees("1 canceled, 1 failed");
  await hide(admin, false);
  await admin.sees("This schedule is already canceled and can't be canceled");
  expect(await openOnQuay()).toEqual(["plan-quay-3"]);
});

test("a log is taken along as it is narrowed", async () => {
  // A switch is in the log once it is verified.
  const logged = async () => (await api.call("GET", "/history/events?area_id=quay")).data.map(Object.values).join();
  await expect.poll(logged).toMatch(/Quay lamp 1.*Quay lamp 3|Quay lamp 3.*Quay lamp 1/);
  await admin.go("/history?area=quay&result=success");
  const [download] = await Promise.all([
    admin.page.waitForEvent("download"),
    admin.page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^history-\d{4}-\d\d-\d\d\.csv$/);
  const [header, ...lines] = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(header).toMatch(/^\uFEFF"Time \(UTC\)","Time \(America\/Los_Angeles\)","Device",/);
  expect(
    lines
      .filter(Boolean)
      .map((line) => line.split(",")[2])
      .toSorted(),
  ).toEqual(['"Quay lamp 1"', '"Quay lamp 3"']);
});

test("when many are turned off together, it is told which go on again and when", async () => {
  await admin.go("/devices?area=quay");
  await admin.press("Select");
  await admin.page.getByLabel("Select Quay lamp 1").check();
  await admin.page.getByLabel("Select Quay lamp 3").check();
  await admin.press("Turn off");
  await admin.sees("2 turned off");
  await admin.sees(/^(2 go on again|1 goes on again|Nothing lights them again)/);
});

async function openOnQuay(): Promise<string[]> {
  const { data }: { data: { id: string; area_id: string; status: string }[] } = await api.call("GET", "/schedules");
  return data.filter(({ area_id, status }) => area_id === "quay" && status === "scheduled").map(({ id }) => id);
}

test("a card shows each field that its list says it shows", async () => {
  const { data: area } = await api.call("POST", "/areas", INPUTS.areas);
  const { data: hub } = await api.call("POST", "/hubs", { ...INPUTS.hubs, area_id: area.id });
  const { data: lamp } = await api.call("POST", "/devices", { ...INPUTS.devices, area_id: area.id, hub_id: hub.id });
  const place = { area_id: area.id, device_id: lamp.id };
  const { data: plan } = await api.call("POST", "/schedules", { ...INPUTS.schedules, ...place });
  const { data: order } = await api.call("POST", "/workorders", { ...INPUTS.workorders, ...place });
  const records = { areas: area, hubs: hub, devices: lamp, schedules: plan, workorders: order };
  const wrong: string[] = [];
  for (const [list, fields] of Object.entries(LISTED)) {
    const record = new Map<string, unknown>(Object.entries(Object(records)[list]));
    const name = String(record.get("name") ?? record.get("title"));
    const card = wordsOf(cardIn(await htmlOf(admin.page, server, `/${list}?q=${name}`), name));
    for (const [field, listed] of Object.entries(fields)) {
      const value = record.get(field);
      const isRight = listed?.shown ? new RegExp(listed.shown).test(card) : !card.includes(String(value));
      if (!isRight && (listed?.shown || typeof value === "string")) wrong.push(`${list}: ${field}`);
    }
  }
  expect(wrong).toEqual([]);
});
