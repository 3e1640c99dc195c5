import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromLocalInput, toLocalInput } from "#domain/time/display";
import { toIso } from "#domain/time/to-iso";
import { DAY_MS } from "#domain/time/units";
import { aBrowser, leave } from "#tests/support/chromium";
import { PATHS } from "#tests/support/screens";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, deviceNamed, signedInAs, withoutNight } from "#tests/support/staff";
import { signIn } from "#tests/support/visit";

const LOS_ANGELES = "America/Los_Angeles";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await withoutNight(await signedInAs(server, "admin"));
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("areas, hubs and lights are made, changed and deleted without JavaScript", async () => {
  await (await signedInAs(server, "admin")).call("POST", "/admin/agents", { name: "Plain box" });
  const { page, sees, press } = await visit("admin");
  const form = page.locator("[data-dialog-page]");

  await page.getByRole("link", { name: "Areas", exact: true }).click();
  await press("New Area");
  await press("Create Area");
  await sees("Area name is required");
  await form.getByLabel("Name").and(page.locator(":focus")).waitFor();
  await form.getByLabel("Address").fill("1 Plain Street");
  await form.getByLabel("Name").fill("Plain Park");
  await press("Create Area");
  await sees("Area created successfully");
  expect(await page.getByRole("article", { name: "Plain Park" }).innerText()).toContain("1 Plain Street");
  expect(new URL(page.url()).search).toBe("");

  await press("Edit Plain Park");
  await form.getByLabel("Name").fill("");
  await form.getByLabel("Type").selectOption("river");
  await press("Save changes");
  await sees("Area name is required");
  expect(await form.getByLabel("Type").inputValue()).toBe("river");
  await form.getByLabel("Name").fill("Plain River");
  await press("Save changes");
  await sees("Area updated successfully");

  await page.getByRole("link", { name: "Hubs", exact: true }).click();
  await press("New Hub");
  await form.getByLabel("Name").fill("Plain hub");
  await form.getByLabel("Area").selectOption("Plain River");
  await form.getByLabel("Agent").selectOption("Plain box");
  await form.getByLabel("IP address").fill("10.0.0.300");
  await press("Create Hub");
  await sees("Please enter a valid IP address");
  expect(await form.getByLabel("Name").inputValue()).toBe("Plain hub");
  expect(await form.getByLabel("Agent").locator("option[selected]").innerText()).toBe("Plain box");
  await form.getByLabel("IP address").fill("10.0.0.30");
  await press("Create Hub");
  await sees("Hub created successfully");

  await page.getByRole("link", { name: "Devices", exact: true }).click();
  await press("New Device");
  await form.getByLabel("Name").fill("Plain lamp");
  await form.getByLabel("Area").selectOption("Plain River");
  await form.getByLabel("Hub").selectOption("Plain hub (Plain River)");
  await press("Create Device");
  await sees("Device created successfully");

  await page.getByRole("link", { name: "Areas", exact: true }).click();
  await press("Delete Plain River");
  await sees('Are you sure you want to delete "Plain River"? Associated hubs and devices will be removed.');
  await page.getByText(/^With it go .*1 light/).waitFor();
  expect(await page.getByRole("article", { name: "Plain River" }).isVisible()).toBe(false);
  await press("Delete");
  await sees('Area "Plain River" deleted successfully');
  expect(await page.getByRole("article", { name: "Plain River" }).count()).toBe(0);
  await page.context().close();
});

test("who moves a light without JavaScript is told what it left", async () => {
  const staff = await signedInAs(server, "admin");
  await aPlace(staff, "Plain Meadow", ["Plain bench"]);
  const { id, area_id } = await deviceNamed(staff, "Plain bench");
  await staff.call("POST", "/groups", { name: "Plain seats", area_id, device_ids: [id] });
  const { page, sees, press } = await visit("admin");
  await page.goto(`${server.url}/devices?q=Plain+bench`);
  await press("Edit Plain bench");
  await press("Save changes");
  await sees("Device updated successfully");
  expect(await page.getByText("It left").count()).toBe(0);
  await press("Edit Plain bench");
  await page.locator("[data-dialog-page]").getByLabel("Area").selectOption("Viaduct Path");
  await page.locator("[data-dialog-page]").getByLabel("Hub").selectOption("No hub");
  await press("Save changes");
  await sees("It left 1 group.");
  await page.context().close();
});

