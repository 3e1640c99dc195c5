import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { setFaults } from "#tests/support/faults";
import { withoutHubChecks } from "#tests/support/hub-checks";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { aVisit, exec, signIn, visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let api: Staff;
let manager: Visit;
let area_id: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await exec(server, "DELETE FROM areas\nDELETE FROM workorders");
  await withoutHubChecks(server);
  api = await signedInAs(server, "admin");
  await withoutNight(api);
  const quick = { RETRY_BACKOFFS_SEC: [1], YOLINK_VERIFY_DELAY_SEC: 1 };
  await api.call("POST", "/admin/settings/guardrails", quick);
  const [gate] = await aPlace(api, "Plum Yard", ["Yard gate"]);
  area_id = gate?.area_id ?? "";
  manager = await visitAs(browser, server, "manager");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const panel = ({ page }: Visit) => page.getByRole("region", { name: "Needs attention" });
const row = (visit: Visit, name: string) => panel(visit).getByRole("listitem").filter({ hasText: name });

test("when all is well nothing needs attention, and no space is kept for it", async () => {
  await manager.go("/dashboard");
  await manager.sees("On now");
  await manager.sees("No light is on");
  expect(await panel(manager).count()).toBe(0);
});

test("a lamp that stays dark is there with what was tried, and its button lights it once it can be lit", async () => {
  const id = await aStuckLamp("Plum mast", "plum");
  await manager.go("/dashboard");
  await manager.sees(
    /^Dark since \d+:\d\d [AP]M: (still off|not confirmed) after \d+ tr(y|ies)\. Should be on until \d+:\d\d [AP]M\.$/,
  );
  expect(await barriersInBoth(manager.page)).toEqual([]);

  await setFaults(server, { "lamp:plum": [{ kind: "slow", ms: 1_500 }] });
  await manager.page.getByRole("button", { name: "Try again: Plum mast" }).click();
  await manager.sees("Waiting for the lamp");
  await manager.sees("Device turned on successfully");
  await setFaults(server, { "lamp:plum": [] });
  // Nothing moves under the pointer; once it is elsewhere the row goes.
  await manager.page.mouse.move(5, 5);
  await untilGone("Plum mast");
  expect((await api.call("GET", "/devices")).data.find((one: { id: string }) => one.id === id).current_state).toBe(
    "on",
  );
  await manager.sees("1 light in 1 area");
  await manager.sees(/^Plum evening until \d+:\d\d [AP]M$/);
});

test("an auditor sees a dark light without the button that would switch it", async () => {
  await exec(
    server,
    `UPDATE devices SET current_state = 'off', problem = 'still off, 3 tries', problem_since = '2026-11-21T02:05:00.000Z', dept_id = 'demo-dept-sports' WHERE name = 'Yard gate'`,
  );
  const auditor = await visitAs(browser, server, "auditor");
  await auditor.go("/dashboard");
  await panel(auditor).getByText("Yard gate").waitFor();
  expect(await row(auditor, "Yard gate").getByRole("button").count()).toBe(0);
  await auditor.page.close();
});

test("the work order of a light comes with its place, its title and what is wrong filled in", async () => {
  await manager.go("/dashboard");
  await panel(manager).getByRole("link", { name: "Work order: Yard gate" }).click();
  const dialog = manager.page.getByRole("dialog");
  await expect.poll(() => dialog.getByLabel("Device").inputValue()).not.toBe("");
  expect(await dialog.getByLabel("Title").inputValue()).toBe("Yard gate stays dark");
  expect(await dialog.getByLabel("Description").inputValue()).toBe(
    "Dark since Nov 20, 6:05 PM: still off after 3 tries.",
  );
  await manager.press("Create Workorder");
  await manager.sees("Workorder created successfully");
  await manager.page.waitForURL("**/dashboard"); // where its link stood
  await panel(manager).getByRole("link", { name: "Work order: Yard gate" }).click();
  await manager.sees("Edit Workorder");
});

test("a hub that is away is pinged from its row, by keyboard, and an employee has no such button", async () => {
  await exec(server, "UPDATE devices SET problem = NULL, problem_since = NULL");
  const employee = await visitAs(browser, server, "employee");
  await exec(server, "UPDATE hubs SET status = 'offline', last_seen = NULL WHERE name = 'Plum Yard hub'");
  await employee.go("/dashboard");
  await employee.sees(/^Never answered/, row(employee, "Plum Yard hub"));
  expect(await row(employee, "Plum Yard hub").getByRole("button").count()).toBe(0);
  await employee.page.close();

  await manager.go("/dashboard");
  await manager.page.getByRole("button", { name: "Ping hub: Plum Yard hub" }).focus();
  await manager.page.keyboard.press("Enter");
  await manager.sees(/^Hub Plum Yard hub is online \(\d+ms\)$/);
  await untilGone("Plum Yard hub");
});

test("on a phone the rows are a list that fits, with room for a thumb, in light and dark", async () => {
  await aStuckLamp("Plum bench", "bench");
  await manager.page.setViewportSize({ width: 390, height: 844 });
  await manager.go("/dashboard");
  const button = manager.page.getByRole("button", { name: "Try again: Plum bench" });
  await button.waitFor();
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  expect(await manager.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await barriersInBoth(manager.page)).toEqual([]);
  await manager.page.setViewportSize({ width: 1280, height: 800 });
});

test.each(["a mouse", "a mouse that the focus has left", "a finger"])(
  "what goes meanwhile moves no row under the press of %s",
  async (by) => {
    const isTouch = by === "a finger";
    const context = await browser.newContext({ viewport: { width: 700, height: 900 }, hasTouch: isTouch });
    await signIn(context, server, "manager@parks.example");
    const visit = await aVisit(context, server);
    const { page } = visit;
    const wrong = (name: string, since: string | null) =>
      exec(
        server,
        `UPDATE devices SET current_state = 'off', problem = ${since && "'still off, 3 tries'"}, problem_since = ${since && `'${since}'`} WHERE name = '${name}'`,
      );
    await wrong("Plum mast", "2026-11-20T02:05:00.000Z");
    await wrong("Yard gate", "2026-11-21T02:05:00.000Z");
    await visit.go("/dashboard");
    const order = row(visit, "Yard gate").getByRole("link", { name: "Work order: Yard gate" });
    const box = await order.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 15];
    const line = await context.newCDPSession(page);
    const touch = (type: "touchStart" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
      line.send("Input.dispatchTouchEvent", { type, touchPoints });
    await (isTouch ? touch("touchStart", [{ x, y }]) : page.mouse.move(x, y));
    if (by === "a mouse that the focus has left") {
      await order.focus();
      await order.blur();
    }
    await wrong("Plum mast", null);
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event("focus")));
        return panel(visit).innerText();
      })
      .toContain("As it should be again.");
    await (isTouch ? touch("touchEnd", []) : page.mouse.click(x, y));
    const title = page.getByRole("dialog").getByLabel("Title");
    await expect.poll(() => title.inputValue()).toBe("Yard gate stays dark");
    await wrong("Yard gate", null);
    await context.close();
  },
);

