import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { setFaults } from "#tests/support/faults";
import { pressOnceTold } from "#tests/support/press-once";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, deviceNamed, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import {
  arrived,
  exec,
  hide,
  hold,
  keepFailure,
  momentsOf,
  shownText,
  tryAgain,
  type Visit,
  visitAs,
  without,
  withoutDepartmentNames,
} from "#tests/support/visit";

/** What these tests make is in one area, and found by its name. */
const SCREEN = "/devices?q=quince";

let server: Server;
let browser: Browser;
let api: Staff;
let admin: Visit;
let area_id: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  api = await signedInAs(server, "admin");
  await withoutNight(api);
  await setFaults(server, { "lamp:dead": [{ kind: "offline" }], "lamp:dead too": [{ kind: "offline" }] });
  await aPlace(api, "Quince Yard", ["Quince lamp"]);
  ({ area_id } = await deviceNamed(api, "Quince lamp"));
  const made = [
    { name: "Dead lamp", cloud_device_id: "dead" },
    { name: "Dead bench", cloud_device_id: "dead too" },
    { name: "Pitch lamp", dept_id: "demo-dept-sports" },
    { name: "River lamp", dept_id: "demo-dept-rivers" },
  ];
  for (const values of made) await api.call("POST", "/devices", { ...values, area_id });
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("a device needs a name and an area; what is left empty is told as such on its card", async () => {
  await admin.go(SCREEN);
  await admin.press("New Device");
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("   ");
  await admin.press("Create Device");
  await admin.sees("Device name and area are required");
  expect(await dialog.getByText("Device name and area are required").count()).toBe(2);
  expect(await dialog.getByLabel("Hub").isDisabled()).toBe(true);

  await dialog.getByLabel("Name").fill("  Quince bench  ");
  await dialog.getByLabel("Area").selectOption("Quince Yard");
  const hubs = () => dialog.getByLabel("Hub").locator("option").allInnerTexts();
  await expect.poll(hubs).toEqual(["No hub", "Quince Yard hub"]);
  await dialog.getByLabel("Hub").selectOption("Quince Yard hub");
  await dialog.getByLabel("Area").selectOption("Viaduct Path");
  await expect.poll(hubs).toEqual(["No hub", "Viaduct hub"]);
  expect(await dialog.getByLabel("Hub").inputValue()).toBe("");
  await dialog.getByLabel("Area").selectOption("Quince Yard");
  await admin.press("Create Device");
  await admin.sees("Device created successfully");
  for (const word of ["Org-wide", "N/A", "No Hub", "Never"]) await admin.sees(word, card("Quince bench"));
  expect(await told("Quince bench")).toEqual([
    "Quince bench",
    "Quince Yard",
    "UNKNOWN",
    "Org-wide",
    "Not confirmed to be off; nothing is scheduled",
    "Model N/A",
    "Hub No Hub",
    "Last update Never",
    "Cloud ID N/A",
    "ON",
    "OFF",
  ]);
});

test("its form is in the address; edited, the card says so", async () => {
  await admin.press("Edit Quince bench");
  await admin.page.waitForURL(/[?&]edit=/);
  await admin.page.goBack();
  await admin.page.getByRole("dialog").waitFor({ state: "hidden" });
  await admin.page.goForward();
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("Hub").selectOption("Quince Yard hub");
  await dialog.getByLabel("Department").selectOption("Sports Fields");
  await dialog.getByLabel("Model").fill("YS6602-UC");
  await dialog.getByLabel("Cloud ID").fill("d88b4c0100009999");
  await dialog.getByLabel("Notes").fill("Behind the bench.");
  await admin.press("Save changes");
  await admin.sees("Device updated successfully");
  for (const word of ["Dept: Sports Fields", "YS6602-UC", "Quince Yard hub", "d88b4c0100009999"]) {
    await admin.sees(word, card("Quince bench"));
  }
});

