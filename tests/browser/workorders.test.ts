import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { seen } from "#tests/support/seen";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, type Staff } from "#tests/support/staff";
import { visitAs, without, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;
let api: Staff;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  api = await signedInAs(server, "admin");
  const { data } = await api.call("GET", "/workorders");
  for (const { id } of data) await api.call("DELETE", `/workorders/${id}`);
  await aPlace(api, "Order Park", ["Order lamp"]);
  await aPlace(api, "Other Park", ["Other lamp"]);
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("without any there is an invitation to make the first, which opens the form", async () => {
  await admin.go("/workorders");
  await admin.sees("No workorders found");
  await admin.sees("Create your first workorder to get started");
  await admin.sees("New Workorder");
  await admin.sees("Create Workorder");
  await admin.press("Create Workorder");
  await admin.sees("Create New Workorder");
  expect(new URL(admin.page.url()).search).toBe("?new=");
  await admin.press("Cancel");
});

test("a workorder needs a title, and starts open, medium and for everyone", async () => {
  await admin.press("New Workorder");
  const dialog = admin.page.getByRole("dialog");
  expect(await dialog.getByLabel("Status").inputValue()).toBe("open");
  expect(await dialog.getByLabel("Priority").inputValue()).toBe("medium");
  await dialog.getByLabel("Title").fill("   ");
  await dialog.getByRole("button", { name: "Create Workorder" }).click();
  await admin.sees("Workorder title is required");

  await dialog.getByLabel("Title").fill("  Mend the fence  ");
  await dialog.getByRole("button", { name: "Create Workorder" }).click();
  await admin.sees("Workorder created successfully");
  for (const word of ["open", "medium", "Org-wide", "No description provided", "Created"]) {
    await admin.sees(word, card("Mend the fence"));
  }
  expect(await card("Mend the fence").innerText()).not.toMatch(/Assigned|Completed/);
});

test("edited, its card shows what is known: the raw user id, and when it was completed", async () => {
  await admin.press("Edit Mend the fence");
  await admin.sees("Edit Workorder");
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("Area").selectOption("Order Park");
  expect(await dialog.getByLabel("Device").locator("option").allInnerTexts()).toEqual(["None", "Order lamp"]);
  await dialog.getByLabel("Device").selectOption("Order lamp");
  await dialog.getByLabel("Area").selectOption("Other Park");
  expect(await dialog.getByLabel("Device").inputValue()).toBe("");
  const first = (label: string) => dialog.getByLabel(label).locator("option").first().innerText();
  expect(await first("Department")).toBe("Org-wide");
  for (const label of ["Device", "Area", "Assignee"]) expect(await first(label)).toBe("None");
  seen("None");
  await dialog.getByLabel("Assignee").selectOption("employee@parks.example");
  await dialog.getByLabel("Department").selectOption("Sports Fields");
  await dialog.getByLabel("Status").selectOption("In progress");
  await dialog.getByLabel("Priority").selectOption("Urgent");
  await dialog.getByLabel("Description").fill("The gate's hinge is broken.");
  await admin.press("Save changes");
  await admin.sees("Workorder updated successfully");

  const { data } = await api.call("GET", "/workorders");
  const text = await card("Mend the fence").innerText();
  const shown = ["in progress", "urgent", "Dept: Sports Fields", "The gate's hinge is broken.", data[0].assigned_to];
  for (const word of shown) expect(text).toContain(word);
  await api.call("PUT", `/workorders/${data[0].id}`, { title: "Mend the fence", status: "completed" });
  await admin.reload();
  await card("Mend the fence").getByText("Completed", { exact: true }).waitFor();
});

test("an employee may add, and delete only their own", async () => {
  const employee = await visitAs(browser, server, "employee");
  await employee.go("/workorders?new=");
  await employee.page.getByLabel("Title").fill("Mine");
  await employee.press("Create Workorder");
  await employee.sees("Workorder created successfully");
  await employee.press("Delete Mine");
  await employee.sees("Are you sure you want to delete this workorder?");
  await employee.press("Delete");
  await employee.sees("Workorder deleted successfully");
  await employee.page.waitForURL(/workorders$/);

  await employee.press("Delete Mend the fence");
  await employee.press("Delete");
  await employee.sees("Permission denied");
  await employee.page.close();
});

test("others' departments are not seen; a manager deletes anybody's; an auditor only reads in theirs", async () => {
  for (const [title, dept_id] of [
    ["River order", "demo-dept-rivers"],
    ["Pitch order", "demo-dept-sports"],
  ]) {
    await api.call("POST", "/workorders", { title, dept_id });
  }
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.go("/workorders");
  await auditor.press("Edit Pitch order");
  await auditor.press("Save changes");
  await auditor.sees("Permission denied");
  expect(await auditor.page.getByText("River order").count()).toBe(0);
  await auditor.page.close();

  const manager = await visitAs(browser, server, "manager");
  await manager.go("/workorders");
  for (const title of ["River order", "Pitch order"]) {
    await manager.press(`Delete ${title}`);
    await manager.press("Delete");
    await manager.sees("Workorder deleted successfully");
    await manager.page.getByRole("alertdialog").waitFor({ state: "hidden" });
  }
  await manager.page.close();
});

test("somebody else's change is not overwritten", async () => {
  await admin.press("Edit Mend the fence");
  // A form that opens only after the other change begins with that change.
  await admin.sees("Edit Workorder");
  const { data } = await api.call("GET", "/workorders");
  await api.call("PUT", `/workorders/${data[0].id}`, { title: "Mend the fence", priority: "low" });
  await admin.press("Save changes");
  await admin.sees("This workorder was changed by someone else meanwhile. Reload and try again.");
  await admin.press("Cancel");
});

test("what fails is told, and the screen stays", async () => {
  await without(server, "workorders", async () => {
    await admin.go("/workorders?new=");
    await admin.sees("Failed to load workorders");
    await admin.page.getByLabel("Title").fill("Lost");
    await admin.press("Create Workorder");
    await admin.sees("Failed to save workorder");
  });
  await admin.go("/workorders");
  await admin.press("Delete Mend the fence");
  await admin.page.getByRole("alertdialog").waitFor(); // its code does not come without a network
  await admin.page.context().setOffline(true);
  await admin.press("Delete");
  await admin.sees("Failed to delete workorder");
  await admin.page.context().setOffline(false);
});

test("a link opens the form of a work order that its list does not show", async () => {
  const { data } = await api.call("GET", "/workorders");
  await admin.go(`/workorders?q=nowhere&edit=${data[0].id}`);
  await admin.sees("Edit Workorder");
  expect(await admin.page.getByLabel("Title").inputValue()).toBe(data[0].title);
  await admin.press("Cancel");
  await admin.sees("Nothing matches your search");
});

test("what the form chooses from is on its way until it is there", async () => {
  const held: Route[] = [];
  await admin.page.route("**/workorders/choices?*", (route) => void held.push(route));
  await admin.go("/workorders?new=");
  const options = admin.page.getByRole("dialog").getByLabel("Area").locator("option");
  await expect.poll(() => options.allInnerTexts()).toEqual(["Loading..."]);
  await Promise.all(held.map((route) => route.continue()));
  await expect.poll(() => options.first().innerText()).toBe("None");
  await admin.page.unroute("**/workorders/choices?*");
});

test("the form opens though its lists fail", async () => {
  await without(server, "areas", async () => {
    await admin.go("/workorders?new=");
    const dialog = admin.page.getByRole("dialog");
    await dialog.getByLabel("Assignee").getByText("manager@parks.example").waitFor({ state: "attached" });
    expect(await dialog.getByLabel("Area").locator("option").allInnerTexts()).toEqual(["None"]);
  });
});

const card = (title: string) => admin.page.getByRole("listitem").filter({ hasText: title });