function makeGateWrong(state: "on" | "off"): Promise<void> {
  return exec(
    server,
    `UPDATE devices SET current_state = '${state}', problem = 'not as it should be', problem_since = '2026-11-21T02:05:00.000Z' WHERE name = 'Yard gate'`,
  );
}

test("a button under the pointer never comes to do another thing", async () => {
  await makeGateWrong("off");
  await manager.go("/dashboard");
  const button = (name: string) => row(manager, "Yard gate").getByRole("button", { name, exact: true });
  await button("Try again: Yard gate").hover();
  await makeGateWrong("on");
  await expect
    .poll(async () => {
      await manager.page.evaluate(() => dispatchEvent(new Event("focus")));
      return row(manager, "Yard gate").innerText();
    })
    .toContain("On since");
  expect(await row(manager, "Yard gate").getByRole("button").count()).toBe(0);
  await manager.page.mouse.move(5, 5);
  await button("Turn off: Yard gate").waitFor();
  await exec(server, "UPDATE devices SET problem = NULL, problem_since = NULL WHERE name = 'Yard gate'");
});

test("a pointer that leaves in the moment in which the button under it goes holds nothing back", async () => {
  const { page } = manager;
  await makeGateWrong("off");
  await manager.go("/dashboard");
  const button = (name: string) => row(manager, "Yard gate").getByRole("button", { name, exact: true });
  await button("Try again: Yard gate").hover();
  await makeGateWrong("on");
  // The browser has no time to see what is under the pointer by then.
  const isGone = page.waitForEvent("console", (message) => message.text() === "gone");
  await row(manager, "Yard gate").evaluate((shown) => {
    const asking = setInterval(() => dispatchEvent(new Event("focus")), 200);
    const stall = (_: unknown, self: MutationObserver) => {
      if (shown.querySelector("button")) return;
      clearInterval(asking);
      self.disconnect();
      console.debug("gone");
      const until = performance.now() + 1_000;
      while (performance.now() < until);
    };
    new MutationObserver(stall).observe(shown, { childList: true, subtree: true });
  });
  await isGone;
  await page.mouse.move(5, 5);
  await expect.poll(() => button("Turn off: Yard gate").count()).toBe(1);
  await exec(server, "UPDATE devices SET problem = NULL, problem_since = NULL WHERE name = 'Yard gate'");
});