test("payloads of several lines stay as they are when another field is edited", async () => {
  const { id } = await deviceNamed(api, "Quince bench");
  const payloads = { on_payload: '{\n  "state": "open",\n  "brightness": 60\n}', off_payload: '{\n"state":"close"\n}' };
  await api.call("PUT", `/devices/${id}`, { name: "Quince bench", area_id, ...payloads });
  await admin.go(`${SCREEN}&edit=${id}`);
  await admin.page.getByRole("dialog").getByLabel("Notes").fill("Beside the bench.");
  await admin.press("Save changes");
  await admin.sees("Device updated successfully");
  expect(await deviceNamed(api, "Quince bench")).toMatchObject({ ...payloads, notes: "Beside the bench." });
});

test("somebody else's change is not overwritten", async () => {
  await admin.press("Edit Quince bench");
  // A form that opens only after the other change begins with that change.
  await admin.sees("Edit Device");
  const { id } = await deviceNamed(api, "Quince bench");
  await api.call("PUT", `/devices/${id}`, { name: "Quince bench", area_id, model: "Newer" });
  await admin.press("Save changes");
  await admin.sees("This device was changed by someone else meanwhile. Reload and try again.");
  await admin.press("Cancel");
});

test("who moves a light to another area is told which groups it leaves", async () => {
  const { id } = await deviceNamed(api, "Quince bench");
  const group = (await api.call("POST", "/groups", { name: "Quince seats", area_id, device_ids: [id] })).data;
  onTestFinished(() => void api.call("DELETE", `/groups/${group.id}`));
  await admin.press("Edit Quince bench");
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("Area").selectOption("Viaduct Path");
  await admin.sees("It leaves 1 group.", dialog);
  await dialog.getByLabel("Area").selectOption("Quince Yard");
  await dialog.getByText("It leaves").waitFor({ state: "detached" });
  await admin.press("Cancel");
});

