import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, type Staff } from "#tests/support/staff";
import { exec, hide, hold, keepFailure, meanwhile, tryAgain, type Visit, visitAs, without } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;
let api: Staff;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await exec(server, "DELETE FROM areas");
  api = await signedInAs(server, "admin");
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("without any there is a word for it", async () => {
  await admin.go("/areas");
  await admin.sees("Area Management");
  await admin.sees("No Areas Found");
});

test("an area needs a name; what is said about a field goes when the field is changed", async () => {
  await admin.press("New Area");
  expect(new URL(admin.page.url()).search).toBe("?new=");
  expect(await field("Type").inputValue()).toBe("park");
  await field("Name").fill("   ");
  await field("Latitude").fill("95");
  await field("Longitude").fill("east");
  await admin.press("Create Area");
  await admin.sees("Area name is required");
  await admin.sees("Latitude must be a number from -90 to 90");
  await admin.sees("Longitude must be a number from -180 to 180");
  expect(await field("Name").getAttribute("aria-invalid")).toBe("true");

  await field("Name").fill("Mill Park");
  expect(await dialog().getByText("Area name is required").count()).toBe(0);
  expect(await field("Name").getAttribute("aria-invalid")).toBe(null);
  await admin.sees("Latitude must be a number from -90 to 90");
});

test("a refusal that comes while somebody types elsewhere does not take the cursor", async () => {
  await field("Name").fill("");
  const { letGo } = await hold(admin, "POST");
  const sent = admin.page.waitForRequest((request) => request.method() === "POST");
  await admin.press("Create Area");
  await sent;
  await field("Address").focus();
  await admin.page.keyboard.type("3 Mi");
  await letGo();
  await admin.sees("Area name is required");
  await admin.page.keyboard.type("ll Lane", { delay: 30 });
  expect(await field("Address").inputValue()).toBe("3 Mill Lane");
  expect(await field("Name").inputValue()).toBe("");

  await field("Longitude").fill("170");
  await admin.press("Create Area");
  await expect.poll(() => field("Name").evaluate((input) => input === document.activeElement)).toBe(true);
  await field("Name").fill("Mill Park");
  await field("Latitude").fill("95");
  await field("Longitude").fill("east");
});

