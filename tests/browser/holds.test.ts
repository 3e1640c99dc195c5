import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { htmlFor, visitAs, wordsOf, type Visit, RETRIES } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let staff: Staff;
let manager: Visit;
let lamp: { id: string; area_id: string };

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const [first] = await aPlace(staff, "Teasel Park", ["Teasel gate", "Teasel lawn", "Teasel pond"]);
  if (!first) throw new Error("The place has no devices");
  lamp = first;
  manager = await visitAs(browser, server, "manager");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const field = (label: string) => manager.page.getByRole("dialog").getByLabel(label, { exact: true });
const now = () => manager.page.getByRole("article", { name: "Now" });

test("a light is held off for an hour with a reason, which its page and card name, and goes back to its schedule", async () => {
  await manager.go(`/devices/${lamp.id}`);
  await manager.press("Off until…");
  await field("For how long").selectOption("For 1 hour");
  await field("Reason").fill("rain");
  await manager.press("Turn off Teasel gate");
  await manager.sees(/^Off until \d+:\d\d [AP]M: rain$/);
  await expect.poll(() => now().innerText()).toMatch(/Off until \d+:\d\d [AP]M: rain \(manager\)/);
  await manager.go("/devices?q=teasel+gate");
  await manager.sees(/^Off until \d+:\d\d [AP]M: rain \(manager\)$/);

  await manager.go(`/devices/${lamp.id}`);
  await manager.press("Back to the schedule");
  await manager.sees("Device returned to its schedule");
  await expect.poll(() => manager.page.getByRole("button", { name: "Back to the schedule" }).count()).toBe(0);
});

test("a whole park goes off in one press until tomorrow, which counts its lights first", async () => {
  await manager.go(`/areas/${lamp.area_id}`);
  await manager.press("All off…");
  await field("For how long")
    .getByRole("option", { name: /6:00 AM$/ })
    .waitFor({ state: "attached" });
  const morning = await field("For how long")
    .getByRole("option", { name: /6:00 AM$/ })
    .innerText();
  await field("For how long").selectOption(morning);
  await field("Reason").fill("storm");
  await manager.press("Turn off 3 lights");
  await manager.sees("3 lights turned off");
  await expect.poll(() => manager.page.getByText(/^Off until .*: storm \(manager\)$/).count()).toBe(3);
});

test("police ask for lights on now: an emergency needs an end and a reason, and an OFF that ends it asks first", async () => {
  await staff.call("POST", "/closures", { target: { type: "area", id: lamp.area_id }, reason: "wet ground" });
  await manager.go(`/areas/${lamp.area_id}`);
  await manager.press("Emergency…");
  await manager.press("Lights on now");
  await manager.sees("An emergency needs a reason");
  await field("Reason").fill("crowd on the steps");
  await manager.press("Lights on now");
  await manager.sees("3 lights turned on");
  await expect.poll(() => manager.page.getByText(/emergency, crowd on the steps \(manager\)/).count()).toBe(3);

  // A second one, of whoever does not know of the first, would end sooner.
  await manager.press("Emergency…");
  await manager.sees(/emergency, crowd on the steps \(manager\)\. A new emergency takes its place\.$/);
  await manager.press("Cancel");

  await manager.press("Turn off Teasel gate");
  await manager.sees(/Turning off ends this emergency\.$/);
  expect(await manager.page.getByLabel("For how long").inputValue()).toBe("");
  await field("For how long").selectOption("Until the next booking");
  await manager.press("Turn off Teasel gate");
  await manager.sees("Device turned off successfully");
  await expect.poll(() => manager.page.getByText(/emergency, crowd on the steps/).count()).toBe(2);
});

test.each([
  ["group", "emergency", "police ask", "Lights on now", "Group not found"],
  ["light", "turn-off", "rain", "Turn off Teasel brook", "Device not found"],
])(
  "a %s that somebody deletes meanwhile takes no form of its area's page, nor what is typed in it, away",
  async (kind, dialog, reason, go, refused) => {
    const { data: light } = await staff.call("POST", "/devices", { name: "Teasel brook", area_id: lamp.area_id });
    const group = { area_id: lamp.area_id, name: "Teasel bank", device_ids: [light.id] };
    const { data: bank } = await staff.call("POST", "/groups", group);
    const isGroup = kind === "group";
    await manager.go(`/areas/${lamp.area_id}?${dialog}=${isGroup ? `group:${bank.id}` : light.id}`);
    await field("Reason").fill(reason);
    await staff.call("DELETE", `/groups/${bank.id}`);
    await staff.call("DELETE", `/devices/${light.id}`);
    await manager.page.getByText(/^Lights: \d of 3 on$/).waitFor();
    expect(await field("Reason").inputValue()).toBe(reason);
    await manager.press(go);
    await manager.sees(refused);
    expect(await field("Reason").inputValue()).toBe(reason);
    await manager.press("Cancel");
    await manager.page.getByRole("dialog").waitFor({ state: "detached" });
  },
);