test("a light is switched on and off, and its card follows", async () => {
  await admin.press("Turn on Quince lamp");
  await admin.sees("Device turned on successfully");
  await card("Quince lamp")
    .getByText(/^On until \d+:\d\d [AP]M: switched on by \w+ at \d+:\d\d [AP]M$/)
    .waitFor();
  const shown = await told("Quince lamp");
  expect(shown.filter((line) => line === "ON")).toHaveLength(2); // the badge and the button
  expect(shown.join()).toMatch(/Last update [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M/);
  await admin.press("Turn off Quince lamp");
  await admin.sees("Device turned off successfully");
  expect(await card("Quince lamp").getAttribute("data-state")).toBe("off");
});

test("a click says at once that the light is being switched; its badge and last update change with the answer", async () => {
  const turnOn = admin.page.getByRole("button", { name: "Turn on Quince lamp" });
  await expect.poll(() => turnOn.isEnabled()).toBe(true); // locked until the toggle before has come to its end
  const [answer, list] = [await hold(admin, "POST"), await hold(admin, "GET")];
  const [state, text] = await turnOn.evaluate(async (button) => {
    if (button instanceof HTMLElement) button.click();
    await Promise.resolve(); // React's own work on a click follows it in a microtask
    const shown = button.closest("article");
    return [shown?.dataset.state, shown?.innerText];
  });
  expect(state).toBe("off");
  expect(text).toContain("switching...");
  await answer.letGo();
  await card("Quince lamp").getByText("switching...").waitFor({ state: "detached" });
  expect(await card("Quince lamp").getAttribute("data-state")).toBe("on");
  expect(await turnOn.isEnabled()).toBe(false); // the list is still being asked for
  await list.letGo();
  await expect.poll(() => turnOn.isEnabled()).toBe(true);
  await admin.press("Turn off Quince lamp");
  await admin.sees("Device turned off successfully");
});

test("a toggle locks its buttons, and changes no badge where the lamp does not answer", async () => {
  const states = await momentsOf(card("Dead lamp"), "data-state");
  const locks = await momentsOf(admin.page.getByRole("button", { name: "Turn off Dead lamp" }), "disabled");
  await admin.press("Turn on Dead lamp");
  await admin.press("Turn off Dead bench");
  await admin.sees("Failed to turn on device");
  await admin.sees("Failed to turn off device");
  await admin.sees("not reachable; still trying");
  await expect.poll(locks).toEqual([null, "", null]);
  expect(await states()).toEqual(["unknown"]);
});

test("two presses that fail before the page has rendered them leave no button locked", async () => {
  const { page } = admin;
  const lamp = page.getByRole("button", { name: "Turn off Quince lamp" });
  const bench = page.getByRole("button", { name: "Turn off Dead bench" });
  const areReady = async () => (await lamp.isEnabled()) && (await bench.isEnabled());
  await expect.poll(areReady).toBe(true);
  await page.route("**/*.data*", (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
  // As on a phone that is busy with something else: what React has put off comes when both are over.
  await lamp.evaluate(
    async (first, second) => {
      const { postMessage } = MessagePort.prototype;
      const waiting: (() => void)[] = [];
      MessagePort.prototype.postMessage = function wait(...message: [unknown]) {
        waiting.push(() => Reflect.apply(postMessage, this, message));
      };
      for (const button of [first, second]) if (button instanceof HTMLElement) button.click();
      await new Promise<void>((over) => {
        // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
        const end = window.__remixRouter.subscribe(({ fetchers }) => {
          if ([...fetchers.values()].some(({ state }) => state !== "idle")) return;
          end();
          over();
        });
      });
      MessagePort.prototype.postMessage = postMessage;
      for (const goOn of waiting) goOn();
    },
    await bench.elementHandle(),
  );
  await admin.sees("Failed to toggle device");
  await page.unroute("**/*.data*");
  await expect.poll(areReady).toBe(true);
  expect(await page.getByText("switching...").count()).toBe(0);
});

test("a press that no answer follows is told", async () => {
  await without(server, "audit_logs", async () => {
    await admin.press("Turn on Quince lamp");
    await admin.sees("Failed to toggle device");
  });
  expect(await card("Quince lamp").getAttribute("data-state")).toBe("off");
});

test("a blackout refuses ON and says until when, never OFF; it ends and the buttons are back", async () => {
  const turnOn = admin.page.getByRole("button", { name: "Turn on Quince lamp" });
  await expect.poll(() => turnOn.isEnabled()).toBe(true); // its list would tell of the blackout before it is pressed
  await hide(admin); // a page that is not looked at does not know of it yet
  onTestFinished(() => withoutNight(api));
  const reason = await blackoutNow();
  await admin.press("Turn on Quince lamp");
  await admin.sees("Failed to turn on device");
  await admin.sees(reason);
  await expect.poll(() => card("Quince lamp").getAttribute("data-state")).toBe("off"); // it is shown as pressed until then

  await hide(admin, false);
  await admin.sees(new RegExp(`${reason.source.slice(0, -1)}\\. Turning off always works\\.$`));
  expect(await turnOn.isDisabled()).toBe(true);
  expect(await turnOn.getAttribute("title")).toMatch(reason);
  // The keyboard gets there, too, and is told why nothing happens.
  await turnOn.focus();
  await admin.page.keyboard.press("Enter");
  await admin.page.locator("[data-sonner-toast][data-type=info]").filter({ hasText: reason }).waitFor();
  await admin.press("Turn off Quince lamp");
  await admin.sees("Device turned off successfully");

  await withoutNight(api);
  await admin.press("Refresh");
  await expect.poll(() => admin.page.getByRole("button", { name: "Turn on Quince lamp" }).isEnabled()).toBe(true);
});

test("what is pressed while the list is still being taken over opens, and leaves the list as it is", async () => {
  const { page } = await visitAs(browser, server, "admin");
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  const line = await page.context().newCDPSession(page);
  await line.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(pressAtOnce, "New Device");
  await page.goto(`${server.url}/devices`);
  await page.getByRole("dialog").waitFor({ timeout: 4 * 15_000 }); // all that the page does takes four times as long
  expect(await page.evaluate(() => document.querySelector("[data-first]")?.isConnected)).toBe(true);
  expect(errors).toEqual([]);
  await page.close();
});

test("a dialog that opens while Refresh loads is no failure, and the list comes all the same", async () => {
  const visit = await visitAs(browser, server, "admin");
  const { page, go, press, sees, loading } = visit;
  await go(SCREEN);
  await hide(visit); // or it would load by itself
  await exec(server, "UPDATE devices SET model = 'Held back' WHERE name = 'Quince bench'");
  const { letGo } = await hold(visit, "GET");
  await press("Refresh");
  await expect.poll(loading).toBeGreaterThan(0);
  await press("New Device");
  await page.getByRole("dialog").getByLabel("Name").waitFor();
  await letGo();
  await sees("Held back"); // behind the dialog
  expect(await page.getByText("Failed to fetch devices").count()).toBe(0);
});

test("a card says why its light is on", async () => {
  // From now on: what began before the last OFF does not count.
  const [start_at, end_at] = [Date.now(), Date.now() + 3_600_000].map((at) => new Date(at).toISOString());
  const { id: device_id } = await deviceNamed(api, "Quince lamp");
  const booking = { title: "Night market", area_id, device_id, start_at, end_at, rrule: null };
  const { data: schedule } = await api.call("POST", "/schedules", booking);
  await admin.press("Refresh");
  await expect
    .poll(() => told("Quince lamp"))
    .toContainEqual(expect.stringMatching(/^On until \d+:\d\d [AP]M: Night market$/));
  await api.call("PUT", `/schedules/${schedule.id}/cancel`);
});

test("the list is fresh without Refresh: on focus and every 20 s, not in a hidden tab", async () => {
  const visit = await visitAs(browser, server, "admin");
  const { page } = visit;
  await page.clock.install();
  await visit.go(SCREEN);
  await page.getByRole("heading", { name: "Quince lamp" }).waitFor();
  await page.waitForLoadState("networkidle");
  await rename("Quince hut", "Quince bench");
  await page.clock.runFor(21_000);
  await page.getByRole("heading", { name: "Quince hut" }).waitFor();
  await rename("Quince kiosk", "Quince hut");
  await page.clock.runFor(3_000);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.getByRole("heading", { name: "Quince kiosk" }).waitFor();

  await hide(visit);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.clock.runFor(120_000);
  expect(asked).toEqual([]);
  await page.close();
});

test("deleting asks first, says what goes along, and tells of a failure", async () => {
  await admin.go(SCREEN);
  await admin.press("Delete Quince kiosk");
  await admin.sees('Are you sure you want to delete "Quince kiosk"? Associated schedules will be removed.');
  await admin.page.context().setOffline(true);
  await admin.press("Delete");
  await admin.sees("Failed to delete device");
  await admin.page.context().setOffline(false);
  const labels = await momentsOf(admin.page.getByRole("button", { name: "Delete", exact: true }));
  await admin.press("Delete");
  await admin.sees('Device "Quince kiosk" deleted successfully');
  expect(await labels()).toContain("Deleting...");
  await card("Quince kiosk").waitFor({ state: "hidden" });
});

test.each([
  [SCREEN, "Edit Quince lamp", "edit"],
  [SCREEN, "New Device", "new"],
  ["/workorders", "New Workorder", "new"],
])("on %s a fast back and forward after %s shows the form again, over the list", async (path, button, dialog) => {
  const visit = await visitAs(browser, server, "admin");
  const { page } = visit;
  await visit.go(path);
  // What forms choose from must not wait for Remix to find its route: back would end that in an error page.
  const held: Route[] = [];
  await page.route("**/__manifest*", (route) => void held.push(route));
  await visit.press(button);
  await page.waitForURL((url) => url.searchParams.has(dialog));
  await page.goBack();
  await page.goForward();
  const form = page.getByRole("dialog");
  await expect.poll(() => form.getByLabel("Area").locator("option").allInnerTexts()).toContain("Quince Yard");
  await page.unroute("**/__manifest*");
  await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
  await page.goBack();
  await expect.poll(() => visit.buttons(/^New /)).toHaveLength(1);
  await page.close();
});

test("what fails is told, and the screen stays", async () => {
  await admin.press("Edit Quince lamp");
  const form = admin.page.getByRole("dialog");
  await form.getByLabel("Model").fill("half typed");
  await without(server, "devices", async () => {
    const failed = admin.page.getByText("Failed to fetch devices").first();
    const look = async () => {
      await admin.page.evaluate(() => window.dispatchEvent(new Event("focus"))); // the list is asked for beneath the form
      return failed.isVisible();
    };
    await expect.poll(look, { interval: 1_000 }).toBe(true);
    await admin.sees("Failed to fetch devices");
    expect(await form.getByLabel("Model").inputValue()).toBe("half typed");
    await admin.go(SCREEN);
    await admin.sees("Failed to fetch devices", admin.page.getByRole("alert"));
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await card("Quince lamp").waitFor();
  await admin.press("New Device");
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Lost lamp");
  await dialog.getByLabel("Area").selectOption("Quince Yard");
  await without(server, "devices", async () => {
    await admin.press("Create Device");
    await admin.sees("Failed to save device");
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Lost lamp");
  });
  await withoutDepartmentNames(server, async () => {
    await admin.go(SCREEN);
    await admin.sees("Unknown Dept", card("Pitch lamp"));
  });
});

test("a manager adds and edits, and deletes nothing; a chosen department narrows the list", async () => {
  const manager = await visitAs(browser, server, "manager");
  await manager.go(SCREEN);
  await manager.sees("New Device");
  await manager.press("Edit Quince lamp");
  await manager.sees("Edit Device");
  await manager.press("Cancel");
  expect(await manager.page.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
  await manager.go(`${SCREEN}&delete=${(await deviceNamed(api, "Quince lamp")).id}`);
  await manager.sees("Quince lamp");
  expect(await manager.page.getByRole("alertdialog").count()).toBe(0);

  expect(await names(manager)).toEqual(["Dead bench", "Dead lamp", "Pitch lamp", "Quince lamp", "River lamp"]);
  await manager.page.getByRole("banner").getByLabel("Department").selectOption("Sports Fields");
  await manager.page.waitForURL((url) => !url.searchParams.has("delete"));
  await manager.sees("Quince lamp");
  expect(await names(manager)).toEqual(["Dead bench", "Dead lamp", "Pitch lamp", "Quince lamp"]);
  await manager.page.close();
});

test("an employee switches what is org-wide or their department's, and changes nothing else", async () => {
  const employee = await visitAs(browser, server, "employee");
  await employee.go(SCREEN);
  await employee.sees("Quince lamp");
  expect(await names(employee)).toEqual(["Dead bench", "Dead lamp", "Pitch lamp", "Quince lamp"]);
  await employee.press("Turn on Pitch lamp");
  await employee.sees("Device turned on successfully");
  expect(await employee.page.getByRole("button", { name: /^(New|Edit|Delete)/ }).count()).toBe(0);
  await employee.go(`${SCREEN}&new=`);
  await employee.sees("Quince lamp");
  expect(await employee.page.getByRole("dialog").count()).toBe(0);
  await employee.page.close();
});

test("an auditor sees their department's lights and switches only the others", async () => {
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.go(SCREEN);
  await auditor.sees("Quince lamp");
  for (const [name, enabled] of [
    ["Turn on Pitch lamp", false],
    ["Turn off Pitch lamp", false],
    ["Turn on Quince lamp", true],
  ] as const) {
    expect(await auditor.page.getByRole("button", { name }).isEnabled()).toBe(enabled);
  }
  await auditor.page.close();
});

test("a manager who audits a department is offered neither it nor its lights' forms, since they would be refused", async () => {
  const { data: people } = await api.call("GET", "/users");
  const { id } = people.find(({ email }: { email: string }) => email === "auditor@parks.example");
  const setRole = (role: string) => api.call("PUT", `/users/${id}`, { role });
  onTestFinished(() => setRole("employee"));
  await setRole("manager");
  const auditor = await visitAs(browser, server, "auditor");
  for (const view of ["cards", "list"]) {
    await auditor.go(`${SCREEN}&view=${view}`);
    await auditor.page.getByRole("button", { name: "Edit Quince lamp" }).waitFor();
    expect(await auditor.buttons(/^Edit Pitch lamp/)).toEqual([]);
  }
  await auditor.page.getByRole("link", { name: "Pitch lamp" }).click();
  await auditor.page.getByRole("heading", { level: 1, name: "Pitch lamp" }).waitFor();
  expect(await auditor.buttons(/^Edit/)).toEqual([]);
  await auditor.go(`${SCREEN}&new=`);
  const offered = auditor.page.getByRole("dialog").getByLabel("Department", { exact: true }).getByRole("option");
  await expect.poll(() => offered.allInnerTexts()).toEqual(["Org-wide"]);
  await auditor.page.close();
});

test("the lights are a compact list, too, with the same switches and selection; the choice is kept", async () => {
  const visit = await visitAs(browser, server, "admin");
  await visit.go(SCREEN);
  await visit.page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "List" }).click();
  const row = visit.page.getByRole("row", { name: /^Pitch lamp/ });
  await row.waitFor();
  // With 'pretty' Safari gives each word of a narrow cell a line of its own; the tests' browser does not.
  const wraps = await row
    .getByRole("cell")
    .first()
    .evaluate((cell) => getComputedStyle(cell).getPropertyValue("text-wrap-style"));
  expect(wraps).toBe("balance");
  expect(await visit.page.getByRole("columnheader").allInnerTexts()).toEqual([
    "Light",
    "Area",
    "State",
    "Now, and why",
    "Last update",
    "Switch",
    "More",
  ]);
  expect(await barriersInBoth(visit.page)).toEqual([]);
  await row.getByRole("button", { name: "Turn on Pitch lamp" }).click();
  await visit.sees("Device turned on successfully");
  await expect.poll(() => row.getAttribute("data-state")).toBe("on");
  await expect.poll(() => row.getByRole("cell").nth(3).innerText()).toMatch(/^[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/);

  await visit.go(SCREEN);
  await visit.press("Select");
  await row.getByRole("checkbox", { name: "Select Pitch lamp" }).check();
  await visit.press("Turn off");
  await visit.sees("1 turned off");
  // The pressed button was away meanwhile.
  const bar = visit.page.getByRole("region", { name: "Selection" });
  await expect.poll(() => bar.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await visit.page.setViewportSize({ width: 390, height: 844 });
  expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await barriersInBoth(visit.page)).toEqual([]);
  await visit.press("End selection");
  await visit.page.setViewportSize({ width: 1280, height: 720 });
  await visit.page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "Cards" }).click();
  await visit.page.getByRole("article", { name: "Pitch lamp" }).waitFor();
});

test("who presses once more where a light was switches no other that has come there", async () => {
  const [, , last] = await aPlace(api, "Bilberry Park", ["Bilberry lamp 1", "Bilberry lamp 2", "Bilberry lamp 3"]);
  await api.call("POST", `/devices/${last?.id}/toggle`, { action: "on" });
  await server.query("UPDATE devices SET current_state = 'off' WHERE name IN ('Bilberry lamp 1', 'Bilberry lamp 2')");
  const tab = await visitAs(browser, server, "admin");
  const { page } = tab;
  await tab.go("/devices?q=bilberry&sort=state");
  await page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "List" }).click();
  await page.getByRole("row", { name: /^Bilberry lamp 3/ }).waitFor();
  await arrived(tab, "wayfinding");
  const rows = () => page.getByRole("row", { name: /^Bilberry lamp/ }).allInnerTexts();
  expect((await rows())[0]).toMatch(/^Bilberry lamp 3/);
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/devices")) posts.push(request.postData() ?? "");
  });
  const off = page.getByRole("button", { name: "Turn off Bilberry lamp 3" });
  const box = await off.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 10];
  await page.evaluate(pressAgainOnceMoved, [x, y] as const);
  await page.mouse.click(x, y);
  await page.getByText("The list has just moved: that press did nothing").waitFor();
  expect((await rows())[0]).toMatch(/^Bilberry lamp 1/);
  expect(posts).toHaveLength(1);
  // Whoever goes there by themselves means what is there.
  await page.mouse.move(x, y + 100);
  await page.mouse.click(x, y);
  await expect.poll(() => posts.length).toBe(2);
});

