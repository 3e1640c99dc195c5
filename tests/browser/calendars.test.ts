import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const field = (label: string) => admin.page.getByRole("dialog").getByLabel(label, { exact: true });
const row = () => admin.page.getByRole("list", { name: "Calendars" }).getByRole("listitem");

test("a calendar without dates, or with a line that is no date, is refused in a sentence", async () => {
  await admin.go("/settings");
  await admin.sees("No calendar yet. Holidays would be one.");
  await admin.press("New Calendar");
  await field("Name").fill("Holidays");
  await admin.press("Create Calendar");
  await admin.sees("A calendar needs at least one date");
  await field("Dates").fill("2099-01-01 New Year\nThanksgiving");
  await admin.press("Create Calendar");
  await admin.sees(/^Line 2: .*must be a date/);
  await field("Dates").fill("2099-01-01 New Year\n\n\nThanksgiving");
  await admin.press("Create Calendar");
  // As the editor counts them: the empty lines between two years are lines, too.
  await admin.sees(/^Line 4: .*must be a date/);
  await field("Dates").fill("2099-12-24 Christmas Eve\n2099-01-01 New Year");
  await admin.press("Create Calendar");
  await admin.sees("Calendar created successfully");
  expect(await row().innerText()).toContain("2 dates; next Thu, Jan 1, 2099: New Year");
});

test("dates of a calendar file are added; a web page is no calendar file", async () => {
  await admin.go("/settings"); // the toasts of before would cover the button, and stay where the pointer is over them
  await admin.press("Import dates into Holidays");
  const file = (text: string) => ({ name: "dates.ics", mimeType: "text/calendar", buffer: Buffer.from(text) });
  await field("Calendar file").setInputFiles(file("<!doctype html><title>Not found</title>"));
  await admin.press("Import");
  await admin.sees("This is a web page, not a calendar file. Download the file that ends in .ics");
  const event = ["BEGIN:VEVENT", "UID:1", "DTSTART;VALUE=DATE:20990704", "SUMMARY:Independence Day", "END:VEVENT"];
  const calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...event, "END:VCALENDAR", ""];
  await field("Calendar file").setInputFiles(file(calendar.join("\r\n")));
  await admin.press("Import");
  await admin.sees("Dates imported successfully");
  await expect.poll(() => row().innerText()).toContain("3 dates");
});

test.each([
  ["a little", 256 * 1024 + 1],
  ["much", 5 * 1024 * 1024],
])("a calendar file that is %s too large is refused in a sentence, and the form stays", async (_, bytes) => {
  await admin.go("/settings"); // the form of before may still be closing
  await admin.press("Import dates into Holidays");
  const large = { name: "dates.ics", mimeType: "text/calendar", buffer: Buffer.alloc(bytes, "x") };
  await field("Calendar file").setInputFiles(large);
  await admin.press("Import");
  await admin.sees("A calendar file may have at most 256 KiB");
  await field("Calendar file").waitFor();
});

test("a calendar is edited and deleted", async () => {
  await admin.go("/settings"); // the form of before may still be closing
  await admin.press("Edit Holidays");
  expect(await field("Dates").inputValue()).toContain("2099-07-04 Independence Day");
  await field("Name").fill("City holidays");
  await admin.press("Save changes");
  await admin.sees("Calendar updated successfully");
  await admin.go("/settings"); // the toasts of before would cover the button
  await admin.press("Delete City holidays");
  await admin.press("Delete");
  await admin.sees("Calendar deleted successfully");
  await admin.sees("No calendar yet. Holidays would be one.");
});

test("the city's position is one of the settings, and must be on the globe", async () => {
  await admin.go("/settings");
  await admin.page.getByLabel("Latitude").fill("91");
  await admin.page.getByLabel("Longitude").fill("-118.24");
  await admin.press("Save Settings");
  await admin.page.locator("[aria-invalid=true]").first().waitFor();
  await admin.page.getByLabel("Latitude").fill("34.05");
  await admin.press("Save Settings");
  await admin.sees("Settings saved successfully");
  expect(await admin.page.getByLabel("Latitude").inputValue()).toBe("34.05");
});
