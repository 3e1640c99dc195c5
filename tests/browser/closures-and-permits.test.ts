import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromLocalInput, toLocalInput } from "#domain/time/display";
import { toIso } from "#domain/time/to-iso";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import {
  exec,
  hide,
  htmlOf,
  keepFailure,
  loseNextAnswer,
  tryAgain,
  type Visit,
  visitAs,
  without,
  wordsOf,
} from "#tests/support/visit";

const ZONE = "America/Los_Angeles";
const DAY_MS = 86_400_000;

let server: Server;
let browser: Browser;
let staff: Staff;
let admin: Visit;
let area_id: string;
let north: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const lamps = await aPlace(staff, "Sorrel Field", ["Sorrel north", "Sorrel south"]);
  area_id = lamps[0]?.area_id ?? "";
  north = lamps.find(({ name }) => name === "Sorrel north")?.id ?? "";
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const field = (label: string) => admin.page.getByRole("dialog").getByLabel(label, { exact: true });

test("a field is closed until Friday from its own page, and reopened before", async () => {
  await admin.go("/closures?area=" + area_id);
  await admin.sees("No Closures Found");
  await admin.press("New Closure");
  // Its first field, the area, waits for the areas, and takes no focus until then.
  const inDialog = () => admin.page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null);
  await expect.poll(inDialog).toBe(true);
  await expect.poll(() => field("Area").inputValue()).toBe(area_id);
  await expect.poll(() => field("Lights").locator("option:checked").innerText()).toBe("All lights (2)");
  await admin.press("Create Closure");
  await admin.sees("A reason is required");

  await field("Reason").fill("wet ground");
  await moment("Until", friday(), "06:00");
  await admin.press("Create Closure");
  await admin.sees("Closure created successfully");
  const row = admin.page.getByRole("article", { name: "wet ground, All lights of Sorrel Field" });
  await admin.sees("In force", row);
  expect(await row.innerText()).toMatch(/to Fri, \w{3} \d+, 6:00 AM/);

  await admin.go(`/areas/${area_id}`);
  await admin.sees("Closed: wet ground");
  await admin.page.getByRole("link", { name: "Closures" }).click();
  await admin.press("Reopen wet ground, All lights of Sorrel Field");
  await admin.press("Reopen");
  await admin.sees("Reopened: Sorrel Field");
  await admin.sees("No Closures Found");
  await admin.page.getByRole("link", { name: "Over" }).click();
  await admin.sees("wet ground");
});