test.each([
  ["rests", "Medlar"],
  ["trembles", "Bullace"],
] as const)(
  "who presses where a button was as a row above grows, with a hand that %s, switches no other light",
  async (hand, name) => {
    const [first] = await aPlace(api, `${name} Park`, [`${name} lamp 1`, `${name} lamp 2`]);
    const tab = await visitAs(browser, server, "admin");
    const { page } = tab;
    await tab.go(`/devices?q=${name}&view=list`);
    await page.getByRole("row", { name: `${name} lamp 2` }).waitFor();
    await arrived(tab, "wayfinding");
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().includes("/devices")) posts.push(request.postData() ?? "");
    });
    const on = page.getByRole("button", { name: `Turn on ${name} lamp 2` });
    const box = await on.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 4];
    await page.mouse.move(x, y);
    await page.evaluate(pressOnceTold, [x, y, "Back to the schedule", hand] as const);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await api.call("POST", `/devices/${first?.id}/toggle`, { action: "off", until });
    const isGrown = async () => {
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      return page.getByRole("button", { name: "Back to the schedule" }).isVisible();
    };
    await expect.poll(isGrown).toBe(true);
    await page.getByText("The list has just moved: that press did nothing").waitFor();
    expect(posts).toEqual([]);
  },
);

test("nothing found is not the same as nothing there", async () => {
  await admin.go("/devices?q=nowhere");
  await admin.sees("Nothing matches your search");
  await exec(server, "DELETE FROM devices");
  await admin.press("Refresh");
  await admin.sees("No Devices Found");
});

