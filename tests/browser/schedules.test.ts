import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatDated, toLocalInput } from "#domain/time/display";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, deviceNamed, signedInAs, type Staff } from "#tests/support/staff";
import {
  cardIn,
  exec,
  hide,
  htmlOf,
  keepFailure,
  momentsOf,
  signIn,
  tryAgain,
  type Visit,
  visitAs,
  without,
  wordsOf,
} from "#tests/support/visit";

/** What these tests make is found by the area's name. */
const SCREEN = "/schedules?q=medlar";
const ZONE = "America/Los_Angeles";
const MONTHS = ["Jan", "Feb", "Mar"];
const MONDAY = firstMonday();
const CHANGES = /^(New|Edit|Cancel)/;
const LAST_YEAR = `${new Date().getUTCFullYear() - 1}-01-06`;

let server: Server;
let browser: Browser;
let api: Staff;
let admin: Visit;
let lamp: { id: string; area_id: string };

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  api = await signedInAs(server, "admin");
  const night = { HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00", MAX_ON_DURATION_MIN: 240 };
  await api.call("POST", "/admin/settings/guardrails", night);
  await aPlace(api, "Medlar Court", ["Medlar gate", "Medlar lawn"]);
  lamp = await deviceNamed(api, "Medlar gate");
  const river = { name: "Medlar pond", area_id: lamp.area_id, dept_id: "demo-dept-rivers" };
  await api.call("POST", "/devices", river);
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const field = (label: string) => admin.page.getByRole("dialog").getByLabel(label, { exact: true });
const row = (title: string) => admin.page.getByRole("article", { name: title, exact: true });

test("a start date that is typed digit by digit takes the end date along, and the preview is always there", async () => {
  await admin.go(SCREEN);
  await admin.press("New Schedule");
  await admin.sees("Choose when it starts and ends to see when the light will be on.");
  const [year = "", month = "", date = ""] = day(0).date.split("-");
  await field("Start date").focus();
  await admin.page.keyboard.type(month + date + year);
  expect(await field("Start date").inputValue()).toBe(day(0).date);
  expect(await field("End date").inputValue()).toBe(day(0).date);
  await admin.press("Cancel");
});

test.each(["list", "week"])(
  "beside the %s a new schedule begins on the city's today, though the device's clock is a day ahead",
  async (view) => {
    const { page, ...visit } = await visitAs(browser, server, "admin");
    const today = () => toLocalInput(Date.now(), ZONE).date;
    await page.clock.install({ time: Date.now() + 26 * 3_600_000 });
    const days = [today()];
    await visit.go(`/schedules?view=${view}&new=`);
    const date = page.getByRole("dialog").getByLabel("Start date", { exact: true });
    expect([...days, today()]).toContain(await date.inputValue());
    await page.context().close();
  },
);

test("what a schedule needs is said beside its fields", async () => {
  await admin.go(SCREEN);
  await admin.press("New Schedule");
  await admin.sees("All times are in America/Los_Angeles");
  await admin.press("Create Schedule");
  await admin.sees("Title, area, and device are required");
  await admin.sees("Start and end date/time are required");
  // The dates are there; what is red is what is missing, until it is changed.
  const isRed = (label: string) => field(label).getAttribute("aria-invalid");
  for (const edge of ["Start", "End"]) {
    expect([await isRed(`${edge} date`), await isRed(`${edge} time`)]).toEqual([null, "true"]);
    await field(`${edge} time`).fill("18:00");
    expect([await isRed(`${edge} date`), await isRed(`${edge} time`)]).toEqual([null, null]);
  }

  expect(await field("Device").isDisabled()).toBe(true);
  await field("Title").fill("  Ladies' softball  ");
  await field("Area").selectOption("Medlar Court");
  await field("Device").selectOption("Medlar gate");
  await field("Area").selectOption("Viaduct Path");
  await expect.poll(() => field("Device").isEnabled()).toBe(true);
  expect(await field("Device").inputValue()).toBe("");
  expect(await field("Device").locator("option").allInnerTexts()).not.toContain("Medlar gate");
  await field("Area").selectOption("Medlar Court");
  const lights = ["Medlar gate", "Medlar lawn", "Medlar pond"];
  const devices = ["Select a device", "All lights (3)", ...lights, "Several lights..."];
  await expect.poll(() => field("Device").locator("option").allInnerTexts()).toEqual(devices);
  await field("Device").selectOption("Medlar gate");
  await field("Short description").fill("Both diamonds");

  await from(day(0).date, "22:00", "18:00");
  expect(await field("End date").inputValue()).toBe(day(1).date); // 18:00 comes after 22:00 on the next day
  await field("End date").fill(day(0).date);
  await refused("End time must be after start time");
  await field("End date").fill(day(2).date);
  await refused("A schedule may last at most 24 hours");
  await from(LAST_YEAR, "18:00", "22:00", LAST_YEAR);
  await refused("This schedule lies wholly in the past");
  await from(day(0).date, "18:00", "22:00", day(0).date);
  await field("Recurrence").selectOption("Weekly");
  expect(await field("Monday").isChecked()).toBe(true); // the weekday of the start
  await field("Monday").uncheck({ force: true });
  await refused("Please select at least one day for weekly recurring");
  await admin.page.getByRole("checkbox", { name: "Monday" }).and(admin.page.locator(":focus")).waitFor();
  await onAPhone(async () => {
    await field("Title").focus();
    await refused("Please select at least one day for weekly recurring");
    const footer = admin.page.getByRole("button", { name: "Create Schedule" });
    await expect.poll(async () => (await bottomOf(field("Monday"))) < (await topOf(footer))).toBe(true);
  });
  for (const weekday of ["Monday", "Wednesday"]) await field(weekday).check({ force: true });
  for (const count of ["101", "0"]) {
    await field("Number of times").fill(count);
    await refused(
      "This recurrence is not supported: repeat daily or weekly, up to 100 times, until a date or for ever",
    );
    await wrongIs("Number of times");
  }
  await field("Ends").selectOption("On a date");
  await refused("This recurrence is not supported: repeat daily or weekly, up to 100 times, until a date or for ever");
  await wrongIs("Last day");
  await field("Last day").fill(LAST_YEAR);
  await refused("This recurrence ends before its first occurrence");
  await wrongIs("Last day");
  await field("Last day").fill("");
  await field("Ends").selectOption("After N times");
});

test("the form says in words and dates what it will do, and where a guardrail cuts it", async () => {
  await field("Number of times").fill("10");
  await expect
    .poll(preview)
    .toEqual([
      `Every Mon and Wed, 6:00 PM - 10:00 PM, 10 times, until ${day(30).words}`,
      ...[0, 2, 7, 9, 14].map((n) => `${day(n).words} 6:00 PM - 10:00 PM`),
    ]);
  await field("Ends").selectOption("On a date");
  await field("Last day").fill(day(7).date);
  await expect.poll(preview).toContain(`Every Mon and Wed, 6:00 PM - 10:00 PM, until ${day(7).words}`);
  await field("Ends").selectOption("Never");
  await expect.poll(preview).toContain("Every Mon and Wed, 6:00 PM - 10:00 PM, never ends");

  await field("Recurrence").selectOption("Does not repeat");
  for (const [start, end, end_day, hours, cut] of [
    [
      "12:00",
      "20:00",
      0,
      "12:00 PM - 8:00 PM",
      /^The limit of 240 minutes is reached at 4:00 PM Lit 12:00 PM - 4:00 PM$/,
    ],
    [
      "22:00",
      "06:00",
      1,
      "10:00 PM - 6:00 AM",
      /^Curfew until 5:00 AM .*Lit 10:00 PM - 11:45 PM and 5:00 AM - 6:00 AM$/,
    ],
    ["01:00", "04:00", 0, "1:00 AM - 4:00 AM", /^(Curfew|Blackout) until 5:00 AM .*Not lit$/],
  ] as const) {
    await from(day(0).date, start, end, day(end_day).date);
    const line = `${day(0).words} ${hours} `;
    await expect.poll(async () => (await preview())[0]).toBe(`Once, ${day(0).words}, ${hours}`);
    const told = async () => (await preview())[1] ?? "";
    await expect
      .poll(async () => (await told()).startsWith(line) && cut.test((await told()).slice(line.length)))
      .toBe(true);
  }
});

test("saved, it is in the list with all that it says", async () => {
  await from(day(0).date, "18:00", "22:00", day(0).date);
  await field("Recurrence").selectOption("Weekly");
  await field("Ends").selectOption("After N times");
  await admin.press("Create Schedule");
  await admin.sees("Schedule created successfully");
  // Its year stands there, too, where it is a year away.
  const [start = "", end = ""] = ["02", "06"].map((hour) =>
    formatDated(`${day(1).date}T${hour}:00:00.000Z`, ZONE, Date.now()),
  );
  const shown = ["Ladies' softball", "Scheduled", "Recurring", start, end, "(4.0 hours)"];
  const next = `Next: ${start}`;
  for (const text of [...shown, next, "Both diamonds"]) await admin.sees(text, row("Ladies' softball"));
  const text = await row("Ladies' softball").innerText();
  for (const word of ["Medlar gate", "Medlar Court"]) expect(text).toContain(word);
  const { start_at, rrule } = await schedule("Ladies' softball");
  // 18:00 in Los Angeles, wherever the browser is.
  expect([start_at, rrule]).toEqual([`${day(1).date}T02:00:00.000Z`, "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10"]);
});

test("hours by the clock of another zone name it, beside the next night by the city's", async () => {
  const [start_at, end_at] = [`${day(1).date}T02:00:00.000Z`, `${day(1).date}T04:00:00.000Z`];
  const timezone = "America/New_York";
  const body = { title: "Eastern guests", area_id: lamp.area_id, device_id: lamp.id, start_at, end_at, timezone };
  await api.call("POST", "/schedules", { ...body, rrule: "FREQ=DAILY" });
  const card = wordsOf(cardIn(await htmlOf(admin.page, server, SCREEN), "Eastern guests"));
  expect(card).toContain(" Every day, 9:00 PM - 11:00 PM, never ends (America/New_York) ");
  expect(card).toContain(` Next: ${month(0)}, 6:00 PM `);
  await api.call("PUT", `/schedules/${(await schedule("Eastern guests")).id}/cancel`);
});

test("edited it starts from what is stored; somebody else's change is not overwritten", async () => {
  await admin.press("Edit Ladies' softball");
  await admin.sees("Edit Schedule");
  const stored = ["Title", "Start date", "Start time", "End time", "Recurrence", "Number of times"].map((label) =>
    field(label).inputValue(),
  );
  expect(await Promise.all(stored)).toEqual(["Ladies' softball", day(0).date, "18:00", "22:00", "weekly", "10"]);
  await field("Recurrence").selectOption("Daily");
  await field("Number of times").fill("3");
  await admin.press("Save changes");
  await admin.sees("Schedule updated successfully");
  const words = `Every day, 6:00 PM - 10:00 PM, 3 times, until ${day(2).words}`;
  await expect.poll(() => row("Ladies' softball").innerText()).toContain(words);

  await admin.press("Edit Ladies' softball");
  // A form that opens only after the other change begins with that change, and its save is no conflict.
  await admin.sees("Edit Schedule");
  const { id, start_at, end_at } = await schedule("Ladies' softball");
  const change = {
    title: "Ladies' softball",
    area_id: lamp.area_id,
    device_id: lamp.id,
    start_at,
    end_at,
    rrule: null,
  };
  await api.call("PUT", `/schedules/${id}`, change);
  // Canceling waits for nothing, least of all for the options of the form that it closes.
  await admin.page.route("**/choices*", () => undefined);
  await admin.press("Save changes");
  await admin.sees("This schedule was changed by someone else meanwhile. Reload and try again.");
  await admin.press("Cancel");
  await admin.page.getByRole("dialog").waitFor({ state: "detached" });
  await admin.page.unroute("**/choices*");
  await admin.reload();
  await row("Ladies' softball").waitFor();
  expect(await row("Ladies' softball").getByText("Recurring").count()).toBe(0);
});

test("canceling asks first, says what it prevents, tells of a failure, and is for good", async () => {
  await admin.go(SCREEN);
  await admin.press("Cancel Ladies' softball");
  await admin.sees(`Are you sure you want to cancel "Ladies' softball"? This prevents scheduled device control.`);
  await admin.press("Keep schedule");
  await admin.press("Cancel Ladies' softball");
  await admin.page.getByRole("alertdialog").waitFor(); // its code does not come without a network
  await admin.page.context().setOffline(true);
  await admin.press("Cancel schedule");
  await admin.sees("Failed to cancel schedule");
  await admin.page.context().setOffline(false);
  const labels = await momentsOf(admin.page.getByRole("button", { name: "Cancel schedule" }));
  await admin.press("Cancel schedule");
  await admin.sees("Schedule canceled successfully");
  expect(await labels()).toContain("Canceling...");
  await admin.sees("Canceled", row("Ladies' softball"));
  expect(await row("Ladies' softball").getByRole("button").allInnerTexts()).toEqual(["Copy"]);
});

test("what is canceled or over meanwhile can no longer be changed", async () => {
  await book("Lantern walk", lamp.id);
  await admin.go(SCREEN);
  await hide(admin);
  await admin.press("Edit Lantern walk");
  await admin.sees("Edit Schedule");
  const { id } = await schedule("Lantern walk");
  await api.call("PUT", `/schedules/${id}/cancel`);
  await admin.press("Save changes");
  await admin.sees("This schedule is already canceled and can't be edited");

  await exec(
    server,
    `UPDATE schedules SET status = 'scheduled', last_end_at = '2026-01-01T00:00:00.000Z' WHERE id = '${id}'`,
  );
  await admin.press("Save changes");
  await admin.sees("This schedule is already completed and can't be edited");
  await admin.go(SCREEN);
  await admin.sees("Completed", row("Lantern walk"));
  expect(await row("Lantern walk").getByRole("button").allInnerTexts()).toEqual(["Copy"]);
});

test("what fails is told, and the screen stays", async () => {
  await admin.go(`${SCREEN}&new=`);
  await field("Title").fill("Lost");
  await field("Area").selectOption("Medlar Court");
  await field("Device").selectOption("Medlar gate");
  await from(day(0).date, "18:00", "22:00");
  await hide(admin);
  await without(server, "schedules", async () => {
    await admin.press("Create Schedule");
    await admin.sees("Failed to save schedule");
    expect(await field("Title").inputValue()).toBe("Lost");
    await admin.go(SCREEN);
    await admin.sees("Failed to fetch schedules");
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await admin.sees("Lantern walk");
});

test("a manager adds, edits and cancels; an employee looks, and not into other departments", async () => {
  await book("Pond concert", (await deviceNamed(api, "Medlar pond")).id);
  await book("Gate concert", lamp.id);
  const manager = await visitAs(browser, server, "manager");
  await manager.go(SCREEN);
  await manager.sees("Pond concert");
  expect((await manager.buttons(CHANGES)).toSorted()).toEqual([
    "Cancel Gate concert",
    "Cancel Pond concert",
    "Edit Gate concert",
    "Edit Pond concert",
    "New Schedule",
  ]);
  await manager.press("Cancel Pond concert");
  await manager.press("Cancel schedule");
  await manager.sees("Schedule canceled successfully");
  await manager.page.close();

  const employee = await visitAs(browser, server, "employee");
  await employee.go(`${SCREEN}&new=`);
  await employee.sees("Gate concert");
  expect(await employee.page.getByText("Pond concert").count()).toBe(0);
  expect(await employee.buttons(CHANGES)).toEqual([]);
  expect(await employee.page.getByRole("dialog").count()).toBe(0);
  await employee.page.close();
});

test("an auditor's department is not theirs to change, whatever their role", async () => {
  const users = (await api.call("GET", "/users")).data;
  const { id } = users.find(({ email }: { email: string }) => email === "auditor@parks.example");
  await api.call("PUT", `/users/${id}`, { role: "manager" });
  const pitch = (await api.call("POST", "/devices", { name: "Medlar pitch", area_id: lamp.area_id })).data;
  await book("Night training", pitch.id);
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.go(SCREEN);
  await auditor.press("Cancel Night training");
  await server.query("UPDATE devices SET dept_id = 'demo-dept-sports' WHERE id = ?", pitch.id);
  await auditor.press("Cancel schedule");
  await auditor.sees("Permission denied");
  await auditor.reload();
  await auditor.sees("Night training");
  expect(await auditor.buttons(/Night training/)).toEqual(["Copy Night training"]);
  await auditor.page.close();
});

test("a link opens the form of a schedule that its list does not show; nothing found is not nothing there", async () => {
  const { data } = await api.call("GET", "/schedules");
  const open = data.find(({ status }: { status: string }) => status === "scheduled");
  await admin.go(`/schedules?q=nowhere&edit=${open.id}`);
  await admin.sees("Edit Schedule");
  expect(await field("Title").inputValue()).toBe(open.title);
  await admin.press("Cancel");
  await admin.sees("Nothing matches your search");
  await exec(server, "DELETE FROM schedules");
  await admin.go(SCREEN);
  await admin.sees("No Schedules Found");
});

test("in an inactive area no schedule is said to run, or to be next", async () => {
  const [light] = await aPlace(api, "Medlar yard", ["Medlar yard lamp"]);
  const [title, now] = ["Medlar evenings", Date.now()];
  const [start_at, end_at] = [now - 3_600_000, now + 3_600_000].map((at) => new Date(at).toISOString());
  const booking = { title, area_id: light?.area_id, device_id: light?.id, start_at, end_at };
  await api.call("POST", "/schedules", { ...booking, rrule: "FREQ=DAILY" });
  const card = async () => cardIn(await htmlOf(admin.page, server, SCREEN), title);
  const told = async () => wordsOf(await card());
  expect(await told()).toMatch(/Running now .* Next: /);
  // It may be kept dark, as by a closure: it does not look as a lit lamp does.
  expect(await card()).not.toContain("badge-lit");
  await api.call("PUT", `/areas/${light?.area_id}`, { name: "Medlar yard", active: false });
  expect(await told()).toContain("Lights nothing: its area is inactive");
  expect(await told()).not.toMatch(/Running now|Next:/);
});

test("in an inactive area the list's, the week's and the night's form to skip a night do not say that one runs", async () => {
  const [light] = await aPlace(api, "Quince", ["Quince lamp"]);
  const now = Date.now();
  const [start_at, end_at] = [now - 3_600_000, now + 3_600_000].map((at) => new Date(at).toISOString());
  const area_id = light?.area_id;
  const booking = { title: "Quince", area_id, device_id: light?.id, start_at, end_at, rrule: "FREQ=DAILY" };
  const { data } = await api.call("POST", "/schedules", booking);
  const paths = ["/schedules?q=nowhere", `/schedules?view=week&area=${area_id}`, "/tonight?"];
  const context = await browser.newContext();
  await signIn(context, server, "admin@parks.example");
  // As a browser without script has it, for which the server draws the form.
  await context.addCookies([{ name: "script", value: "off", url: server.url }]);
  const forms = () =>
    Promise.all(paths.map(async (path) => wordsOf(await htmlOf(context, server, `${path}&skip=${data.id}`))));
  const running = "The first one runs now; its lights go off.";
  for (const form of await forms()) expect(form).toMatch(new RegExp(`Skip a night Quince: .*${running}`));
  await api.call("PUT", `/areas/${area_id}`, { name: "Quince", active: false });
  for (const form of await forms()) {
    expect(form).toMatch(/Skip a night Quince: .* Night .* Reason /);
    expect(form).not.toContain(running);
  }
  await context.close();
});

test("of schedules with one title each button tells which one it is about", async () => {
  const [first, second] = await aPlace(api, "Damson field", ["Damson east", "Damson west"]);
  const day = Date.now() + 86_400_000;
  const [start_at, end_at, later_at] = [day, day + 3_600_000, day + 7_200_000].map((at) => new Date(at).toISOString());
  const title = "Damson practice";
  const booking = { title, area_id: first?.area_id, device_id: first?.id, start_at, end_at, rrule: "FREQ=DAILY" };
  const { data } = await api.call("POST", "/schedules", booking);
  await api.call("PUT", `/schedules/${data.id}/skip`, { start_at });
  await admin.go("/schedules?q=damson");
  // One alone needs no more than its title.
  for (const verb of ["Edit", "Cancel", "Skip a night of", "Copy"])
    await admin.page.getByRole("button", { name: `${verb} ${title}`, exact: true }).waitFor();
  const other = await api.call("POST", "/schedules", { ...booking, device_id: second?.id });
  await api.call("PUT", `/schedules/${other.data.id}/skip`, { start_at });
  await api.call("POST", "/schedules", { ...booking, start_at: end_at, end_at: later_at });
  await admin.go("/schedules?q=damson");
  const buttons = () => admin.buttons(/Damson practice/);
  await expect.poll(async () => (await buttons()).length).toBe(4 * 3 + 2);
  const names = await buttons();
  expect(new Set(names).size).toBe(names.length);
  await admin.press("Select");
  const boxes = admin.page.getByRole("checkbox", { name: /^Select Damson practice/ });
  await expect.poll(() => boxes.count()).toBe(3);
  const chosen = await boxes.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
  expect(new Set(chosen).size).toBe(3);
});

test("a description of several lines stays as it is when another field is edited", async () => {
  await book("Told at length", lamp.id);
  const { id, ...booked } = await schedule("Told at length");
  const described = { ...booked, description_short: "Both diamonds\nKeys at the gate" };
  await api.call("PUT", `/schedules/${id}`, described);
  await admin.go(`/schedules?edit=${id}`);
  await field("Title").fill("Told in short");
  await admin.press("Save changes");
  await admin.sees("Schedule updated successfully");
  const { description_short } = described;
  expect(await schedule("Told in short")).toMatchObject({ description_short });
  await api.call("PUT", `/schedules/${id}/cancel`);
});

test("what begins in the second of two like hours still does when another field, or its hours, are sent", async () => {
  const start = nextSecondHour() + 15 * 60_000;
  const [start_at, end_at] = [new Date(start).toISOString(), new Date(start + 30 * 60_000).toISOString()];
  const late = { title: "Late practice", area_id: lamp.area_id, device_id: lamp.id, start_at, end_at, rrule: null };
  const { data } = await api.call("POST", "/schedules", late);
  await admin.go(`/schedules?edit=${data.id}`);
  await admin.sees("Edit Schedule");
  expect(await Promise.all([field("Start time").inputValue(), field("End time").inputValue()])).toEqual([
    "01:15",
    "01:45",
  ]);
  await field("Title").fill("Later practice");
  await admin.press("Save changes");
  await admin.sees("Schedule updated successfully");
  expect(await schedule("Later practice")).toMatchObject({ start_at, end_at });

  const week = toLocalInput(start, ZONE).date;
  await admin.go(`/schedules?view=week&area=${lamp.area_id}&week=${week}&move=${data.id}`);
  await field("End time").fill("02:30");
  await admin.press("Change hours");
  await admin.sees("Schedule updated successfully");
  const later_at = new Date(start + 75 * 60_000).toISOString();
  expect(await schedule("Later practice")).toMatchObject({ start_at, end_at: later_at });
});

test("an edit that stood open while the city came to another zone changes no hours", async () => {
  await book("Zoned practice", lamp.id);
  const { id, start_at, end_at } = await schedule("Zoned practice");
  await admin.go(SCREEN);
  await admin.sees(/6:00 PM$/, row("Zoned practice"));
  await admin.page.getByText("Live", { exact: true }).waitFor();
  await admin.press("Edit Zoned practice");
  await admin.sees("Edit Schedule");
  await api.call("POST", "/admin/settings", { APP_TIMEZONE: "America/Denver" });
  try {
    // Beside a dialog the list has no roles.
    const behind = admin.page.locator("article", { hasText: "Zoned practice" });
    await expect.poll(() => behind.innerText()).toContain("7:00 PM");
    expect(await field("Start time").inputValue()).toBe("18:00");
    await admin.sees("All times are in America/Los_Angeles");
    await field("Title").fill("Zoned practice, moved");
    await admin.press("Save changes");
    await admin.sees("Schedule updated successfully");
    expect(await schedule("Zoned practice, moved")).toMatchObject({ id, start_at, end_at });
  } finally {
    await api.call("POST", "/admin/settings", { APP_TIMEZONE: ZONE });
    await api.call("PUT", `/schedules/${id}/cancel`);
  }
});

async function from(date: string, start: string, end: string, end_date?: string) {
  await field("Start date").fill(date);
  await field("Start time").fill(start);
  if (end_date) await field("End date").fill(end_date);
  await field("End time").fill(end);
}

/** Sent, and answered with the sentence. */
async function refused(sentence: string) {
  await admin.press("Create Schedule");
  await admin.sees(sentence, admin.page.getByRole("dialog"));
}

/** The one field that is marked, and where one is led to. */
async function wrongIs(label: string) {
  await field(label).and(admin.page.locator(":focus")).waitFor();
  expect(await field(label).getAttribute("aria-invalid")).toBe("true");
  expect(await admin.page.getByRole("dialog").locator("[aria-invalid=true]").count()).toBe(1);
}

/** With as little room as beside a phone's keyboard. */
async function onAPhone(work: () => Promise<void>) {
  await admin.page.setViewportSize({ width: 375, height: 500 });
  await work();
  await admin.page.setViewportSize({ width: 1280, height: 720 });
}

const topOf = (element: Locator) => element.evaluate((node) => node.getBoundingClientRect().top);
const bottomOf = (element: Locator) => element.evaluate((node) => node.getBoundingClientRect().bottom);

async function preview(): Promise<string[]> {
  const region = admin.page.getByRole("region", { name: "Preview" });
  // At once: with the next answer there may be fewer lines.
  const texts = await region.evaluate((node) =>
    [node.querySelector("p"), ...node.querySelectorAll("li")].map((line) => line?.innerText ?? ""),
  );
  return texts.map((text) => text.replace(/\s+/g, " "));
}

async function book(title: string, device_id: string) {
  const [start_at, end_at] = [`${day(1).date}T02:00:00.000Z`, `${day(1).date}T04:00:00.000Z`];
  await api.call("POST", "/schedules", { title, area_id: lamp.area_id, device_id, start_at, end_at, rrule: null });
}

async function schedule(
  title: string,
): Promise<{ id: string; start_at: string; end_at: string; rrule: string | null }> {
  const { data } = await api.call("GET", "/schedules");
  return data.find((each: { title: string }) => each.title === title);
}

/** So many days after the first Monday of next February: always ahead, and far from a change of the clock. */
function day(after: number): { date: string; words: string } {
  const at = new Date(MONDAY + after * 86_400_000);
  const weekday = at.toLocaleDateString("en-US", { weekday: "short", timeZone: "UTC" });
  return { date: at.toISOString().slice(0, 10), words: `${weekday}, ${month(after)}` };
}

function month(after: number): string {
  const at = new Date(MONDAY + after * 86_400_000);
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}`;
}

/** When an hour next begins for the second time. */
function nextSecondHour(): number {
  const hour = 3_600_000;
  let at = Math.ceil(Date.now() / hour) * hour;
  while (toInstant(ZONE, toWall(ZONE, at)) === at) at += hour;
  return at;
}

function firstMonday(): number {
  const first = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 1, 1));
  return first.getTime() + ((8 - first.getUTCDay()) % 7) * 86_400_000;
}
