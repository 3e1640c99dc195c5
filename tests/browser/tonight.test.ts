import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { fromLocalInput, toLocalInput } from "#domain/time/display";
import { dateAfter } from "#domain/time/date-after";
import { nightSpan } from "#domain/tonight/night-schema";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { withoutHubChecks } from "#tests/support/hub-checks";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { arrived, exec, htmlOf, RETRIES, visitAs, wordsOf, type Visit } from "#tests/support/visit";

/** The demo city's. */
const ZONE = "America/Los_Angeles";
const WINDOW_HOURS = 3;

let server: Server;
let browser: Browser;
let staff: Staff;
let manager: Visit;
let gate: { id: string; area_id: string };
let lawn: { id: string; area_id: string };
let pond: { id: string; area_id: string };

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  // A night of one other area: a whole city's would only be longer.
  await exec(server, "DELETE FROM devices WHERE org_id = 'demo-parks' AND area_id <> 'demo-area-linden'");
  await withoutHubChecks(server);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const [first, second, third] = await aPlace(staff, "Quill Park", ["Quill gate", "Quill lawn", "Quill pond"]);
  if (!first || !second || !third) throw new Error("The place has no devices");
  [gate, lawn, pond] = [first, second, third];
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  for (const [title, { id: device_id, area_id }] of [
    ["Gate evenings", gate],
    ["Lawn evenings", lawn],
  ] as const) {
    const window = { start_at: at(-1), end_at: at(WINDOW_HOURS - 1), rrule: "FREQ=DAILY", timezone: ZONE };
    await staff.call("POST", "/schedules", { title, area_id, device_id, ...window });
  }
  manager = await visitAs(browser, server, "manager");
  await manager.page.setViewportSize({ width: 1280, height: 900 });
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const bars = (light: string) =>
  manager.page.getByRole("button", { name: new RegExp(`^${light}: `) }).filter({ visible: true });
const panel = () => manager.page.locator("[aria-labelledby=bar-title]");
const area = () => manager.page.getByRole("button", { name: /^Quill Park \d/ });
const focused = () => manager.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");

/** Opens the chart with the park's lights; tonight the gate is on. */
async function openChart(path = "/tonight", light = "Quill gate") {
  await manager.go(path);
  await area().waitFor();
  if ((await area().getAttribute("aria-expanded")) === "false") await area().click();
  await bars(light).first().waitFor();
}