const card = (name: string) => admin.page.getByRole("article", { name, exact: true });

/** The lines of a card, a fact a line. */
async function told(name: string): Promise<string[]> {
  const text = await shownText(card(name));
  return text
    .replaceAll(/^(Model|Hub|Last update|Cloud ID)\n+/gm, "$1 ")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

const names = ({ page }: Visit) => page.getByRole("listitem").getByRole("heading").allInnerTexts();

async function rename(name: string, before: string) {
  await api.call("PUT", `/devices/${(await deviceNamed(api, before)).id}`, { name, area_id });
}

/** In the browser: marks the first card and presses the button as soon as both can be, which is before all is hydrated. */
function pressAtOnce(button: string) {
  const isKnown = (element: Element | undefined) =>
    element !== undefined && Object.keys(element).some((key) => key.startsWith("__reactProps"));
  const timer = setInterval(() => {
    const first = document.querySelector<HTMLElement>("main article");
    const form = document.querySelector("form#dialogs") ?? undefined;
    // No more than that until then, and never innerText: looked for so often, it would leave little time to hydrate.
    if (!first || !isKnown(form)) return;
    const pressed = [...document.querySelectorAll("button")].find(({ textContent }) => textContent?.trim() === button);
    if (!isKnown(pressed)) return;
    clearInterval(timer);
    first.dataset.first = "";
    pressed?.click();
  }, 1);
}

/** From this hour, two hours long. */
async function blackoutNow(): Promise<RegExp> {
  const hour = Number(new Date().toLocaleString("sv-SE", { timeZone: "America/Los_Angeles" }).slice(11, 13));
  const clock = (of: number) => `${String(of % 24).padStart(2, "0")}:00`;
  const told = (of: number) => `${of % 12 || 12}:00 ${of % 24 < 12 ? "AM" : "PM"}`;
  await api.call("POST", "/admin/settings/guardrails", { BLACKOUT_WINDOW: `${clock(hour)}-${clock(hour + 2)}` });
  return new RegExp(`^Lights may not go on during the blackout, until ${told(hour + 2)}$`);
}

/** Runs in the page: presses there as soon as other rows have come, before anybody could have read their names. */
function pressAgainOnceMoved([clientX, clientY]: readonly [number, number]): void {
  const main = document.getElementById("main");
  const at = { bubbles: true, cancelable: true, clientX, clientY };
  const watch = new MutationObserver((changes) => {
    if (!changes.some(({ addedNodes }) => [...addedNodes].some(({ nodeName }) => nodeName === "TR"))) return;
    watch.disconnect();
    const there = document.elementFromPoint(clientX, clientY);
    there?.dispatchEvent(new PointerEvent("pointerdown", at));
    there?.dispatchEvent(new MouseEvent("click", { ...at, detail: 1 }));
  });
  if (main) watch.observe(main, { childList: true, subtree: true });
}

test("the list of lights is framed as cards are, and each button stands by itself, however wide the page is", async () => {
  const [held] = await aPlace(api, "Sorrel", ["Sorrel lamp"]);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await api.call("POST", `/devices/${held?.id}/toggle`, { action: "on", until, reason: "photographer" });
  const { page, go } = await visitAs(browser, server, "admin");
  await go("/devices?q=Sorrel&view=list");
  const back = page.getByRole("button", { name: "Back to the schedule" });
  const table = page.getByRole("table", { name: "Devices" });
  await back.waitFor();
  for (const width of [1280, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const on = await page.getByRole("button", { name: /^Turn on Sorrel/ }).boundingBox();
    const gap = ((await back.boundingBox())?.y ?? 0) - (on?.y ?? 0) - (on?.height ?? 0);
    // A row that is lit has a ground of its own.
    const isSquare = await table.evaluate(fillsItsCorner);
    const spilled = await table.evaluate(spilling);
    expect({ width, gap, isSquare, spilled }).toEqual({ width, gap: 4, isSquare: false, spilled: [] });
  }
});

/** Runs in the page: the buttons that are not whole in their frame, and those out of which their label sticks. */
function spilling(table: Element): string[] {
  const frame = table.parentElement?.getBoundingClientRect();
  const buttons = [...table.querySelectorAll("button")].filter((button) => button.checkVisibility());
  const isOut = (button: Element) =>
    button.getBoundingClientRect().right > (frame?.right ?? 0) || button.scrollWidth > button.clientWidth;
  return buttons.filter(isOut).map((button) => button.ariaLabel ?? button.textContent ?? "");
}

test("on a narrow phone a lamp's dot stands beside its name, also where that takes two lines", async () => {
  const name = "Riverside recreation field, northern mast";
  await aPlace(api, "Tansy Park", [name]);
  const { page, go } = await visitAs(browser, server, "admin");
  await page.setViewportSize({ width: 360, height: 740 });
  await go("/devices?q=Tansy&view=list");
  const cell = page.getByRole("rowheader", { name });
  await cell.waitFor();
  const [around, link] = await Promise.all([cell.boundingBox(), cell.getByRole("link").boundingBox()]);
  expect(link?.height).toBeGreaterThan(30);
  expect((link?.x ?? 0) - (around?.x ?? 0)).toBeGreaterThanOrEqual(18);
});

/** Runs in the page: whether a row reaches into the corner that its frame leaves out. */
function fillsItsCorner(table: Element): boolean {
  const { left, bottom } = table.getBoundingClientRect();
  const at = document.elementFromPoint(left + 1, bottom - 1);
  return at !== null && table.contains(at);
}