test("settings that are refused keep what was typed, and do not put back what another admin saves meanwhile", async () => {
  const { page, sees, press } = await visit("admin");
  const api = await signedInAs(server, "admin");
  await page.getByRole("link", { name: "Settings", exact: true }).first().click();
  const field = (label: string | RegExp) => page.getByLabel(label);
  const zone = page.getByRole("combobox", { name: "Timezone" });
  await field(/^Hub check interval/).fill("5");
  await field(/^Session time-out/).fill("90");
  await zone.selectOption("UTC");
  await field("manager").check();
  await api.call("POST", "/admin/settings", { HUB_OFFLINE_ALERT_MIN: 33 });
  await press("Save Settings");
  await page.locator("[id$=-error]").first().waitFor();
  const typed = [field(/^Hub check interval/), field(/^Session time-out/), zone];
  expect(await Promise.all(typed.map((one) => one.inputValue()))).toEqual(["5", "90", "UTC"]);
  expect([await field("manager").isChecked(), await field("employee").isChecked()]).toEqual([true, false]);
  await field(/^Hub check interval/).fill("200");
  await field("manager").uncheck();
  await zone.selectOption("America/Los_Angeles");
  await press("Save Settings");
  await sees("Settings saved successfully");
  const { HUB_CHECK_INTERVAL_SEC, SESSION_IDLE_MIN, HUB_OFFLINE_ALERT_MIN } = await api.call("GET", "/admin/settings");
  expect({ HUB_CHECK_INTERVAL_SEC, SESSION_IDLE_MIN, HUB_OFFLINE_ALERT_MIN }).toEqual({
    HUB_CHECK_INTERVAL_SEC: 200,
    SESSION_IDLE_MIN: 90,
    HUB_OFFLINE_ALERT_MIN: 33,
  });
  await api.call("POST", "/admin/settings", {
    HUB_CHECK_INTERVAL_SEC: 180,
    SESSION_IDLE_MIN: 60,
    HUB_OFFLINE_ALERT_MIN: 15,
  });
});

test("a schedule is made and canceled without JavaScript", async () => {
  await aPlace(await signedInAs(server, "manager"), "Plain Green", ["Plain post"]);
  const { page, sees, press } = await visit("admin");
  const form = page.locator("[data-dialog-page]");
  await page.getByRole("link", { name: "Schedules", exact: true }).click();
  await press("New Schedule");
  await form.getByLabel("Title").fill("Plain evening");
  await form.getByLabel("Area").selectOption("Plain Green");
  await form.getByLabel("Device").selectOption("Plain post (Plain Green)");
  const tomorrow = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10);
  await form.getByLabel("Start date").fill(tomorrow);
  await form.getByLabel("Start time").fill("18:00");
  await form.getByLabel("End date").fill(tomorrow);
  await form.getByLabel("End time").fill("20:30");
  await form.getByLabel("Recurrence").selectOption("Weekly");
  await press("Create Schedule");
  await sees("Please select at least one day for weekly recurring");
  await form.getByLabel("Monday").and(page.locator(":focus")).waitFor();
  await form.getByLabel("Monday").check({ force: true });
  await form.getByLabel("Number of times").fill("4");
  await press("Create Schedule");
  await sees("Schedule created successfully");
  const row = page.getByRole("article", { name: "Plain evening" });
  expect(await row.innerText()).toContain("(2.5 hours)");
  expect(await row.innerText()).toContain("Every Mon, 6:00 PM - 8:30 PM, 4 times");

  await press("Cancel Plain evening");
  await press("Keep schedule");
  await press("Cancel Plain evening");
  await press("Cancel schedule");
  await sees("Schedule canceled successfully");
  await page.context().close();
});

test("a form that is refused means the hours by the zone that it showed, also once the city has come to another", async () => {
  const [lamp] = await aPlace(await signedInAs(server, "manager"), "Plain Court", ["Plain court light"]);
  const api = await signedInAs(server, "admin");
  const { page, sees, press } = await visit("admin");
  const form = page.locator("[data-dialog-page]");
  const date = toLocalInput(Date.now() + 2 * DAY_MS, LOS_ANGELES).date;
  const at = toIso(fromLocalInput({ date, time: "19:30" }, LOS_ANGELES) ?? 0);
  const isAsShown = () => form.getByText("All times are in America/Los_Angeles").waitFor();
  try {
    await page.goto(`${server.url}/closures?new=&area_id=${lamp?.area_id}`);
    await form.getByLabel("From date").fill(date);
    await form.getByLabel("From time").fill("19:30");
    await api.call("POST", "/admin/settings", { APP_TIMEZONE: "America/Denver" });
    await press("Create Closure");
    await isAsShown();
    await form.getByLabel("Reason").fill("plain ground");
    await press("Create Closure");
    await sees("Closure created successfully");
    const { data: closures } = await api.call("GET", "/closures");
    expect(closures.map(({ from }: { from: string }) => from)).toEqual([at]);

    await api.call("POST", "/admin/settings", { APP_TIMEZONE: LOS_ANGELES });
    await page.goto(`${server.url}/schedules?new=&area_id=${lamp?.area_id}&device_id=${lamp?.id}`);
    await form.getByLabel("Start date").fill(date);
    await form.getByLabel("Start time").fill("19:30");
    await form.getByLabel("End date").fill(date);
    await form.getByLabel("End time").fill("21:00");
    await api.call("POST", "/admin/settings", { APP_TIMEZONE: "America/Denver" });
    await press("Create Schedule");
    await isAsShown();
    await form.getByLabel("Title").fill("Plain game");
    await press("Create Schedule");
    await sees("Schedule created successfully");
    const { data: schedules } = await api.call("GET", "/schedules");
    const made = schedules.find(({ title }: { title: string }) => title === "Plain game");
    expect(made).toMatchObject({ start_at: at, timezone: LOS_ANGELES });
  } finally {
    await api.call("POST", "/admin/settings", { APP_TIMEZONE: LOS_ANGELES });
    await page.context().close();
  }
});