test("the chart is one tab stop; arrows lead to a bar, Enter opens why, and Escape leads back to it", async () => {
  await openChart();
  const { page } = manager;
  expect(await page.locator("[data-cell][tabindex='0']").count()).toBe(1);
  await area().focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => area().getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("ArrowRight");
  await bars("Quill gate").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect.poll(focused).toMatch(/^Quill gate: Gate evenings, .+ to .+, booked/);
  expect(await page.locator("[data-cell][tabindex='0']").count()).toBe(1);
  // What readings say at the end of its name may change while the panel is open.
  const bar = (await focused()).replace(/, booked.*/, "");
  await page.keyboard.press("Enter");
  await panel().getByRole("heading", { name: "Gate evenings" }).waitFor();
  await manager.sees("admin", panel());
  await manager.sees(/^Every day/, panel());
  expect(await barriersInBoth(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await panel().waitFor({ state: "detached" });
  await expect.poll(focused).toContain(bar);
});

test("beside the panel '/' opens the search; where the panel is a sheet over the chart, the focus goes back, too", async () => {
  const { page } = manager;
  await openChart();
  await bars("Quill gate").last().click();
  await panel().getByRole("heading", { name: "Gate evenings" }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: /^Search areas/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 1100, height: 900 });
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => panel().getByRole("button", { name: "Close" }).click(),
  ]) {
    await bars("Quill gate").last().click();
    await panel().getByRole("heading", { name: "Gate evenings" }).waitFor();
    await close();
    await panel().waitFor({ state: "detached" });
    await expect.poll(focused).toMatch(/^Quill gate: /);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("a light is held off from the panel, and its bar says by whom", async () => {
  await openChart();
  await bars("Quill lawn").last().click();
  await panel().getByRole("button", { name: "Off until…" }).click();
  await manager.press("Turn off Quill lawn");
  await manager.sees(/^Off until/);
  await expect
    .poll(() => manager.page.getByRole("button", { name: /^Quill lawn: Switched off by hand/ }).count())
    .toBeGreaterThan(0);
  await manager.page
    .getByRole("button", { name: /^Quill lawn: Switched off by hand/ })
    .first()
    .click();
  await manager.sees("manager", panel());
});

test("where no light may go on, the panel offers no ON with an end either, and says why", async () => {
  const { area_id } = gate;
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const closure = { target: { type: "area", id: area_id }, from: new Date().toISOString(), to, reason: "hail" };
  const { data: closed } = await staff.call("POST", "/closures", closure);
  await openChart();
  await bars("Quill gate").last().click();
  const describe = (name: string) =>
    panel()
      .getByRole("button", { name, exact: true })
      .evaluate((node) => {
        const words = document.getElementById(node.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
        return [node.getAttribute("aria-disabled"), /^Lights may not go on, closed until .*: hail\b/.test(words)];
      });
  await expect.poll(() => describe("On until…")).toEqual(["true", true]);
  expect(await describe("Off until…")).toEqual([null, false]);
  await staff.call("DELETE", `/closures/${closed.id}`);
  await expect.poll(() => describe("On until…")).toEqual([null, false]);
});

test("a night is skipped from the panel", async () => {
  await openChart();
  await bars("Quill gate").last().click();
  await panel().getByRole("button", { name: "Skip tonight…" }).click();
  await manager.page.getByRole("dialog", { name: "Skip a night" }).getByLabel("Reason").fill("star night");
  await manager.press("Skip");
  await manager.sees("Night skipped");
  await manager.press("Undo");
  await manager.sees("The night is back in the schedule");
});

test.each([1280, 1100])("%i px wide, whoever skips a night by keyboard is at its light again", async (width) => {
  const { page } = manager;
  const start = Date.now() + 3_600_000;
  const hours = { start_at: new Date(start).toISOString(), end_at: new Date(start + 3_600_000).toISOString() };
  const booking = { title: `Pond ${width}`, area_id: pond.area_id, device_id: pond.id, timezone: ZONE };
  const { data } = await staff.call("POST", "/schedules", { ...booking, ...hours, rrule: "FREQ=DAILY" });
  await page.setViewportSize({ width, height: 900 });
  // Before noon what begins in an hour may be of the next night.
  const night = toLocalInput(nightSpan(undefined, ZONE, start)?.from ?? start, ZONE).date;
  await openChart(`/tonight?date=${night}`, "Quill pond");
  const bar = page.getByRole("button", { name: new RegExp(`Pond ${width}`) }).filter({ visible: true });
  await bar.press("Enter");
  await panel()
    .getByRole("button", { name: /^Skip / })
    .press("Enter");
  await page.getByRole("dialog", { name: "Skip a night" }).getByLabel("Reason").press("Enter");
  await manager.sees("Night skipped");
  await panel().waitFor({ state: "detached" });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("li")?.innerText))
    .toContain("Quill pond");
  await staff.call("PUT", `/schedules/${data.id}/cancel`);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test.each([
  ["code", 3, /never/],
  ["route", 4, /__manifest/],
])("a skip undone without a network before the schedules' %s has come is told", async (what, days, isBlocked) => {
  await manager.page.route(isBlocked, (route) => route.abort());
  onTestFinished(async () => {
    await manager.page.context().setOffline(false);
    await manager.page.unroute(isBlocked);
  });
  await openChart(`/tonight?date=${toLocalInput(Date.now() + days * 24 * 3_600_000, ZONE).date}`);
  await arrived(manager, "offline-bar");
  await bars("Quill gate").last().click();
  await panel().getByRole("button", { name: /^Skip/ }).click();
  await manager.page.getByRole("dialog", { name: "Skip a night" }).getByLabel("Reason").fill(`${what} night`);
  await manager.press("Skip");
  await manager.sees("Night skipped");
  await manager.page.context().setOffline(true);
  await manager.press("Undo");
  await manager.sees("Nothing was sent.");
  await area().waitFor();
});

test("of two bookings of a light that begin together and are both skipped, each bar opens its own", async () => {
  const { date } = toLocalInput(Date.now() + 24 * 3_600_000, ZONE);
  const at = (time: string) => new Date(fromLocalInput({ date, time }, ZONE) ?? 0).toISOString();
  for (const [title, end_at] of [
    ["Pond swimmers", at("20:00")],
    ["Pond rowers", at("21:00")],
  ] as const) {
    const window = { start_at: at("18:00"), end_at, rrule: "FREQ=DAILY", timezone: ZONE };
    const booking = { title, area_id: pond.area_id, device_id: pond.id, ...window };
    const { data } = await staff.call("POST", "/schedules", booking);
    await staff.call("PUT", `/schedules/${data.id}/skip`, { date, reason: `no ${title}` });
  }
  await openChart(`/tonight?date=${date}`, "Quill pond");
  for (const title of ["Pond swimmers", "Pond rowers"]) {
    await bars("Quill pond")
      .and(manager.page.getByTitle(`Skipped: ${title}`))
      .press("Enter");
    await panel()
      .getByRole("heading", { name: `Skipped: ${title}` })
      .waitFor();
    await manager.sees(`Skipped: no ${title}`, panel());
    expect(await manager.page.locator("[data-why][aria-expanded=true]").count()).toBe(1);
  }
});

test("a schedule that cannot be had is not told to be gone, and its form says that it does not come", async () => {
  const { page } = manager;
  await openChart();
  let asked = 0;
  await page.route("**/schedules/*/record*", (route) => {
    asked += 1;
    return route.abort();
  });
  await bars("Quill gate").last().click();
  await expect.poll(() => asked, { timeout: 15_000 }).toBeGreaterThan(1);
  expect(await panel().getByText("no longer there").count()).toBe(0);
  await panel().getByRole("button", { name: "Skip tonight…" }).click();
  await manager.sees("Failed to load the schedule");
  await expect.poll(() => new URL(page.url()).searchParams.has("skip")).toBe(false);
  await page.unroute("**/schedules/*/record*");
  await manager.sees("Gate evenings", panel());
});

test("from another night's page that night is skipped, and not tonight, and no light is switched", async () => {
  await openChart();
  await bars("Quill gate").last().click();
  const button = (name: string) => panel().getByRole("button", { name });
  await button("Skip tonight…").waitFor();
  await button("On until…").waitFor();
  await manager.page.keyboard.press("Escape");
  await manager.page.locator("[data-night=next]").click();
  await manager.page.getByRole("heading", { level: 1, name: /^Night of / }).waitFor();
  await area().waitFor();
  if ((await area().getAttribute("aria-expanded")) === "false") await area().click();
  await bars("Quill gate").last().click();
  await button("Skip this night…").waitFor();
  // Both would switch the light at once.
  expect(await button("On until…").or(button("Off until…")).count()).toBe(0);
  await button("Skip this night…").click();
  const nights = manager.page.getByRole("dialog", { name: "Skip a night" }).getByLabel("Night");
  await nights.waitFor();
  // By the noons of the night on screen: a window after midnight has the next day's date, and one over noon is of two.
  const shown = nightSpan(new URL(manager.page.url()).searchParams.get("date") ?? undefined, ZONE, Date.now());
  if (!shown) throw new Error("The page shows no night");
  const offered = await nights
    .getByRole("option")
    .evaluateAll((all) => all.map((option) => Date.parse(option.getAttribute("value") ?? "")));
  expect(offered.length).toBeGreaterThan(0);
  const isOfAnother = (start: number) => !(start < shown.to && shown.from < start + WINDOW_HOURS * 3_600_000);
  expect(offered.filter(isOfAnother)).toEqual([]);
  await manager.page.keyboard.press("Escape");
});

test("the list is a table with everything that the chart shows, also without script", async () => {
  await manager.go("/tonight");
  await manager.page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "List" }).click();
  const table = manager.page.getByRole("table", { name: /^The night of / });
  await table.getByRole("rowheader", { name: "Quill lawn" }).waitFor();
  const columns = await table.getByRole("columnheader").allInnerTexts();
  expect(columns).toEqual(["Light", "From", "To", "Why", "What", "Who", "Verified", "Skip"]);
  await manager.sees("Lawn evenings", table);
  expect(await barriersInBoth(manager.page)).toEqual([]);

  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies(await manager.page.context().cookies());
  const plain = await context.newPage();
  await plain.goto(`${server.url}/tonight`);
  await plain.getByRole("table", { name: /^The night of / }).waitFor();
  await plain.getByRole("rowheader", { name: "Quill lawn" }).waitFor();
  await plain.getByRole("button", { name: "Skip Gate evenings for a night" }).first().click();
  await plain.getByRole("heading", { name: "Skip a night" }).waitFor();

  await plain.goto(`${server.url}/tonight`);
  for (const width of [360, 390]) {
    await plain.setViewportSize({ width, height: 800 });
    await plain.getByRole("link", { name: /^The night after/ }).click({ trial: true });
    await plain.getByRole("button", { name: "Refresh" }).click({ trial: true });
  }
  await context.close();
});

test("what is wrong now stands before the night, with what can be done; other nights have none", async () => {
  await exec(server, "UPDATE hubs SET status = 'offline' WHERE name = 'Quill Park hub'");
  await manager.go("/tonight");
  const wrong = manager.page.getByRole("region", { name: "Needs attention" });
  await wrong.waitFor();
  expect(await wrong.getByRole("listitem").count()).toBeLessThanOrEqual(4);
  await wrong.getByRole("button", { name: "Ping hub: Quill Park hub" }).click();
  await manager.sees(/^Hub Quill Park hub is online \(\d+ms\)$/);
  await manager.page.locator("[data-night=next]").click();
  await manager.page.getByRole("heading", { level: 1, name: /^Night of / }).waitFor();
  await expect.poll(() => wrong.count()).toBe(0);
});

test("an area that has opened by itself stays open when its light is well again", async () => {
  await exec(
    server,
    `UPDATE devices SET problem = 'still off, 3 tries', problem_since = '2026-11-21T02:05:00.000Z' WHERE id = '${gate.id}'`,
  );
  await manager.go("/tonight");
  const wrong = manager.page.getByRole("img", { name: /^wrong: / });
  await wrong.first().waitFor();
  expect(await area().getAttribute("aria-expanded")).toBe("true");
  await exec(server, "UPDATE devices SET problem = NULL, problem_since = NULL");
  await manager.press("Refresh");
  await expect.poll(() => wrong.count()).toBe(0);
  expect(await area().getAttribute("aria-expanded")).toBe("true");
});

test("other nights are linked, and a date that is none leads to tonight", async () => {
  await manager.go("/tonight");
  await manager.page.getByRole("link", { name: /^The night before/ }).click();
  await manager.page.getByRole("heading", { level: 1, name: /^Night of / }).waitFor();
  // The log of this city began when the test did.
  await manager.sees(/is not known/);
  const ofNone = await manager.page.request.get(`${server.url}/tonight?date=someday`, { maxRetries: RETRIES });
  expect(ofNone.url()).toBe(`${server.url}/tonight`);
});

test("a night of a year ago, to which the week of then leads, has its year", async () => {
  const last_year = dateAfter(new Date().toISOString().slice(0, 10), -370);
  const [year] = last_year.split("-");
  await manager.go(`/tonight?date=${last_year}`);
  await manager.page.getByRole("heading", { level: 1, name: new RegExp(`^Night of .*, ${year}$`) }).waitFor();
  const nights = manager.page.getByRole("navigation", { name: "Nights" });
  await expect.poll(() => nights.innerText()).toContain(`, ${year}`);
  await nights.getByRole("link", { name: /^The night before, .*, 20\d\d$/ }).waitFor();
  await manager.page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "List" }).click();
  await manager.page.getByRole("table", { name: new RegExp(`^The night of .*, ${year}, from noon`) }).waitFor();
});