test("what a form is refused is told also where it was closed meanwhile", async () => {
  const { page, go, press, sees } = await visitAs(browser, server, "admin");
  await go("/areas?new=");
  await page.getByRole("dialog").getByLabel("Name").waitFor(); // the empty list has a button of the same name
  const { letGo } = await hold({ page }, "POST");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await press("Create Area");
  await sent;
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await letGo();
  await sees("Area name is required");
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("its card tells what is known; a latitude without a longitude is left out", async () => {
  await field("Address").fill("  3 Mill Lane  ");
  await field("Latitude").fill("44.6");
  await field("Longitude").fill("");
  await admin.press("Create Area");
  await admin.sees("Area created successfully");
  await admin.sees("park", card("Mill Park"));
  await admin.sees("Active", card("Mill Park"));
  await admin.sees(/3 Mill Lane$/, card("Mill Park"));
  expect(await card("Mill Park").innerText()).toMatch(/Created\s+[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M/);
  expect((await api.call("GET", "/areas")).data[0].location).toEqual({ address: "3 Mill Lane" });
});

test("the dialog is in the address: it can be linked, and the back button closes it", async () => {
  await admin.press("Edit Mill Park");
  await admin.sees("Edit Area");
  await admin.reload();
  await admin.sees("Edit Area");
  await admin.page.goBack();
  await admin.page.getByRole("dialog").waitFor({ state: "hidden" });
  await admin.page.goForward();
  await admin.sees("Edit Area");
});

test("it is edited", async () => {
  await field("Name").fill("Mill River");
  await field("Type").selectOption("River");
  await admin.page.getByRole("switch", { name: "Active" }).uncheck();
  await admin.press("Save changes");
  await admin.sees("Area updated successfully");
  await admin.sees("river", card("Mill River"));
  await admin.sees("Inactive", card("Mill River"));
});

test("somebody else's change is not overwritten", async () => {
  await admin.press("Edit Mill River");
  // A form that opens only after the other change begins with that change.
  await admin.sees("Edit Area");
  const { data } = await api.call("GET", "/areas");
  await api.call("PUT", `/areas/${data[0].id}`, { name: "Mill River", type: "path", location: null });
  await admin.press("Save changes");
  await admin.sees("This area was changed by someone else meanwhile. Reload and try again.");
  await admin.press("Cancel");
});

test("it is deleted after a warning, and says so while it is", async () => {
  await admin.press("Delete Mill River");
  await admin.sees(/^Are you sure .* "Mill River"\? Associated hubs and devices will be removed\.$/);
  await admin.press("Cancel");
  await admin.press("Delete Mill River");
  const { letGo } = await hold(admin, "POST");
  await admin.press("Delete");
  await admin.sees("Deleting...");
  expect(await admin.page.getByRole("button", { name: "Deleting..." }).isDisabled()).toBe(true);
  await letGo();
  await admin.sees('Area "Mill River" deleted successfully');
  await admin.sees("No Areas Found");
});

test("what fails is told, and what was typed stays", async () => {
  await aPlace(api, "Quarry Park", []);
  await without(server, "areas", async () => {
    await admin.go("/areas?new=");
    await admin.sees("Failed to fetch areas");
    await field("Name").fill("Lost");
    await admin.press("Create Area");
    await admin.sees("Failed to save area");
    expect(await field("Name").inputValue()).toBe("Lost");
    await admin.press("Cancel");
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await admin.press("Delete Quarry Park");
  await admin.page.getByRole("alertdialog").waitFor(); // its code does not come without a network
  await admin.page.context().setOffline(true);
  await admin.press("Delete");
  await admin.sees("Failed to delete area");
  await admin.page.context().setOffline(false);
  await admin.press("Cancel");
});

test("a screen that cannot be had keeps its heading, and comes when it can", async () => {
  await admin.go("/hubs");
  await admin.page.route("**/areas.data*", (route) => route.fulfill({ status: 500, body: "broken" }));
  await admin.page.getByRole("link", { name: "Areas", exact: true }).click();
  await admin.sees("Failed to fetch areas");
  await admin.page.getByRole("heading", { level: 1, name: "Area Management" }).waitFor();
  await keepFailure(admin);
  await admin.page.unroute("**/areas.data*");
  await tryAgain(admin);
  await admin.page.getByRole("article", { name: "Quarry Park" }).waitFor();
});

test("a list that fails once is no lost connection: it stays, and no bar says otherwise", async () => {
  const visit = await visitAs(browser, server, "admin");
  const { page, sees, press, go } = visit;
  await go("/devices");
  await sees("Device Management");
  await hide(visit); // a list that loads by itself meanwhile would fail in the place of the pressed one
  await page.route("**/devices.data*", (route) => route.fulfill({ status: 500, body: "broken" }));
  await press("Refresh");
  await sees("Failed to fetch devices");
  expect(await page.getByText("No connection to the server.", { exact: false }).count()).toBe(0);
  await page.getByRole("heading", { level: 1, name: "Device Management" }).waitFor();
  await page.unroute("**/devices.data*");
  await press("Refresh");
  await expect.poll(() => page.getByRole("button", { name: "Refresh" }).isEnabled()).toBe(true);
  await page.close();
});

test("who may no longer is told; who is no longer signed in is asked again", async () => {
  await hide(admin); // a list that is looked at again meanwhile takes the dialog from who may not edit
  await admin.press("Edit Quarry Park");
  await admin.sees("Edit Area");
  const role = (name: string) =>
    `UPDATE org_memberships SET role = '${name}' WHERE user_id = (SELECT id FROM users WHERE email = 'admin@parks.example')`;
  const demoted = async () => {
    await admin.press("Save changes");
    await admin.sees("Permission denied");
    await expect.poll(admin.loading).toBe(0); // the list that follows would lead to the sign-in page
  };
  await meanwhile(server, role("employee"), demoted, `${role("admin")}\nDELETE FROM sessions`);
  await admin.press("Save changes");
  await admin.page.waitForURL(/\/login(\?|$)/);
  await admin.sees("Session expired. Please login again.");
  expect(await admin.page.evaluate(() => [localStorage.getItem("token"), localStorage.getItem("user")])).toEqual([
    null,
    null,
  ]);
});

test.each([
  ["manager", ["New Area", "Edit Quarry Park"]],
  ["employee", []],
] as const)("a %s is offered %j, and no address opens more", async (name, buttons) => {
  const visit = await visitAs(browser, server, name);
  const { data } = await (await signedInAs(server, name)).call("GET", "/areas");
  for (const asked of [
    "",
    `?delete=${data[0].id}`,
    ...(buttons.length === 0 ? ["?new=", `?edit=${data[0].id}`] : []),
  ]) {
    await visit.go(`/areas${asked}`);
    await visit.sees("Quarry Park");
    expect(await visit.buttons(/^(New|Edit|Delete) /)).toEqual(buttons);
    expect(await visit.page.getByRole("dialog").or(visit.page.getByRole("alertdialog")).count()).toBe(0);
  }
  await visit.page.close();
});

const dialog = () => admin.page.getByRole("dialog");
const field = (label: string) => dialog().getByLabel(label);
const card = (name: string) => admin.page.getByRole("article", { name });
