import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { visitAs, type Visit } from "#tests/support/visit";

const DAY_MS = 86_400_000;
const ZONE = "America/Los_Angeles";

let server: Server;
let browser: Browser;
let staff: Staff;
let manager: Visit;
let area_id: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const poles = ["one", "two", "three", "four", "five", "six"].map((name) => `Bryony ${name}`);
  const [lamp] = await aPlace(staff, "Bryony Park", poles);
  area_id = lamp?.area_id ?? "";
  manager = await visitAs(browser, server, "manager");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const field = (label: string) => manager.page.getByRole("dialog").getByLabel(label, { exact: true });
const row = (title: string) => manager.page.getByRole("article", { name: title, exact: true });
const preview = () => manager.page.getByRole("region", { name: "Preview" });

test("a park's six lights are booked every Tuesday and Thursday to the end of the season in one form", async () => {
  await manager.go(`/schedules?q=bryony&new=&area_id=${area_id}`);
  await field("Title").fill("Evening league");
  await field("Device").selectOption("All lights (6)");
  await manager.sees("A light that the area gets later is lit too.");
  await field("Start date").fill(tuesday(0));
  await field("Start time").fill("19:00");
  await field("End time").fill("21:00");
  await field("Recurrence").selectOption("Weekly");
  await field("Thursday").check({ force: true });
  await field("Ends").selectOption("On a date");
  await field("Last day").fill(tuesday(10));
  await expect.poll(() => preview().innerText()).toContain("21 to come. Next:");
  await manager.press("Create Schedule");
  await manager.sees("Schedule created successfully");
  const text = await row("Evening league").innerText();
  expect(text).toContain("All lights");
  expect(text).toContain("Every Tue and Thu, 7:00 PM - 9:00 PM");
});

test("all lights are those, too, that are not shown to whoever books them, and the form says so", async () => {
  const [lamp] = await aPlace(staff, "Medlar Park", ["Medlar one", "Medlar two"]);
  const river = { name: "Medlar weir", area_id: lamp?.area_id, dept_id: "demo-dept-rivers" };
  await staff.call("POST", "/devices", river);
  const regional = await visitAs(browser, server, "regional");
  const dialog = regional.page.getByRole("dialog");
  for (const [path, label] of [
    ["/schedules?new=", "Device"],
    ["/closures?new=", "Lights"],
  ] as const) {
    await regional.go(`${path}&area_id=${lamp?.area_id ?? ""}`);
    const lights = dialog.getByLabel(label, { exact: true });
    if (label === "Lights") await dialog.getByLabel("Area", { exact: true }).selectOption("Medlar Park");
    await lights.selectOption("All lights (3)");
    await dialog.getByText("1 light of another department is not shown.").waitFor();
    await lights.selectOption("Medlar one");
    expect(await dialog.getByText("of another department").count()).toBe(0);
  }
});

test("the form says what else lights the same, before it is saved", async () => {
  await manager.go(`/schedules?q=bryony&new=&area_id=${area_id}`);
  await field("Title").fill("Rehearsal");
  await field("Device").selectOption("Bryony two");
  await field("Start date").fill(tuesday(1));
  await field("Start time").fill("20:00");
  await field("End time").fill("22:00");
  await expect.poll(() => preview().innerText()).toMatch(/Evening league\s+also lights them/);
  await manager.press("Cancel");

  const [start_at, end_at] = [20, 22].map((hour) => `${tuesday(1)}T${hour}:30:00-08:00`);
  const twice = { title: "Concert", area_id, start_at, end_at };
  for (const name of ["Bryony one", "Bryony two"]) {
    const { data } = await staff.call("GET", `/devices?q=${name}`);
    const [light] = data.filter((device: { name: string }) => device.name === name);
    await staff.call("POST", "/schedules", { ...twice, device_id: light.id });
  }
  await manager.go(`/schedules?q=bryony&new=&area_id=${area_id}`);
  await field("Device").selectOption("All lights (6)");
  await field("Start date").fill(tuesday(1));
  await field("Start time").fill("20:00");
  await field("End time").fill("22:00");
  await expect.poll(() => preview().innerText()).toMatch(/Concert\s+also lights them/);
  expect((await preview().innerText()).match(/Concert\s+also/g)).toHaveLength(1);
  await manager.press("Cancel");
});

test("lights are ticked one by one, which makes a group without a name", async () => {
  await manager.go(`/schedules?q=bryony&new=&area_id=${area_id}`);
  await field("Title").fill("Stage lights");
  await field("Device").selectOption("Several lights...");
  await field("Start date").fill(tuesday(2));
  await field("Start time").fill("18:00");
  await field("End time").fill("19:00");
  await manager.press("Create Schedule");
  await manager.sees("Choose 1 to 500 devices");
  for (const name of ["Bryony one", "Bryony two", "Bryony three"]) await field(name).check();
  await manager.press("Create Schedule");
  await manager.sees("Schedule created successfully");
  await expect.poll(() => row("Stage lights").innerText()).toMatch(/Bryony \w+ and 2 more/);
});