test("a light is not said to be well before its lamp has answered the press", async () => {
  const is = (problem: string) =>
    exec(server, `UPDATE devices SET current_state = 'off', problem = ${problem} WHERE name = 'Yard gate'`);
  const total = async () => Number(await panel(manager).locator("header b").innerText());
  await is("'still off, 3 tries'");
  await manager.go("/dashboard");
  const before = await total();
  const release: Record<string, () => void> = {};
  const held = (method: string) => new Promise<void>((done) => (release[method] = done));
  const answers = { GET: held("GET"), POST: held("POST") };
  await manager.page.route("**/dashboard.data*", async (route, request) => {
    await (request.method() === "POST" ? answers.POST : answers.GET);
    await route.continue();
  });
  // The list is asked for before the press, and comes before its answer.
  const asked = manager.page.waitForRequest("**/dashboard.data*");
  await manager.press("Refresh");
  await asked;
  await manager.page.getByRole("button", { name: "Try again: Yard gate" }).click();
  await manager.sees("Waiting for the lamp", row(manager, "Yard gate"));
  await is("NULL");
  release["GET"]?.();
  await expect.poll(total).toBe(before - 1);
  expect(await row(manager, "Yard gate").innerText()).toContain("Waiting for the lamp");
  release["POST"]?.();
  await manager.sees("Device turned on successfully");
  await manager.sees("As it should be again.", row(manager, "Yard gate"));
  await manager.page.unroute("**/dashboard.data*");
});

test("without JavaScript the button works, and says what came of it", async () => {
  await setFaults(server, { "lamp:bench": [] });
  const context = await browser.newContext({ javaScriptEnabled: false });
  await signIn(context, server, "manager@parks.example");
  const { page } = await aVisit(context, server);
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole("button", { name: "Try again: Plum bench" }).click();
  await page.getByText("Device turned on successfully").waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await context.close();
});

test("each figure and each card leads to the list of what it counts", async () => {
  await manager.go("/dashboard");
  const hrefOf = (name: string | RegExp) => manager.page.getByRole("link", { name }).first().getAttribute("href");
  expect(await hrefOf("Total Areas")).toBe("/areas");
  expect(await hrefOf("Online Hubs")).toBe("/hubs?status=online");
  expect(await hrefOf("Active Devices")).toBe("/devices?state=on");
  expect(await hrefOf("Next Event")).toBe("/schedules");
  expect(await hrefOf("1 active")).toBe("/areas?status=active");
  expect(await hrefOf(/^\d+\/1 hubs$/)).toBe(`/hubs?area=${area_id}`);
  await manager.page.getByRole("link", { name: /^\d+\/\d+ devices$/ }).click();
  await manager.sees("Device Management");
  expect(new URL(manager.page.url()).search).toBe(`?area=${area_id}`);
});

/** A lamp that is booked now, answers, and does not light, until the engine has given up for the moment. */
async function aStuckLamp(name: string, cloud_device_id: string): Promise<string> {
  await setFaults(server, { [`lamp:${cloud_device_id}`]: [{ kind: "stuck" }] });
  const { data: device } = await api.call("POST", "/devices", { name, area_id, cloud_device_id });
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const window = { start_at: at(-30), end_at: at(120), rrule: null };
  await api.call("POST", "/schedules", { title: "Plum evening", area_id, device_id: device.id, ...window });
  const problemOf = async () =>
    (await server.query("SELECT problem FROM devices WHERE id = ?", device.id))[0]?.["problem"] ?? null;
  await expect.poll(problemOf, { timeout: 30_000 }).not.toBeNull();
  return device.id;
}

async function untilGone(name: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await manager.press("Refresh");
        return row(manager, name).count();
      },
      { timeout: 30_000, interval: 1_000 },
    )
    .toBe(0);
}