test("a light is switched without JavaScript, and the list it was found in stays", async () => {
  await aPlace(await signedInAs(server, "manager"), "Plain Field", ["Plain mast"]);
  const { page, sees, press } = await visit("manager");
  await page.getByRole("link", { name: "Devices", exact: true }).click();
  await page.getByRole("searchbox").fill("Plain mast");
  await page.getByRole("searchbox").press("Enter");
  await press("Turn on Plain mast");
  await sees("Device turned on successfully");
  expect(await page.getByRole("article", { name: "Plain mast" }).getAttribute("data-state")).toBe("on");
  expect(new URL(page.url()).searchParams.get("q")).toBe("Plain mast");
  await press("Turn off Plain mast");
  await sees("Device turned off successfully");
  await page.context().close();
});

test("who and where are changed without JavaScript: department, password, organization, sign-out", async () => {
  const { page, sees, press } = await visit("regional");
  await page.getByLabel("Organization", { exact: true }).selectOption("Brightwater Harbor");
  await press("Switch organization");
  expect(await chosen(page, "Organization")).toBe("Brightwater Harbor");
  await page.getByLabel("Department", { exact: true }).selectOption({ index: 1 });
  await press("Switch department");
  expect(await chosen(page, "Department")).not.toBe("All Departments");

  await press("User menu");
  await press("Change password");
  await page.getByLabel("Current password").fill("not the password");
  await page.getByLabel("New password", { exact: true }).fill("a long new password");
  await page.getByLabel("New password again").fill("a long new password");
  await press("Change password");
  await sees("The current password is not correct");
  expect(await page.getByLabel("Current password").inputValue()).toBe("");
  await page.getByLabel("Current password").fill("lamplighter-demo");
  await page.getByLabel("New password", { exact: true }).fill("a long new password");
  await page.getByLabel("New password again").fill("a long new password");
  await press("Change password");
  await sees("Password changed");

  await press("Sign out");
  await sees("Logged out successfully");
  await page.goto(`${server.url}/devices`);
  expect(new URL(page.url()).pathname).toBe("/login");
  await signInByForm(page, "regional", "lamplighter-demo");
  await page.locator("form").getByText("Incorrect email or password").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe("regional@parks.example");
  await signInByForm(page, "regional", "a long new password");
  await sees("Login successful!");
  await page.context().close();
});

test("every screen is whole without JavaScript, and nothing is left waiting", async () => {
  const { page } = await visit("admin");
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""));
  expect(paths).toEqual(expect.arrayContaining(["/dashboard", "/tonight", "/alarms", "/settings"]));
  for (const path of new Set([...paths, ...PATHS])) {
    await page.goto(server.url + path);
    expect(await page.getByRole("heading", { level: 1 }).count(), path).toBe(1);
    expect(await page.getByText(/^Loading/).count()).toBe(0);
    expect(await page.locator("[data-placeholder]").count()).toBe(0);
    expect.soft(await deadButtons(page), path).toEqual([]);
  }
  await page.context().close();
});

test("where there is no script, nothing is offered that needs one", async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${server.url}/login`);
  expect(await deadButtons(page)).toEqual([]);
  await page.context().close();
});

/** What can be pressed, but neither sends a form nor opens something by itself. */
function deadButtons(page: Page) {
  const buttons = page.locator("button[type=button]:enabled:not([popovertarget], [commandfor])");
  return buttons.filter({ visible: true }).evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent));
}

function chosen(page: Page, switcher: string) {
  return page.getByLabel(switcher, { exact: true }).locator("option[selected]").innerText();
}

/** A demo account without JavaScript, on the dashboard. */
async function visit(name: string) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await signIn(context, server, `${name}@parks.example`);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const sees = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const press = (button: string) => page.getByRole("button", { name: button, exact: true }).last().click();
  // Where a first page sends whoever has no script.
  await page.goto(`${server.url}/no-script`, { referer: `${server.url}/dashboard` });
  return { page, sees, press };
}

async function signInByForm(page: Page, name: string, password: string) {
  await page.getByLabel("Email").fill(`${name}@parks.example`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}