test("from the dashboard four of a park's six lights are booked for Tuesdays: two are left out, a day and a last day ticked", async () => {
  await manager.go("/dashboard");
  await manager.page.getByRole("group", { name: "Bryony Park" }).getByRole("link", { name: "Book" }).click();
  await field("Title").fill("Choir");
  await expect.poll(() => field("Device").locator("option:checked").innerText()).toBe("All lights (6)");
  expect(await field("Start date").inputValue()).toBe(today());
  for (const name of ["Bryony five", "Bryony six"]) await field(name).uncheck();
  expect(await field("Device").locator("option:checked").innerText()).toBe("Several lights...");
  await field("Start time").fill("18:00");
  await field("End time").fill("19:00");
  await field("Tuesday").check({ force: true });
  expect(await field("Recurrence").inputValue()).toBe("weekly");
  await field("Last day").fill(tuesday(10));
  expect(await field("Ends").inputValue()).toBe("until");
  await manager.press("Create Schedule");
  await manager.sees("Schedule created successfully");
  // Back where 'Book' was pressed, once the lists have been read anew.
  await expect.poll(() => new URL(manager.page.url()).pathname).toBe("/dashboard");
  const { data } = await staff.call("GET", "/schedules");
  const made = data.find(({ title }: { title: string }) => title === "Choir");
  expect(made.target.name).toMatch(/ and 3 more$/);
  expect(made.rrule).toMatch(/^FREQ=WEEKLY;BYDAY=TU;UNTIL=/);
  expect(new Date(made.start_at).toLocaleDateString("en-US", { weekday: "short", timeZone: ZONE })).toBe("Tue");
});

test("a schedule is copied in one press, with everything filled in", async () => {
  await manager.go("/schedules?q=bryony");
  await manager.press("Copy Evening league");
  await manager.sees("Create Schedule");
  expect(await field("Title").inputValue()).toBe("Evening league");
  await expect.poll(() => field("Device").locator("option:checked").innerText()).toBe("All lights (6)");
  expect(await field("Start time").inputValue()).toBe("19:00");
  await field("Title").fill("Morning league");
  await field("Start time").fill("07:00");
  await field("End time").fill("08:00");
  await manager.press("Create Schedule");
  await manager.sees("Schedule created successfully");
  await row("Morning league").waitFor();
  await row("Evening league").waitFor();
});

test("a night is skipped for rain in one press, and unskipped", async () => {
  await manager.go("/schedules?q=bryony");
  await manager.press("Skip a night of Evening league");
  const night = await field("Night").locator("option").nth(1).innerText();
  await field("Night").selectOption(night);
  await field("Reason").fill("rain");
  await manager.press("Skip");
  await manager.sees("Night skipped");
  const day = night.split(", ").slice(0, 2).join(", ");
  await manager.sees(`Skipped ${day}: rain`);
  await manager.press(`Unskip ${day} of Evening league`);
  await manager.sees("The night is back in the schedule");
  await expect.poll(() => row("Evening league").getByText(`Skipped ${day}`).count()).toBe(0);
});

test("the night that a form is to skip stays that one when the list behind it goes on to the next", async () => {
  const { data: schedules } = await staff.call("GET", "/schedules");
  const { id } = schedules.find(({ title }: { title: string }) => title === "Evening league");
  await manager.go("/schedules?q=bryony");
  await manager.press("Skip a night of Evening league");
  const start_at = await field("Night").inputValue();
  await staff.call("PUT", `/schedules/${id}/skip`, { start_at });
  await manager.page.getByLabel("Skipped nights of Evening league").waitFor({ state: "attached" });
  expect(await field("Night").inputValue()).toBe(start_at);
  await manager.press("Cancel");
  await staff.call("PUT", `/schedules/${id}/unskip`, { start_at });
});

