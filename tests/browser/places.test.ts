import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, type Staff } from "#tests/support/staff";
import { visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let staff: Staff;
let admin: Visit;
let area_id: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  staff = await signedInAs(server, "admin");
  const [lamp] = await aPlace(staff, "Yarrow Walk", ["Yarrow east", "Yarrow middle", "Yarrow west"]);
  area_id = lamp?.area_id ?? "";
  await staff.call("PUT", `/areas/${area_id}`, { name: "Yarrow Walk", type: "path", location: null });
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const field = (label: string) => admin.page.getByRole("dialog").getByLabel(label, { exact: true });
const row = (table: string, name: RegExp) =>
  admin.page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: name });

test("lights of an area are grouped, regrouped and ungrouped on its page", async () => {
  await admin.go(`/areas/${area_id}`);
  await admin.sees("No group yet. Lights of a group are scheduled, closed and switched together.");
  await admin.press("New group");
  await field("Yarrow east").waitFor();
  await admin.press("Create Group");
  await admin.sees("Group name and area are required");
  await field("Name").fill("Underpass");
  await admin.press("Create Group");
  await admin.sees("Choose 1 to 500 devices");
  await field("Yarrow east").check();
  await field("Yarrow west").check();
  await admin.sees("2 of 3");
  await admin.press("Create Group");
  await admin.sees("Group created successfully");
  await admin.sees("2 lights, 0 on");

  await admin.press("Edit Underpass");
  await field("Yarrow middle").check();
  await admin.press("Save changes");
  await admin.sees("Group updated successfully");
  await admin.sees("3 lights, 0 on");

  await admin.press("Delete Underpass");
  await admin.sees(
    'Are you sure you want to delete the group "Underpass"? Its lights stay. With it go a guardrail policy of its own, and its schedules, closures and permits that are canceled or over.',
  );
  await admin.press("Delete");
  await admin.sees('Group "Underpass" deleted successfully');
});

test("paths burn from dusk to dawn beside fields that are dark at ten, each with the level that says so", async () => {
  await admin.go("/guardrails");
  await admin.press("New Policy");
  await admin.press("Create Policy");
  await admin.sees("Select a type, an area or a group");
  await field("For").selectOption("Path");
  await field("Dark time").selectOption("None");
  await field("Longest time on").selectOption("Its own");
  await field("Max ON duration (minutes)").fill("5000");
  await admin.press("Create Policy");
  await admin.sees("Max ON duration must be a whole number from 0 to 1440");
  await field("Max ON duration (minutes)").fill("960");
  await admin.press("Create Policy");
  await admin.sees("Policy created successfully");

  await admin.press("New Policy");
  await field("For").selectOption("Field");
  await field("Dark time").selectOption("Its own");
  await field("Hard curfew").fill("10 PM");
  await admin.press("Create Policy");
  await admin.sees("The curfew must be a time as HH:MM, or empty for none");
  await field("Hard curfew").fill("22:00");
  await field("Blackout window").fill("22:00-05:00");
  await admin.press("Create Policy");
  await admin.sees("Policy created successfully");

  const ends = "What each area ends up with";
  await expect.poll(() => row(ends, /Yarrow Walk/).innerText()).toContain("No dark time (all of type path)");
  expect(await row(ends, /Yarrow Walk/).innerText()).toContain("At most 16 h (all of type path)");
  const fieldRow = await row(ends, /Field/).first().innerText();
  expect(fieldRow).toContain("Dark 10:00 PM - 5:00 AM (all of type field)");
  expect(fieldRow).toContain("At most 4 h (the organization)");

  await admin.go(`/areas/${area_id}`);
  await admin.sees("No dark time");
  await admin.sees("At most 16 h");
});

test("a policy is edited and deleted, and its places inherit again", async () => {
  await admin.go("/guardrails");
  await admin.press("Edit All of type path");
  expect(await field("Dark time").inputValue()).toBe("none");
  await field("Dark time").selectOption("Inherited");
  await admin.press("Save changes");
  await admin.sees("Policy updated successfully");
  await expect.poll(() => row("Policies", /All of type path/).innerText()).toContain("Dark time inherited");
  await admin.press("Delete All of type path");
  await admin.press("Delete");
  await admin.sees("Policy deleted successfully");
  await expect.poll(() => row("Policies", /All of type path/).count()).toBe(0);
});

test("an admin who audits a department is offered no policy of a place with its lights", async () => {
  const place = { HARD_CURFEW_OFF: "21:00", BLACKOUT_WINDOW: "" };
  const [audited, own] = await Promise.all([
    aPlace(staff, "Audited Walk", ["Audited lamp"]),
    aPlace(staff, "Open Walk", ["Open lamp"]),
  ]);
  const areas = [audited[0]?.area_id, own[0]?.area_id];
  for (const id of areas) await staff.call("PUT", `/admin/policies/area/${id}`, place);
  const { data } = await staff.call("POST", "/departments", { name: "Inspection" });
  await staff.call("PUT", `/devices/${audited[0]?.id}`, { ...audited[0], dept_id: data.id });
  const me = await staff.call("GET", "/auth/me");
  await staff.call("POST", `/departments/${data.id}/members`, { user_id: me.id, role: "dept_auditor" });

  await admin.go("/guardrails");
  await row("Policies", /Audited Walk/).waitFor();
  expect(await admin.buttons(/(Audited|Open) Walk/)).toEqual(["Edit Open Walk", "Delete Open Walk"]);
  await admin.go(`/guardrails?delete=area:${areas[0]}`);
  await row("Policies", /Audited Walk/).waitFor();
  expect(await admin.page.getByRole("dialog").count()).toBe(0);
  await staff.call("DELETE", `/admin/policies/area/${areas[1]}`);
  await admin.go("/guardrails");
  await admin.press("New Policy");
  await field("For").waitFor();
  const places = await field("For").getByRole("option").allInnerTexts();
  expect(places.filter((name) => /(Audited|Open) Walk/.test(name))).toEqual(["Open Walk"]);
});

test("what was typed of a policy stays when a light of its place is given to a department that the admin audits", async () => {
  const [light] = await aPlace(staff, "Dusk Walk", ["Dusk lamp"]);
  const path = `/admin/policies/area/${light?.area_id}`;
  await staff.call("PUT", path, { HARD_CURFEW_OFF: "21:00" });
  const { data } = await staff.call("POST", "/departments", { name: "Evening inspection" });
  const me = await staff.call("GET", "/auth/me");
  await staff.call("POST", `/departments/${data.id}/members`, { user_id: me.id, role: "dept_auditor" });
  await admin.go(`/guardrails?edit=area:${light?.area_id}`);
  await field("Hard curfew").fill("20:15");
  await server.query("UPDATE devices SET dept_id = ? WHERE id = ?", data.id, light?.id ?? "");
  const edit = admin.page.getByRole("button", { name: "Edit Dusk Walk", includeHidden: true });
  const look = () => (admin.page.evaluate(() => dispatchEvent(new Event("focus"))), edit.count());
  await expect.poll(look, { timeout: 10_000, interval: 500 }).toBe(0);
  expect(await field("Hard curfew").inputValue()).toBe("20:15");
});
