import type { Browser, Locator, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs } from "#tests/support/staff";
import {
  aVisit,
  exec,
  htmlFor,
  keepFailure,
  loseNextAnswer,
  signIn,
  tryAgain,
  type Visit,
  visitAs,
  without,
  withoutDepartmentNames,
  ONE_CALL,
} from "#tests/support/visit";

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

test("a department is made with a name, and is empty at first", async () => {
  await admin.go("/departments");
  await admin.sees("Select a department to view and manage members");
  await admin.press("New Department");
  await admin.press("Create Department");
  await admin.sees("Department name is required");
  await admin.page.getByLabel("Name").fill("Winter crew");
  await admin.press("Create Department");
  await admin.sees("Department created successfully");
  await admin.page.getByRole("link", { name: "Winter crew" }).click();
  await admin.sees("No members yet");
  await expect.poll(() => admin.page.getByLabel("Department", { exact: true }).innerText()).toContain("Winter crew");
});

test("1280 and 390 px wide two departments whose names begin alike can be told apart", async () => {
  const visit = await visitAs(browser, server, "admin");
  const staff = await signedInAs(server, "admin");
  const names = ["north", "south"].map((end) => `Recreation and Parks, trees and lights of the valley, ${end}`);
  for (const name of names) await staff.call("POST", "/departments", { name });
  await visit.go("/departments");
  for (const width of [1280, 390]) {
    await visit.page.setViewportSize({ width, height: 900 });
    for (const name of names) {
      const link = visit.page.getByRole("main").getByRole("link", { name });
      expect(await isWhole(link.locator("span"))).toBe(true);
      await link.click();
      const heading = visit.page.getByRole("heading", { name });
      await heading.waitFor();
      expect(await isWhole(heading)).toBe(true);
    }
  }
});

function isWhole(text: Locator): Promise<boolean> {
  return text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
}

test("a member is chosen, added as staff, and removed after a question", async () => {
  await admin.press("Add Member");
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add Member" }).click();
  await admin.sees("Please select a user");
  expect(await dialog.getByLabel("Role").inputValue()).toBe("dept_staff");
  await dialog.getByLabel("User").selectOption("employee@parks.example");
  await dialog.getByRole("button", { name: "Add Member" }).click();
  await admin.sees("Member added successfully");

  await admin.press("Remove employee@parks.example");
  await admin.sees("Remove this member from the department?");
  await admin.press("Remove");
  await admin.sees("Member removed");
  await admin.sees("No members yet");
  await expect.poll(() => admin.page.url()).toMatch(/\?department=[\w-]+$/);
});

test("what fails with members is told", async () => {
  await admin.press("Add Member");
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("User").selectOption("manager@parks.example");
  await admin.page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Add Member" }).click();
  await admin.sees("Failed to add member");
  await admin.page.context().setOffline(false);
  await dialog.getByRole("button", { name: "Add Member" }).click();
  await admin.sees("Member added successfully");

  await admin.press("Remove manager@parks.example");
  await admin.page.getByRole("alertdialog").waitFor(); // its code does not come without a network
  await admin.page.context().setOffline(true);
  await admin.press("Remove");
  await admin.sees("Failed to remove member");
  await admin.page.context().setOffline(false);
  await admin.press("Cancel");
});