test("a path burns from dusk to dawn, once the sun is known there", async () => {
  await manager.go(`/schedules?q=bryony&new=&area_id=${area_id}`);
  await field("Title").fill("Path lights");
  await field("Device").selectOption("Bryony six");
  await field("Start date").fill(tuesday(3));
  expect(await field("Start not before").count()).toBe(0);
  await field("Start by").selectOption("Dusk");
  await field("End by").selectOption("Dawn");
  expect(await field("End date").inputValue()).toBe(nextDay(tuesday(3)));
  // The preview says so, too, and before: what was pressed has to be refused before the position is set.
  const answered = manager.page.waitForResponse(
    (response) => /schedules\.data/.test(response.url()) && response.request().method() === "POST",
  );
  await manager.press("Create Schedule");
  await answered;
  await manager.sees("Set the position of the area or of the city first", manager.page.getByRole("dialog"));

  await staff.call("POST", "/admin/settings", { CITY_LAT: 34.05, CITY_LON: -118.24 });
  await field("Start not before").fill("17:30");
  await field("Start not after").fill("16:30");
  await manager.press("Create Schedule");
  await manager.sees(/It can.t be after/, manager.page.getByRole("dialog"));
  await wrongIs("Start not after");
  await field("Start not before").fill("16:00");
  await expect.poll(() => manager.page.getByRole("dialog").locator("[aria-invalid=true]").count()).toBe(0);
  await field("Start not before").fill("17:30");
  await field("Start not after").fill("");
  await field("Start offset").fill("181");
  await manager.press("Create Schedule");
  await manager.sees("Minutes must be a whole number from -180 to 180", manager.page.getByRole("dialog"));
  await wrongIs("Start offset");
  await field("Start offset").fill("15");
  await field("Recurrence").selectOption("Daily");
  await expect.poll(() => preview().innerText()).toMatch(/15 min after dusk to dawn/);
  await manager.press("Create Schedule");
  await manager.sees("Schedule created successfully");
  // The refusals before are told no more: together the three would cover the row's buttons.
  const toasts = manager.page.locator("[data-sonner-toast]");
  await expect.poll(() => toasts.allInnerTexts()).toEqual(["Schedule created successfully"]);
  const text = await row("Path lights").innerText();
  expect(text).toContain("Every day, 15 min after dusk to dawn");
  expect(text).toMatch(/Next: \w{3} \d+, \d+:\d\d PM/);

  await manager.press("Edit Path lights");
  expect(await field("Start by").inputValue()).toBe("dusk");
  expect(await field("Start not before").inputValue()).toBe("17:30");
  await manager.press("Cancel");
});

test("a booking leaves out a calendar's dates, and the form says which", async () => {
  const dates = [{ date: tuesday(1), name: "Race day" }];
  await staff.call("POST", "/calendars", { name: "Races", dates });
  await manager.go("/schedules?q=bryony");
  await manager.press("Edit Evening league");
  await field("Calendar").selectOption("Races");
  expect(await field("It happens").inputValue()).toBe("skip");
  await expect.poll(() => preview().innerText()).toMatch(/Not on /);
  await manager.press("Save changes");
  await manager.sees("Schedule updated successfully");
});

/** The one field that is marked, and where one is led to. */
async function wrongIs(label: string) {
  await field(label).and(manager.page.locator(":focus")).waitFor();
  await expect.poll(() => manager.page.getByRole("dialog").locator("[aria-invalid=true]").count()).toBe(1);
}

function nextDay(date: string): string {
  return new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);
}

/** A Tuesday that is at least two days away, and so many weeks later. */
function tuesday(weeks: number): string {
  const dates = [2, 3, 4, 5, 6, 7, 8].map((days) => new Date(Date.now() + days * DAY_MS));
  const first = dates.find((date) => date.getUTCDay() === 2) ?? new Date();
  return new Date(first.getTime() + weeks * 7 * DAY_MS).toISOString().slice(0, 10);
}

function today(): string {
  return new Date().toLocaleDateString("en-CA", { timeZone: ZONE });
}

test("a double click on Cancel goes back where 'Book' was pressed, and no further", async () => {
  await manager.go("/hubs");
  await manager.page.getByRole("link", { name: "Dashboard", exact: true }).first().click();
  await manager.page.getByRole("group", { name: "Bryony Park" }).getByRole("link", { name: "Book" }).click();
  await manager.page.getByRole("dialog").getByRole("button", { name: "Cancel" }).dblclick();
  await manager.page.getByRole("dialog").waitFor({ state: "detached" });
  await manager.sees("Monitor and control lighting systems across all areas");
  // Another step back, had there been one, would be done by now.
  await manager.page.evaluate(() => {
    const moved = new Promise((done) => addEventListener("popstate", done, { once: true }));
    history.forward();
    return moved;
  });
  await manager.page.waitForURL("**/schedules?*new=*");
});

test("a new park is booked before it has lights, and the form says for what", async () => {
  const { data: park } = await staff.call("POST", "/areas", { name: "Teasel Park", type: "park", location: null });
  await manager.go(`/areas/${park.id}`);
  await manager.sees("There are no lights to switch.");
  await manager.page.getByRole("link", { name: "New schedule", exact: true }).click();
  await expect.poll(() => field("Device").locator("option:checked").innerText()).toBe("All lights (0)");
  await field("Start date").fill(tuesday(0));
  await field("Start time").fill("19:00");
  await field("End time").fill("21:00");
  await manager.sees("There are no lights here yet; those that are added will follow it.");
});