test("where no light may go on, its page, its area's and its group's offer no ON with an end either, and say why", async () => {
  const group = { area_id, name: "Sorrel pair", device_ids: [north] };
  const { data: made } = await staff.call("POST", "/groups", group);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const closure = { target: { type: "area", id: area_id }, from: new Date().toISOString(), to: until, reason: "hail" };
  const { data: closed } = await staff.call("POST", "/closures", closure);
  const describe = (name: string) => {
    const button = admin.page.getByRole("button", { name, exact: true });
    return button.evaluate((node) => {
      const words = document.getElementById(node.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
      return [node.getAttribute("aria-disabled"), /^Lights may not go on, closed until .*: hail\b/.test(words)];
    });
  };
  await admin.go(`/devices/${north}`);
  await expect.poll(() => describe("On until…")).toEqual(["true", true]);
  expect(await describe("Off until…")).toEqual([null, false]);
  await admin.go(`/areas/${area_id}`);
  await admin.sees("Sorrel pair");
  for (const name of ["All on…", "Turn on Sorrel pair"])
    await expect.poll(() => describe(name)).toEqual(["true", true]);
  for (const name of ["All off…", "Turn off Sorrel pair"]) expect(await describe(name)).toEqual([null, false]);

  await staff.call("DELETE", `/closures/${closed.id}`);
  for (const name of ["All on…", "Turn on Sorrel pair"]) await expect.poll(() => describe(name)).toEqual([null, false]);
  await staff.call("DELETE", `/groups/${made.id}`);
});

test("a closure whose start is emptied begins now", async () => {
  await admin.go(`/closures?new=&area_id=${area_id}`);
  await field("Reason").fill("new turf");
  await moment("From", day(2), "08:00");
  await admin.press("Create Closure");
  await admin.sees("Closure created successfully");
  const row = admin.page.getByRole("article", { name: "new turf, All lights of Sorrel Field" });
  expect(await row.getByText("In force").count()).toBe(0);
  await admin.press("Edit new turf, All lights of Sorrel Field");
  await moment("From", "", "");
  await admin.press("Save changes");
  await admin.sees("Closure updated successfully");
  await admin.sees("In force", row);
  await admin.press("Reopen new turf, All lights of Sorrel Field");
  await admin.press("Reopen");
  await admin.sees("Reopened: Sorrel Field");
});

test("a closure whose start is emptied, or that is reopened, without an answer is sent again", async () => {
  const to_come = { from: new Date(Date.now() + 2 * DAY_MS).toISOString(), reason: "old turf" };
  await staff.call("POST", "/closures", { target: { type: "area", id: area_id }, ...to_come });
  await admin.go(`/closures?area=${area_id}`);
  await admin.press("Edit old turf, All lights of Sorrel Field");
  await moment("From", "", "");
  await sendTwice("Save changes");
  await admin.sees("Closure updated successfully");
  await admin.press("Reopen old turf, All lights of Sorrel Field");
  await sendTwice("Reopen");
  await admin.sees("Reopened: Sorrel Field");
  await admin.sees("No Closures Found");
});

test("a closure that ends before it begins, or on a day without a time, is refused in a sentence, and nothing is lost", async () => {
  await admin.go(`/closures?new=&area_id=${area_id}`);
  await field("Reason").fill("repairs");
  await moment("From", day(3), "08:00");
  await moment("Until", day(2), "08:00");
  await admin.press("Create Closure");
  await admin.sees("The closure must end after it begins");
  expect(await field("Reason").inputValue()).toBe("repairs");
  // Nor is one with a date alone taken: its time is what is missing.
  await moment("Until", day(4), "");
  await admin.press("Create Closure");
  await admin.sees("To must be a date and time, or none until it is reopened");
  await field("Until time").and(admin.page.locator(":focus")).waitFor();
  const wrong = () => admin.page.getByRole("dialog").locator("[aria-invalid=true]").count();
  expect(await wrong()).toBe(1);
  await field("Until time").fill("06:00");
  await expect.poll(wrong).toBe(0);
  await admin.press("Cancel");
  await admin.sees("No Closures Found");
});

test("the end of a permit is told by the server's clock, though the device's is three days ahead", async () => {
  const { page, ...visit } = await visitAs(browser, server, "admin");
  await page.clock.install({ time: Date.now() + 3 * DAY_MS });
  await visit.go(`/permits?new=&area_id=${area_id}`);
  await page.getByLabel("Until date", { exact: true }).fill(day(3));
  await page.getByLabel("Until time", { exact: true }).fill("23:30");
  await visit.sees(/^Lights on since \w+ \d+, .+ when the permit ends \(\w+ \d+, 11:30 PM\): at most 4 h$/);
  await page.context().close();
});

test("a form that stood open while the city came to another zone means the hours by the zone that it shows", async () => {
  await admin.go(`/closures?new=&area_id=${area_id}`);
  await field("Reason").fill("moved clocks");
  await moment("From", day(2), "19:30");
  await admin.sees("Its lights go off and stay off. All times are in America/Los_Angeles");
  await staff.call("POST", "/admin/settings", { APP_TIMEZONE: "America/Denver" });
  try {
    await admin.press("Create Closure");
    await admin.sees("Closure created successfully");
    const { data } = await staff.call("GET", "/closures");
    const at = fromLocalInput({ date: day(2), time: "19:30" }, ZONE) ?? 0;
    expect(data.map(({ from }: { from: string }) => from)).toEqual([toIso(at)]);
    await staff.call("DELETE", `/closures/${data[0].id}`);
  } finally {
    await staff.call("POST", "/admin/settings", { APP_TIMEZONE: ZONE });
  }
});

test("a closure of which only the reason is edited keeps its times to the second", async () => {
  const from = `${toIso(Date.now()).slice(0, 17)}41.123Z`;
  const made = await staff.call("POST", "/closures", { target: { type: "area", id: area_id }, from, reason: "wet" });
  await admin.go(`/closures?area=${area_id}`);
  await admin.press("Edit wet, All lights of Sorrel Field");
  await field("Reason").fill("wet ground");
  await admin.press("Save changes");
  await admin.sees("Closure updated successfully");
  const { data } = await staff.call("GET", "/closures");
  expect(data).toMatchObject([{ id: made.data.id, reason: "wet ground", from, to: null }]);
  await staff.call("DELETE", `/closures/${made.data.id}`);
});

test("a tournament runs late by a permit, and the form says where max on cuts at its end", async () => {
  await admin.go(`/permits?new=&area_id=${area_id}`);
  await field("Reason").fill("City tournament");
  await moment("From", day(1), "18:00");
  await moment("Until", day(9), "23:30");
  await admin.press("Create Permit");
  await admin.sees("A permit may last at most 7 days");
  await moment("Until", day(1), "23:30");
  await admin.sees(/^Lights on since .+ or earlier go off when the permit ends \(.+ 11:30 PM\): at most 4 h$/);
  await admin.press("Create Permit");
  await admin.sees("Permit created successfully");
  const row = admin.page.getByRole("article", { name: "City tournament, All lights of Sorrel Field" });
  await admin.sees("To come", row);
  expect(await row.innerText()).toContain("6:00 PM to 11:30 PM");

  await admin.press("Take back City tournament, All lights of Sorrel Field");
  // It is not in force yet, so nothing changes now.
  await admin.sees(/\? The dark time and max on will hold then, too\.$/);
  await admin.press("Take back");
  await admin.sees("Permit taken back");
  await admin.sees("No Permits Found");
});

test("the form of a permit warns by the rules of the lights that are chosen in it", async () => {
  const device_ids = [north];
  const { data: group } = await staff.call("POST", "/groups", { area_id, name: "Sorrel pair", device_ids });
  await staff.call("PUT", `/admin/policies/group/${group.id}`, { MAX_ON_DURATION_MIN: 90 });
  await admin.go(`/permits?new=&area_id=${area_id}`);
  await moment("Until", day(1), "23:30");
  await admin.sees(/^1 of 2 lights goes off when the permit ends \(.+ 11:30 PM\) if on since .+: at most 1 h 30 min$/);
  await field("Lights").selectOption({ label: "Sorrel pair" });
  await admin.sees(/^Lights on since .+ 10:00 PM or earlier go off when the permit ends .+: at most 1 h 30 min$/);
  await field("Lights").selectOption({ label: "Sorrel south" });
  await admin.sees(/^Lights on since .+ 7:30 PM or earlier go off when the permit ends .+: at most 4 h$/);
  await field("Lights").selectOption({ label: "All lights (2)" });
  await field("Reason").fill("City tournament");
  await admin.press("Create Permit");
  await admin.sees(/^1 of 2 lights goes off .+: at most 1 h 30 min\. 1 of 2 lights goes off .+: at most 4 h$/);
  const { data: permits } = await staff.call("GET", "/permits");
  for (const { id } of permits) await staff.call("DELETE", `/permits/${id}`);
  await staff.call("DELETE", `/admin/policies/group/${group.id}`);
  await staff.call("DELETE", `/groups/${group.id}`);
});

test("a light's page leads to a closure and a permit of that light", async () => {
  for (const [link, button, words, list] of [
    ["New closure", "Create Closure", "Closure created successfully", "/closures"],
    ["New permit", "Create Permit", "Permit created successfully", "/permits"],
  ] as const) {
    await admin.go(`/devices/${north}`);
    await admin.page.getByRole("link", { name: link }).click();
    await expect.poll(() => field("Lights").locator("option:checked").innerText()).toBe("Sorrel north");
    expect(await field("Area").inputValue()).toBe(area_id);
    await field("Reason").fill("new lamp");
    await moment("From", day(1), "18:00");
    await moment("Until", day(1), "19:00");
    await admin.press(button);
    await admin.sees(words);
    await admin.page.waitForURL(`**/devices/${north}`);
    const { data } = await staff.call("GET", list);
    expect(data).toMatchObject([{ reason: "new lamp", target: { type: "device", id: north } }]);
    await staff.call("DELETE", `${list}/${data[0].id}`);
  }
});

test("what cannot be loaded or saved is told, and the screen stays", async () => {
  for (const [path, table, failed] of [
    ["/closures", "closures", "Failed to fetch closures"],
    ["/permits", "permits", "Failed to fetch permits"],
  ] as const) {
    await without(server, table, async () => {
      await admin.go(path);
      await admin.sees(failed);
      await keepFailure(admin);
    });
    await tryAgain(admin);
    await admin.page.getByRole("heading", { name: /^No (Closures|Permits) Found$/ }).waitFor();
  }
});

test("where the list of what is over ends before its beginning, it says so", async () => {
  const past = () => htmlOf(admin.page, server, "/closures?tab=past");
  expect(await past()).not.toContain("The latest 100 are shown");
  await exec(
    server,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101) INSERT INTO closures (id, org_id, area_id, from_at, to_at, reason, created_by) SELECT 'old' || i, org_id, id, '2020-01-01T00:00:00.000Z', '2020-01-02T00:00:00.000Z', 'old ' || i, 'admin@parks.example' FROM (SELECT * FROM areas LIMIT 1), n`,
  );
  expect(await past()).toContain("The latest 100 are shown");
  expect((await past()).match(/<article /g)).toHaveLength(100);
});

test("an employee sees what is closed and permitted, and changes nothing", async () => {
  await staff.call("POST", "/closures", { target: { type: "area", id: area_id }, reason: "fresh seed" });
  const employee = await visitAs(browser, server, "employee");
  await employee.go("/closures");
  await employee.sees("fresh seed");
  expect(await employee.buttons(/^(New|Edit|Reopen|Delete)/)).toEqual([]);
  const light = wordsOf(await htmlOf(employee.page, server, `/devices/${north}`));
  expect(light).toContain("Next windows");
  expect(light).not.toMatch(/New (schedule|closure|permit)/);
  await employee.go("/permits?new=");
  await employee.sees("No Permits Found");
  expect(await employee.page.getByRole("dialog").count()).toBe(0);
  await employee.page.close();
});

/** Presses a button whose answer is lost on the way, and then once more. */
async function sendTwice(button: string) {
  await hide(admin); // a list that loads by itself meanwhile would take the place from under the question
  await loseNextAnswer(admin);
  await admin.press(button);
  await admin.sees("Failed to save closure");
  await admin.press(button);
  await hide(admin, false);
}

async function moment(label: string, date: string, time: string) {
  await field(`${label} date`).fill(date);
  await field(`${label} time`).fill(time);
}

/** The date of a day from now on, in the city's zone. */
function day(ahead: number): string {
  return toLocalInput(Date.now() + ahead * DAY_MS, ZONE).date;
}

/** A Friday that is at least two days away. */
function friday(): string {
  const days = [2, 3, 4, 5, 6, 7, 8].map(day);
  return days.find((date) => new Date(date).getUTCDay() === 5) ?? "";
}

test("a closure of an area whose lights have gone keeps its place, and can be edited", async () => {
  const [lamp] = await aPlace(staff, "Yarrow Green", ["Yarrow lamp"]);
  const target = { type: "area", id: lamp?.area_id };
  await staff.call("POST", "/closures", { target, reason: "works" });
  await staff.call("DELETE", `/devices/${lamp?.id}`);
  await admin.go(`/closures?area=${lamp?.area_id}`);
  await admin.press("Edit works, All lights of Yarrow Green");
  await expect.poll(() => field("Lights").locator("option:checked").innerText()).toBe("All lights (0)");
  await field("Reason").fill("works until spring");
  await admin.press("Save changes");
  await admin.sees("Closure updated successfully");
  await admin.sees("works until spring");
});