test("a member who was added without an answer is still the chosen one, and is added once", async () => {
  const { page, ...alone } = await visitAs(browser, server, "admin");
  const staff = await signedInAs(server, "admin");
  const { data: made } = await staff.call("POST", "/departments", { name: "Lost crew" });
  await alone.go(`/departments?department=${made.id}&add=${made.id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User").selectOption("employee@parks.example");
  await loseNextAnswer({ page });
  await dialog.getByRole("button", { name: "Add Member" }).click();
  await alone.sees("Failed to add member");
  await page.locator("[aria-label=Members]").getByText("employee@parks.example").waitFor({ state: "attached" });
  expect(await dialog.getByLabel("User").locator("option:checked").innerText()).toBe("employee@parks.example");
  await dialog.getByRole("button", { name: "Add Member" }).click();
  await alone.sees("Member added successfully");
  await dialog.waitFor({ state: "detached" });
  expect((await staff.call("GET", `/departments/${made.id}/members`)).data).toHaveLength(1);
  await staff.call("DELETE", `/departments/${made.id}`);
});

test("it is renamed and deleted", async () => {
  await admin.press("Edit Winter crew");
  await admin.page.getByLabel("Name").fill("Snow crew");
  await admin.page.context().setOffline(true);
  await admin.press("Save changes");
  await admin.sees("Failed to save department");
  await admin.page.context().setOffline(false);
  await admin.press("Save changes");
  await admin.sees("Department updated successfully");
  await admin.press("Delete Snow crew");
  await admin.sees('Are you sure you want to delete "Snow crew"? Its devices and workorders become organization-wide.');
  await admin.page.context().setOffline(true);
  await admin.press("Delete");
  await admin.sees("Failed to delete department");
  await admin.page.context().setOffline(false);
  await admin.press("Delete");
  await admin.sees("Department deleted successfully");
  await admin.sees("Select a department to view and manage members");
});

test("the form of a new member stays where the department is deleted elsewhere, and says so when it is sent", async () => {
  const staff = await signedInAs(server, "admin");
  const { data: made } = await staff.call("POST", "/departments", { name: "Short-lived crew" });
  const { page, ...alone } = await visitAs(browser, server, "admin");
  await alone.go(`/departments?department=${made.id}&add=${made.id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User").selectOption("employee@parks.example");
  await staff.call("DELETE", `/departments/${made.id}`);
  await page.locator("#main a", { hasText: "Short-lived crew" }).waitFor({ state: "detached" });
  expect(await dialog.getByLabel("User").locator("option:checked").innerText()).toBe("employee@parks.example");
  await dialog.getByRole("button", { name: "Add Member" }).click();
  await alone.sees("Department not found", dialog);
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await alone.sees("Select a department to view and manage members");
});

test("an invited person gets a code that is shown once, and chooses a password with it", async () => {
  await admin.page.getByRole("link", { name: "People" }).click();
  await admin.press("Invite Person");
  await admin.press("Invite");
  await admin.sees("Email is required");
  await admin.page.getByLabel("Email").fill("newcomer@parks.example");
  await admin.page.context().setOffline(true);
  await admin.press("Invite");
  await admin.sees("Failed to invite person");
  await admin.page.context().setOffline(false);
  await admin.press("Invite");
  await admin.sees("Person invited successfully");
  await admin.sees("Give them this one-time code. It is shown only now, works once and expires in 72 hours.");
  const code = await admin.page.getByRole("dialog").locator("code").innerText();
  await admin.reload();
  await admin.page.getByText("newcomer@parks.example").waitFor();
  await admin.sees("Invited");
  expect(await admin.page.getByText(code).count()).toBe(0);

  const { page, sees, press, go } = await aVisit(browser, server);
  await go("/login");
  await page.getByLabel("Email").fill("newcomer@parks.example");
  await page.getByLabel("Password").fill(code);
  await press("Sign In");
  await sees("Choose your password");
  await page.getByLabel("New password", { exact: true }).fill("newcomer@parks.example");
  await page.getByLabel("New password again").fill("newcomer@parks.example");
  await press("Set password");
  await sees(/^This password is too close to your e-mail/);
  await page.getByLabel("New password", { exact: true }).fill("seven lamps by the river");
  await press("Set password");
  await sees("The two passwords are not the same");
  await page.getByLabel("New password again").fill("seven lamps by the river");
  await press("Set password");
  await page.waitForURL("**/dashboard");
  await page.close();

  await admin.go("/departments?tab=people&new=");
  await admin.page.getByLabel("Email").fill("newcomer@parks.example");
  await admin.press("Invite");
  await admin.sees("This person is in the organization already");
  await admin.press("Cancel");
});

test("a first password that was set without an answer is told so, and signs the newcomer in", async () => {
  const email = "late@parks.example";
  const { data } = await (await signedInAs(server, "admin")).call("POST", "/users", { email, role: "employee" });
  const { page, sees, press, go } = await aVisit(browser, server);
  const signInWith = async (password: string) => {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await press("Sign In");
  };
  const password = "seven lamps by the harbor";
  await go("/login");
  await signInWith(data.one_time_password);
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("New password again").fill(password);
  const post = async (route: Route) => {
    // Not by the browser, which would take the new session's cookie.
    const { "content-length": _, ...headers } = await route.request().allHeaders();
    await fetch(route.request().url(), {
      method: "POST",
      headers: { ...headers, ...ONE_CALL },
      body: route.request().postData() ?? "",
    });
    await route.abort();
  };
  await page.route("**/welcome.data*", post, { times: 1 });
  await press("Set password");
  await sees("No answer came. If you are asked to sign in next, the new password holds already.");
  await press("Set password");
  await page.waitForURL(/\/login(\?|$)/);
  await signInWith(password);
  await page.waitForURL("**/dashboard");
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard");
});

test("a first password that another tab has set already stays, and the form says so", async () => {
  const email = "two.tabs@parks.example";
  const { data } = await (await signedInAs(server, "admin")).call("POST", "/users", { email, role: "employee" });
  const context = await browser.newContext();
  const [first, second] = [await aVisit(context, server), await aVisit(context, server)];
  await first.go("/login");
  await first.page.getByLabel("Email").fill(email);
  await first.page.getByLabel("Password").fill(data.one_time_password);
  await first.press("Sign In");
  await first.sees("Choose your password");
  await second.go("/welcome");
  for (const { page, press } of [first, second]) {
    const password = page === first.page ? "seven lamps by the river" : "eight lamps by the river";
    await page.getByLabel("New password", { exact: true }).fill(password);
    await page.getByLabel("New password again").fill(password);
    await press("Set password");
    if (page === first.page) await page.waitForURL("**/dashboard");
  }
  await second.sees(/^You have set a password already/);
  await second.page.reload();
  await second.sees("You are all set");
  expect(await signInStatus(email, "seven lamps by the river")).toBe(200);
  await context.close();
});

test("who has an account enters the code of another organization under Account", async () => {
  await admin.go("/departments?tab=people&new=");
  await admin.page.getByLabel("Email").fill("admin@harbor.example");
  await admin.press("Invite");
  await admin.sees("Person invited successfully");
  const code = await admin.page.getByRole("dialog").locator("code").innerText();
  await admin.press("Done");

  const { page, sees, press, go } = await aVisit(browser, server);
  await signIn(page, server, "admin@harbor.example");
  await go("/account");
  await page.getByLabel("Invitation code").fill("aaaa-bbbb-cccc-dddd");
  await press("Join");
  await sees("This code is not valid or has expired");
  await page.getByLabel("Invitation code").fill(code);
  await loseNextAnswer({ page });
  await press("Join");
  await sees("Failed to accept the invitation");
  await press("Join");
  await sees(/^You have joined /);
  await page.getByLabel("Organization", { exact: true }).waitFor();
  await page.close();
});

test("who lost their password gets a new code; who works elsewhere, too, only from the operator", async () => {
  await admin.go("/departments?tab=people");
  expect(await admin.page.getByLabel("New code for admin@parks.example").count()).toBe(0);
  await admin.press("New code for newcomer@parks.example");
  await admin.sees(/^Their present password stops working at once/);
  await admin.press("Make a new code");
  await admin.sees("Give them this one-time code. It is shown only now, works once and expires in 72 hours.");
  const code = await admin.page.getByRole("dialog").locator("code").innerText();
  expect(await signInStatus("newcomer@parks.example", code)).toBe(200);
  await admin.press("Done");
  await admin.press("New code for admin@harbor.example");
  await admin.press("Make a new code");
  await admin.sees("Only the operator of this service can reset this password");
  await admin.press("Cancel");
});

test("a person is removed from the organization after a question", async () => {
  await admin.press("Remove admin@harbor.example");
  await admin.sees(/^They leave the organization and its departments/);
  await admin.page.context().setOffline(true);
  await admin.press("Remove");
  await admin.sees("Failed to remove person");
  await admin.page.context().setOffline(false);
  await admin.press("Remove");
  await admin.sees("Person removed");
  await expect.poll(() => admin.page.getByText("admin@harbor.example").count()).toBe(0);
});

test("a person gets another role, or is let in no more; the last admin stays", async () => {
  await admin.press("Edit newcomer@parks.example");
  await admin.page.getByLabel("Role").selectOption("Manager");
  await admin.page.getByRole("switch").uncheck();
  await admin.page.context().setOffline(true);
  await admin.press("Save changes");
  await admin.sees("Failed to save person");
  await admin.page.context().setOffline(false);
  await admin.press("Save changes");
  await admin.sees("Person updated successfully");
  await admin.sees("Deactivated");

  await admin.press("Edit admin@parks.example");
  await admin.page.getByLabel("Role").selectOption("Employee");
  await admin.press("Save changes");
  await admin.sees("An organization needs at least one admin");
});

test("who is deactivated is offered no new code, and is marked in the department, too", async () => {
  await admin.go("/departments?tab=people");
  expect(await admin.buttons(/^New code for (newcomer|employee)@/)).toEqual(["New code for employee@parks.example"]);
  await exec(
    server,
    `INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) SELECT 'newcomer', org_id, d.id, u.id, 'dept_staff' FROM departments d, users u WHERE d.name = 'Sports Fields' AND u.email = 'newcomer@parks.example'`,
  );
  await admin.go("/departments");
  await admin.page.getByRole("link", { name: "Sports Fields" }).click();
  const member = admin.page.getByRole("listitem").filter({ hasText: "newcomer@parks.example" });
  await expect.poll(() => member.innerText()).toMatch(/Department staff\s+Deactivated/);
  await admin.go("/departments?tab=people");
});

test("what cannot be loaded is told", async () => {
  await withoutDepartmentNames(server, async () => {
    await admin.go("/departments");
    await admin.sees("Failed to load departments");
  });
  await admin.go("/departments");
  await without(server, "dept_memberships.id", async () => {
    await admin.page.getByRole("link", { name: "Sports Fields" }).click();
    await admin.sees("Failed to load department members");
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await admin.sees("employee@parks.example");
});

test("a request for members that gets no answer is told, and the screen stays", async () => {
  await admin.go("/departments");
  await admin.page.route("**/departments.data*", (route) => route.abort());
  await admin.page.getByRole("link", { name: "Sports Fields" }).click();
  await admin.sees("Failed to load department members");
  await admin.page.getByRole("link", { name: "Sports Fields" }).waitFor();
  await admin.page.unroute("**/departments.data*");

  await admin.page.route("**/departments.data*", (route) => route.fulfill({ status: 500, body: "broken" }));
  await admin.go("/departments");
  await admin.page.getByRole("link", { name: "Sports Fields" }).click();
  await admin.sees("Failed to load department members");
  await admin.page.unroute("**/departments.data*");
});

test("a request for members that fails is told where the layout is to be loaded with it, too", async () => {
  const staff = await signedInAs(server, "admin");
  await admin.go("/departments");
  await admin.page.getByText("Live", { exact: true }).first().waitFor();
  await admin.page.route("**/departments.data*", (route) => route.fulfill({ status: 500, body: "broken" }));
  const reload = admin.page.waitForRequest("**/departments.data*");
  const { data: made } = await staff.call("POST", "/departments", { name: "Night crew" }); // the switcher offers it
  await reload;
  await admin.page.getByRole("link", { name: "Sports Fields" }).click();
  await admin.sees("Failed to load department members");
  await admin.page.getByRole("link", { name: "Sports Fields" }).waitFor();
  // One that the browser has yet to ask about, and that sends on whoever is signed in.
  // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
  await admin.page.evaluate(() => void window.__remixRouter.navigate("/login"));
  await expect.poll(() => new URL(admin.page.url()).pathname, { timeout: 15_000 }).toBe("/dashboard");
  await admin.page.unroute("**/departments.data*");
  await staff.call("DELETE", `/departments/${made.id}`);
});

test("a request for members that fails before React has rendered it is told, too", async () => {
  const visit = await visitAs(browser, server, "admin");
  await visit.page.addInitScript(() => {
    const send = window.fetch.bind(window);
    window.fetch = (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      return url.includes("/departments.data") ? Promise.reject(new TypeError("no network")) : send(input, init);
    };
  });
  await visit.go("/departments");
  await visit.page.getByRole("link", { name: "Sports Fields" }).click();
  await visit.sees("Failed to load department members");
  await visit.page.close();
});

test.each(["manager", "employee"] as const)("a %s is told that it is not for them", async (name) => {
  const [html] = await htmlFor(browser, server, name, "/departments?tab=people");
  expect(html).toContain("Access denied. Admin role required.");
  expect(html).toMatch(/<h1[^>]*>Departments</);
  expect(html).not.toContain('href="/departments"');
});

/** The status of signing in by the API. */
async function signInStatus(email: string, password: string): Promise<number> {
  const body = JSON.stringify({ email, password });
  const headers = { "Content-Type": "application/json", ...ONE_CALL };
  return (await fetch(`${server.url}/api/auth/login`, { method: "POST", headers, body })).status;
}

test("an admin who audits a department is told who takes them out of it, and offered no deletion", async () => {
  const staff = await signedInAs(server, "admin");
  const { data: made } = await staff.call("POST", "/departments", { name: "Night inspection" });
  const { id: user_id } = await staff.call("GET", "/auth/me");
  await staff.call("POST", `/departments/${made.id}/members`, { user_id, role: "dept_auditor" });
  const { page, ...visit } = await visitAs(browser, server, "admin");
  const leaving = page.getByRole("button", { name: "Remove admin@parks.example" });
  await visit.go(`/departments?department=${made.id}`);
  await leaving.waitFor();
  expect(await leaving.getAttribute("aria-disabled")).toBeNull();

  const make = (role: string) =>
    exec(
      server,
      `UPDATE org_memberships SET role = '${role}' WHERE user_id = (SELECT id FROM users WHERE email = 'manager@parks.example')`,
    );
  await make("admin");
  await visit.reload();
  await leaving.dispatchEvent("click");
  await visit.sees("Another admin has to take you out of a department that you audit.");
  expect(await visit.buttons(/Night inspection/)).toEqual(["Edit Night inspection"]);
  const { data: members } = await staff.call("GET", `/departments/${made.id}/members`);
  await visit.go(`/departments?department=${made.id}&remove=${members[0].id}`);
  await leaving.waitFor();
  expect(await page.getByRole("alertdialog").count()).toBe(0);
  await make("manager");
});