test("turning off many lights asks first, too, where that ends an emergency", async () => {
  await manager.go(`/devices?area=${lamp.area_id}`);
  await manager.press("Select");
  await manager.press("All on this page");
  await manager.sees("3 selected");
  await manager.press("Turn off");
  await manager.sees("2 lights are on by an emergency, which turning off ends.");
  await manager.press("Keep them on");
  await manager.sees("3 selected");
  await manager.press("Turn off");
  await manager.press("Turn off 3 lights");
  await manager.sees("3 turned off");
});

test("an end in the past, or none where one is needed, is refused in a sentence", async () => {
  await manager.go(`/devices/${lamp.id}?turn-on=${lamp.id}`);
  await field("For how long").selectOption("Until a time");
  await field("Until date").fill("2020-01-01");
  await field("Until time").fill("06:00");
  await manager.press("Turn on Teasel gate");
  await manager.sees("The end must be in the future");
  expect(await field("Until time").inputValue()).toBe("06:00");
  await manager.press("Cancel");
});

test("an end that was chosen stays chosen when its morning has come and the page loads anew under the dialog", async () => {
  await manager.go(`/devices/${lamp.id}?turn-on=${lamp.id}`);
  await manager.page.waitForLoadState("networkidle");
  const ends = field("For how long");
  await ends.selectOption(await ends.locator("option", { hasText: /6:00 AM$/ }).innerText());
  const morning = await ends.inputValue();
  let told = false;
  // The next answer is a day later.
  await manager.page.route("**/devices/*.data*", async (route) => {
    const response = await route.fetch({ maxRetries: RETRIES });
    const body = (await response.text()).replace(/\b\d{13}\b/g, (at) => String(Number(at) + 86_400_000));
    await route.fulfill({ response, body });
    told = true;
  });
  await expect
    .poll(async () => {
      await manager.page.evaluate(() => dispatchEvent(new Event("focus")));
      return told;
    })
    .toBe(true);
  await expect.poll(() => manager.loading()).toBe(0);
  await manager.page.unrouteAll({ behavior: "wait" });
  await manager.page.waitForLoadState("networkidle");
  expect(await ends.inputValue()).toBe(morning);
  await manager.press("Cancel");
});

test("an end that was chosen stays chosen when the city comes to another zone under the dialog", async () => {
  await manager.go(`/devices/${lamp.id}`);
  await manager.page.getByText("Live", { exact: true }).waitFor();
  await manager.press("Off until…");
  const end = field("For how long");
  const morning = await end.getByRole("option", { name: /6:00 AM$/ }).innerText();
  await end.selectOption(morning);
  const chosen = await end.inputValue();
  await staff.call("POST", "/admin/settings", { APP_TIMEZONE: "America/Denver" });
  try {
    // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
    const loaded = () => JSON.stringify(Object.values(window.__remixRouter.state.loaderData));
    await expect.poll(() => manager.page.evaluate(loaded)).toContain("America/Denver");
    await manager.page.waitForLoadState("networkidle");
    expect(await end.inputValue()).toBe(chosen);
    await manager.press("Turn off Teasel gate");
    await manager.sees(/^Off until /);
    expect((await staff.call("GET", `/devices/${lamp.id}`)).data.device.hold).toMatchObject({ until: chosen });
  } finally {
    await staff.call("POST", "/admin/settings", { APP_TIMEZONE: "America/Los_Angeles" });
  }
});

test("without script a refused toggle keeps what it was to do, and until when", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const { page, press, sees } = await visitAs(context, server, "manager");
  const chosen = (label: string) => page.getByLabel(label, { exact: true }).last().inputValue();
  await page.goto(`${server.url}/devices/${lamp.id}?turn-off=${lamp.id}`);
  await page.getByLabel("Light", { exact: true }).selectOption("On");
  await page.getByLabel("For how long").selectOption("Until a time");
  await page.getByLabel("Until date").fill("2020-01-01");
  await page.getByLabel("Until time").fill("10:00");
  await press("Turn off Teasel gate");
  await sees("The end must be in the future");
  expect([await chosen("Light"), await chosen("For how long")]).toEqual(["on", "at"]);

  await page.goto(`${server.url}/areas/${lamp.area_id}?emergency=area:${lamp.area_id}`);
  await page.getByLabel("For how long").selectOption("For 4 hours");
  await press("Lights on now");
  await sees("An emergency needs a reason");
  expect(await chosen("For how long")).toBe("240");
  await context.close();
});

test("an employee holds what they may toggle, and declares no emergency", async () => {
  const [html = ""] = await htmlFor(browser, server, "employee", `/areas/${lamp.area_id}`);
  const words = wordsOf(html);
  for (const told of ["Groups", "All on…", "All off…"]) expect(words).toContain(` ${told} `);
  expect(words).not.toContain("Emergency");
});

test("who may only look at a place's lights is told so at the buttons of all, which would be denied", async () => {
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.go("/areas/demo-area-alder");
  const allOff = auditor.page.getByRole("button", { name: "All off…" });
  expect(await allOff.getAttribute("aria-disabled")).toBe("true");
  await allOff.press("Enter");
  await auditor.sees("You may look at these lights, not switch them.", auditor.page.locator("[data-sonner-toast]"));
  expect(await auditor.page.getByRole("dialog").count()).toBe(0);
  await auditor.page.close();
});
