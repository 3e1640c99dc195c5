import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  // As a city is on its first day: nothing but people and departments.
  for (const table of ["schedules", "workorders", "devices", "hubs", "areas", "device_events", "scheduler_events"]) {
    await server.query(`DELETE FROM ${table}`);
  }
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("each empty list leads to the next step, and says nothing of it to those who may not take it", async () => {
  const employee = await visitAs(browser, server, "employee");
  for (const path of ["/hubs", "/devices", "/schedules"]) {
    await admin.go(path);
    await main(admin.page).getByRole("link", { name: "Create an area first" }).waitFor();
    await employee.go(path);
    await main(employee.page)
      .getByRole("heading", { name: /^No .* Found$/ })
      .waitFor();
    expect(await main(employee.page).getByRole("link", { name: "Create an area first" }).count(), path).toBe(0);
  }
  await admin.go("/schedules?view=week");
  await main(admin.page).getByRole("link", { name: "Create an area first" }).waitFor();
  // Without an area nothing of the hub account can be added, and the names that were typed would be lost on the way to one.
  await admin.go("/import/hub-account");
  await main(admin.page).getByRole("link", { name: "Create one first" }).waitFor();
  await admin.go("/tonight");
  await main(admin.page).getByRole("heading", { name: "There are no lights to show" }).waitFor();
  await main(admin.page).getByRole("link", { name: "Add a light" }).waitFor();
  await admin.go("/dashboard");
  await admin.sees("Get started by creating your first area in the Areas section.");
  await main(admin.page).getByRole("link", { name: "Go to Areas" }).waitFor();
  await employee.go("/dashboard");
  expect(await employee.page.getByText("The first light, step by step").count()).toBe(0);
});

test("step by step from nothing to the first light that is scheduled", async () => {
  const { page, press, sees, go } = admin;
  const dialog = page.getByRole("dialog");
  const step = (name: string) => main(page).getByRole("link", { name, exact: true });
  const back = () => page.waitForURL("**/dashboard");
  await go("/dashboard");
  await step("New area").click();
  await dialog.getByLabel("Name").fill("First Park");
  await press("Create Area");
  await sees("Area created successfully");

  await back();
  await sees("· done");
  await step("New hub").click();
  await expect.poll(() => chosen(dialog.getByLabel("Area"))).toBe("First Park");
  await dialog.getByLabel("Name").fill("First hub");
  await press("Create Hub");
  await sees("Hub created successfully");

  await back();
  await step("New device").click();
  await expect.poll(() => chosen(dialog.getByLabel("Area"))).toBe("First Park");
  await dialog.getByLabel("Name").fill("First light");
  await press("Create Device");
  await sees("Device created successfully");

  await back();
  await step("New schedule").click();
  await expect.poll(() => chosen(dialog.getByLabel("Area"))).toBe("First Park");
  await dialog.getByLabel("Title").fill("First evening");
  await dialog.getByLabel("Device").selectOption("First light");
  const tomorrow = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10);
  await dialog.getByLabel("Start date").fill(tomorrow);
  await dialog.getByLabel("Start time").fill("18:00");
  await dialog.getByLabel("End date").fill(tomorrow);
  await dialog.getByLabel("End time").fill("20:30");
  await press("Create Schedule");
  await sees("Schedule created successfully");

  await back();
  await page.getByRole("link", { name: "First Park" }).waitFor();
  expect(await page.getByText("The first light, step by step").count()).toBe(0);
});

test("lights of other departments do not read as none", async () => {
  const regional = await visitAs(browser, server, "regional");
  await server.query("UPDATE devices SET dept_id = 'demo-dept-sports'");
  await regional.go("/devices");
  await regional.sees("No Devices Found");
  await regional.sees("1 light of another department is not shown.");
  await regional.go("/dashboard");
  await regional.sees("1 light of another department is not shown.");
});

/** The text of the chosen option. */
function chosen(select: Locator) {
  return select.evaluate((element) => (element instanceof HTMLSelectElement ? element.selectedOptions[0]?.text : ""));
}

function main(page: Page) {
  return page.getByRole("main");
}