test.each([7, 370])("on a phone the title and the links of the night of %i days ago are whole", async (days) => {
  const phone = await visitAs(browser, server, "employee");
  await phone.page.setViewportSize({ width: 390, height: 844 });
  await phone.go(`/tonight?date=${dateAfter(new Date().toISOString().slice(0, 10), -days)}`);
  await phone.page.getByRole("heading", { level: 1, name: /^Night of / }).waitFor();
  for (const width of [195, 280, 360, 390]) {
    await phone.page.setViewportSize({ width, height: 844 });
    const hidden = await phone.page.evaluate(() => {
      const words = document.createRange();
      words.selectNodeContents(document.querySelector("h1") ?? document.body);
      const title = words.getBoundingClientRect();
      return [...document.querySelectorAll("main header button, main header a")]
        .map((button) => ({ name: button.textContent, box: button.getBoundingClientRect() }))
        .filter(({ box }) => box.left < title.right && box.right > title.left)
        .filter(({ box }) => box.top < title.bottom && box.bottom > title.top)
        .map(({ name }) => name);
    });
    expect(hidden).toEqual([]);
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await phone.page.close();
});

test("on a phone the night is told hour by hour, and a bar opens as a sheet", async () => {
  const phone = await visitAs(browser, server, "employee");
  await phone.page.setViewportSize({ width: 390, height: 844 });
  await phone.go("/tonight");
  await phone.sees(/^On now: \d+ of \d+$/);
  const sheet = phone.page.locator("[aria-labelledby=bar-title]");
  await phone.page.locator("summary", { hasText: "Quill Park" }).click();
  await phone.page
    .getByRole("button", { name: /Quill lawn/ })
    .filter({ visible: true })
    .first()
    .click();
  await sheet.waitFor();
  expect(await sheet.getByRole("button", { name: /^Skip/ }).count()).toBe(0);
  expect(await barriersInBoth(phone.page)).toEqual([]);
  await sheet.getByRole("button", { name: "Close" }).click();
  await sheet.waitFor({ state: "detached" });
  expect(await barriersInBoth(phone.page)).toEqual([]);
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await phone.page.close();
});

/** What a phone shows of an area; the chart, which the same HTML has for wider windows, has no such line. */
async function toldOnPhone(path: string, area: string): Promise<string> {
  const [, ...lines] = (await htmlOf(manager.page, server, path)).split("<summary");
  return wordsOf(`<summary${lines.find((line) => line.includes(area))?.split("</summary>")[0]}`);
}

test("on a phone a booking that is kept dark now is told with the reason, and not as what lights its area", async () => {
  const [rink] = await aPlace(staff, "Rush Pond", ["Rush rink"]);
  const after = (hours: number) => Date.now() + hours * 3_600_000;
  const clock = (hours: number) => toLocalInput(after(hours), ZONE).time;
  await staff.call("PUT", `/admin/policies/area/${rink?.area_id}`, { BLACKOUT_WINDOW: `${clock(-1)}-${clock(2)}` });
  const window = { start_at: new Date(after(-1)).toISOString(), end_at: new Date(after(1)).toISOString(), rrule: null };
  const skating = { title: "Skating", area_id: rink?.area_id, device_id: rink?.id, timezone: ZONE };
  await staff.call("POST", "/schedules", { ...skating, ...window });
  await expect.poll(() => toldOnPhone("/tonight", "Rush Pond")).toContain("Cut by blackout: Skating");
});

test("on a phone a night before the log began is not told as one in which nothing was planned", async () => {
  expect(await toldOnPhone("/tonight?date=2026-01-05", "Quill Park")).toMatch(/Not known $/);
  const html = await htmlOf(manager.page, server, "/tonight?date=2026-01-05");
  expect(html).not.toContain("Nothing is planned now");
  expect(html).not.toContain("Nothing changes before noon");
});

test("who may only look at a light is not led to close it", async () => {
  const { data: people } = await staff.call("GET", "/users");
  const { id } = people.find(({ email }: { email: string }) => email === "auditor@parks.example");
  const setRole = (role: string) => staff.call("PUT", `/users/${id}`, { role });
  const setDept = (dept: string | null) => server.query("UPDATE devices SET dept_id = ? WHERE id = ?", dept, lawn.id);
  onTestFinished(async () => {
    await Promise.all([setRole("employee"), setDept(null)]);
  });
  await Promise.all([setRole("manager"), setDept("demo-dept-sports")]);
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.page.setViewportSize({ width: 1280, height: 900 });
  await auditor.go("/tonight");
  const park = auditor.page.getByRole("button", { name: /^Quill Park \d/ });
  await park.waitFor();
  if ((await park.getAttribute("aria-expanded")) === "false") await park.click();
  await auditor.page
    .getByRole("button", { name: /^Quill lawn: / })
    .filter({ visible: true })
    .last()
    .click();
  const panel = auditor.page.locator("[aria-labelledby=bar-title]");
  await panel.getByRole("link", { name: "Open the light" }).waitFor();
  expect(await panel.getByRole("link", { name: "Close…" }).count()).toBe(0);
});

test("a light's own page shows its night, too", async () => {
  await manager.go(`/devices/${lawn.id}`);
  const tonight = manager.page.getByRole("article", { name: "Tonight" });
  await tonight
    .getByRole("button", { name: /^Quill lawn: / })
    .last()
    .click();
  await expect.poll(() => tonight.innerText()).toMatch(/(From|Until|M -) .+: /);
  expect(await tonight.locator("[data-cell][tabindex='0']").count()).toBe(1);
});

test("dark hours by day are named by the end and the beginning that the night has, within the chart", async () => {
  onTestFinished(() => withoutNight(staff));
  await staff.call("POST", "/admin/settings/guardrails", { BLACKOUT_WINDOW: "08:00-16:00" });
  const tomorrow = dateAfter(toLocalInput(Date.now(), ZONE).date, 1);
  await openChart(`/tonight?date=${tomorrow}`);
  const section = manager.page.getByRole("listitem").filter({ has: area() });
  const ends = () =>
    section.getByText(/^blackout/).evaluateAll((names) =>
      names.map((name) => {
        const { left, right } = name.getBoundingClientRect();
        const chart = name.closest("li")?.getBoundingClientRect();
        const isWithin = chart !== undefined && chart.left <= left && right <= chart.right;
        return [name.textContent, isWithin];
      }),
    );
  await expect.poll(ends).toEqual([
    ["blackout until 4:00 PM", true],
    ["blackout from 8:00 AM", true],
  ]);
  // What is not known before the log began stands above the chart: within it, it lay over these names.
  await openChart();
  expect(
    await manager.page
      .locator(".night")
      .getByText(/^Not known/)
      .count(),
  ).toBe(0);
});

test("on a phone an open area names its dark hours", async () => {
  onTestFinished(() => withoutNight(staff));
  await staff.call("POST", "/admin/settings/guardrails", { BLACKOUT_WINDOW: "08:00-16:00" });
  const tomorrow = dateAfter(toLocalInput(Date.now(), ZONE).date, 1);
  await manager.page.setViewportSize({ width: 390, height: 844 });
  onTestFinished(() => manager.page.setViewportSize({ width: 1280, height: 900 }));
  await manager.go(`/tonight?date=${tomorrow}`);
  await manager.page.locator("summary").filter({ hasText: "Quill Park" }).click();
  await manager.sees("Blackout until 4:00 PM; blackout from 8:00 AM");
  await manager.go(`/tonight?date=${tomorrow}&view=list`);
  await manager.sees("3 lights; blackout until 4:00 PM; blackout from 8:00 AM");
});

test("on a page of a large city, other nights and the other view lead to the same areas", async () => {
  const places = (rows: string) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70) ${rows}`;
  await server.batch([
    [places("INSERT INTO areas (id, org_id, name, type) SELECT 'far-' || i, 'demo-parks', 'Far ' || i, 'path' FROM n")],
    [places("INSERT INTO devices (id, org_id, area_id, name) SELECT 'f' || i, 'demo-parks', 'far-' || i, 'F' FROM n")],
  ]);
  await manager.go("/tonight?page=2");
  await manager.page.getByRole("link", { name: "Previous" }).waitFor();
  const links = manager.page.getByRole("main").getByRole("link", { name: /^(The night|List|Chart)/ });
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(hrefs).toHaveLength(4);
  for (const href of hrefs) expect(href).toMatch(/\bpage=2\b/);
  await manager.page.getByRole("link", { name: "List", exact: true }).click();
  await manager.page.getByText(/^Page 2 of /).waitFor();
});
