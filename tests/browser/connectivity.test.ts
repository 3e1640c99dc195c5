import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { seen } from "#tests/support/seen";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, deviceNamed, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { exec, hide, hold, htmlFor, visitAs, without, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let staff: Staff;
let manager: Visit;
const ids = new Map<string, string>();

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  for (const { id, name } of await aPlace(staff, "Bench Park", ["Bench lamp", "Busy lamp", "Slow lamp"]))
    ids.set(name, id);
  manager = await visitAs(browser, server, "manager");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("beside the sidebar of a small screen each button has room for its label", async () => {
  await manager.page.setViewportSize({ width: 1024, height: 768 });
  await manager.go("/connectivity");
  const buttons = manager.page.getByRole("button", { name: /^(Ping Hub|Get Status|Test ON|Test OFF)$/ });
  await buttons.first().waitFor();
  const room = await buttons.evaluateAll((all) => all.map((one) => one.clientWidth - one.scrollWidth));
  expect(room).toEqual([0, 0, 0, 0]);
  await manager.page.setViewportSize({ width: 1280, height: 720 });
});

test("a test needs something to test", async () => {
  await manager.go("/connectivity");
  await manager.press("Run Full Test");
  await manager.sees("Please select a device first");
  await manager.reload();
  await manager.press("Get Status");
  await manager.sees("Please select a device first");
  await manager.press("Ping Hub");
  await manager.sees("Please select a hub first");
  await manager.sees("No tests in this session yet");
});

test("nothing jumps when the controls arrive after the screen", async () => {
  const { page } = manager;
  await manager.go("/areas");
  await page.evaluate(holdLists);
  await page.getByRole("link", { name: "Connectivity Test" }).click();
  await manager.sees("Loading devices and hubs...");
  const shifts = await page.evaluateHandle(() => {
    const seen: string[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push(JSON.stringify(entry));
    }).observe({ type: "layout-shift" });
    return seen;
  });
  await page.evaluate(() => dispatchEvent(new Event("let-go")));
  await page.getByRole("button", { name: "Run Full Test" }).waitFor();
  await page.getByRole("heading", { name: "Recent Test Logs" }).waitFor();
  // The browser tells of a frame's shifts after it.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  expect(await shifts.jsonValue()).toEqual([]);
});

test("single tests tell what the hardware answers, and a device brings its hub along", async () => {
  await choose("Bench lamp");
  expect(await manager.page.getByLabel("Hub", { exact: false }).locator("option:checked").innerText()).toBe(
    "Bench Park hub (Not set)",
  );
  await manager.press("Ping Hub");
  await manager.sees(/^Hub Bench Park hub is online \(\d+ms\)$/);
  await manager.press("Get Status");
  await manager.sees("Device Bench lamp is off");
  await manager.press("Test ON");
  await manager.sees("Device Bench lamp turned on successfully");
  await manager.press("Test OFF");
  await manager.sees("Device Bench lamp turned off successfully");
  expect(await results().count()).toBe(4);
});

test("the full test shows its steps as they happen, and gives the light back", async () => {
  const { letOneGo, letGo } = await hold(manager, "POST");
  await manager.press("Run Full Test");
  await step("running", "Ping the hub").waitFor();
  await letOneGo();
  await step("ok", "Ping the hub").and(manager.page.locator("ol:has([data-state=waiting]) > li")).waitFor();
  await letGo();
  await step("ok", "Turn on").waitFor();
  await manager.sees("Full connectivity test completed");
  expect(await results().count()).toBe(8);

  const columns = await manager.page.getByRole("columnheader").allInnerTexts();
  expect(columns).toEqual(["Time", "Type", "Target", "Provider", "Result", "Response"]);
  const latest = async () => (await manager.page.locator("tbody tr").first().innerText()).replace(/\s+/g, " ");
  await expect.poll(latest).toMatch(/Test OFF Bench lamp mock success mock: state off/);
});

test("only the latest 10 results are kept, and 10 logs shown", async () => {
  for (let n = 0; n < 3; n += 1) {
    await manager.press("Get Status");
    await expect.poll(() => results().count()).toBe(Math.min(10, 9 + n));
  }
  await manager.press("Refresh");
  await expect.poll(() => manager.page.locator("tbody tr").count()).toBe(10);
});

test("a light that is in use is not tested without asking; a stopped test gives it back at once", async () => {
  const start_at = new Date().toISOString();
  const end_at = new Date(Date.now() + 3_600_000).toISOString();
  const device_id = ids.get("Busy lamp");
  const { data: devices } = await staff.call("GET", "/devices");
  const { area_id } = devices.find(({ id }: { id: string }) => id === device_id);
  await staff.call("POST", "/schedules", { title: "Night market", area_id, device_id, start_at, end_at, rrule: null });
  await expect.poll(() => stateOf("Busy lamp")).toBe("on");

  await manager.go(`/connectivity?device=${device_id}`);
  await manager.page.getByText(/^On until \d+:\d\d [AP]M: Night market/).waitFor();
  await manager.press("Test OFF");
  await manager.page.getByText('"Night market" is running on "Busy lamp".').waitFor();
  await manager.press("Cancel");
  const { letGo } = await hold(manager, "POST");
  await manager.press("Run Full Test");
  await manager.press("Run the test");
  await manager.press("Stop");
  await letGo();
  await manager.sees("Full connectivity test stopped");
  expect(await stateOf("Busy lamp")).toBe("on");

  // Left dark by the test's own OFF, it is lit again as soon as the test has ended.
  await manager.press("Run Full Test");
  await manager.press("Run the test");
  await manager.sees("Full connectivity test completed");
  await expect.poll(() => stateOf("Busy lamp")).toBe("on");
});

test("a double click runs the full test, and does not stop it", async () => {
  await manager.go(`/connectivity?device=${ids.get("Bench lamp")}`);
  await manager.page.getByRole("button", { name: "Run Full Test" }).dblclick();
  await manager.sees("Full connectivity test completed");
});

test("who leaves before the engine has said what a light is for has no test run behind them", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page } = visit;
  await page.addInitScript(holdExplanation);
  await visit.go("/connectivity");
  await page.getByLabel("Device", { exact: true }).selectOption("Slow lamp (Bench Park)");
  await page.waitForURL("**/connectivity?device=*");
  await visit.press("Run Full Test");
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(new URL(request.url()).pathname));
  await page.getByRole("link", { name: "Hubs", exact: true }).first().click();
  await page.getByRole("heading", { name: "Hub Management" }).waitFor();
  await page.evaluate(async () => {
    dispatchEvent(new Event("explained"));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  expect(sent).toEqual([]);
});

test("while a test waits for what the engine says, no other light is chosen, and it begins once", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page } = visit;
  await page.addInitScript(holdExplanation);
  await visit.go("/connectivity");
  const device = page.getByLabel("Device", { exact: true });
  await device.selectOption("Slow lamp (Bench Park)");
  await page.waitForURL("**/connectivity?device=*");
  await page.getByRole("button", { name: "Run Full Test" }).dblclick();
  await expect.poll(() => device.isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "Run Full Test", disabled: true }).getAttribute("aria-busy")).toBe(
    "true",
  );
  const asked: string[] = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(String(request.postData())));
  await page.evaluate(() => dispatchEvent(new Event("explained")));
  await visit.sees("Full connectivity test completed");
  expect(asked.filter((form) => form.includes("intent=ping"))).toHaveLength(1);
});

test("the full test goes on while the engine has not said what the light is for since the last step", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page } = visit;
  await page.addInitScript(holdExplanation);
  await visit.go(`/connectivity?device=${ids.get("Slow lamp")}`);
  await page.getByText(/nothing is scheduled/).waitFor();
  await visit.press("Run Full Test");
  await visit.sees("Full connectivity test completed");
  await page.context().close();
});

/** In the page: what the engine says of a chosen device comes with the event 'explained', and after it at once. */
function holdExplanation(): void {
  const explained = new Promise((done) => addEventListener("explained", done, { once: true }));
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const answer = await send(input, init);
    const { pathname, searchParams } = new URL(answer.url);
    if (pathname !== "/connectivity.data" || !searchParams.has("device")) return answer;
    const lines = (await answer.text()).split("\n").filter(Boolean);
    const explanation = lines.findIndex((line) => line.includes('"claims"'));
    const [held = ""] = lines.splice(explanation, 1);
    const encoded = (line: string) => new TextEncoder().encode(`${line}\n`);
    const body = new ReadableStream({
      start: async (stream) => {
        for (const line of lines) stream.enqueue(encoded(line));
        await explained;
        stream.enqueue(encoded(held));
        stream.close();
      },
    });
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}

const REASON = /^Lights may not go on during the blackout, until/;

test("a guardrail holds in tests, too", async () => {
  await choose("Bench lamp");
  await manager.sees(/nothing is scheduled/);
  const wall = new Date().toLocaleString("sv-SE", { timeZone: "America/Los_Angeles" }).slice(11, 13);
  const next = String((Number(wall) + 2) % 24).padStart(2, "0");
  // A page that is not looked at does not hear of it.
  await hide(manager);
  await staff.call("POST", "/admin/settings/guardrails", { BLACKOUT_WINDOW: `${wall}:00-${next}:00` });
  await manager.press("Test ON");
  await manager.sees("Failed to turn on device Bench lamp");
  await manager.sees(REASON);
  await hide(manager, false);

  await choose("Bench lamp");
  for (const name of ["Run Full Test", "Test ON"]) {
    const button = manager.page.getByRole("button", { name });
    await expect.poll(() => button.getAttribute("title")).toMatch(REASON);
    expect(await button.isDisabled()).toBe(true);
  }
  expect(await manager.page.getByRole("button", { name: "Test OFF" }).isEnabled()).toBe(true);
  await withoutNight(staff);
});

test("a closed light is not lit by a test, and another one of its area is", async () => {
  const device_id = ids.get("Busy lamp");
  const target = { type: "device", id: device_id };
  const { data } = await staff.call("POST", "/closures", { target, reason: "wet ground" });
  await choose("Busy lamp");
  const button = manager.page.getByRole("button", { name: "Test ON" });
  await expect.poll(() => button.getAttribute("title")).toBe("Lights may not go on, closed: wet ground");
  await choose("Bench lamp");
  await expect.poll(() => button.getAttribute("title")).toBeNull();
  await staff.call("DELETE", `/closures/${data.id}`);
});

test("a hub that is not reached is offline, and why; its devices have no state", async () => {
  await staff.call("POST", "/admin/settings", { PROVIDER_MODE: "local" });
  await choose("Bench lamp");
  await manager.press("Ping Hub");
  await manager.sees(/^Hub Bench Park hub is offline: .+$/);
  await manager.press("Get Status");
  await manager.sees("Failed to get status for Bench lamp");
  await staff.call("POST", "/admin/settings", { PROVIDER_MODE: "mock" });
});

test("of a light without a hub no step that was skipped is counted among those that succeeded", async () => {
  const { area_id } = await deviceNamed(staff, "Bench lamp");
  await staff.call("POST", "/devices", { name: "Lone lamp", area_id });
  await staff.call("POST", "/admin/settings", { PROVIDER_MODE: "local" });
  await choose("Lone lamp");
  await manager.press("Run Full Test");
  await step("skipped", "Ping the hub").waitFor();
  await manager.sees("Full connectivity test completed");
  await manager.sees("3 of 3 steps did not succeed");
  await staff.call("POST", "/admin/settings", { PROVIDER_MODE: "mock" });
});

test("a test that cannot be asked for is told", async () => {
  await choose("Bench lamp");
  const context = manager.page.context();
  await context.setOffline(true);
  for (const [button, words] of [
    ["Ping Hub", "Hub ping failed"],
    ["Get Status", "Device status check failed"],
    ["Test ON", "Device on test failed"],
    ["Test OFF", "Device off test failed"],
    ["Run Full Test", "Connectivity test failed"],
  ] as const) {
    await manager.press(button);
    await manager.sees(words);
  }
  await context.setOffline(false);
  await manager.press("Get Status");
  await manager.sees("Device Bench lamp is off");
});

test("a test without an answer is dated by the server's clock, whatever the laptop's says", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page } = visit;
  await page.clock.install({ time: Date.now() + 26 * 3_600_000 });
  await visit.go(`/connectivity?device=${ids.get("Bench lamp")}`);
  await page.context().setOffline(true);
  await visit.press("Get Status");
  await visit.sees("Device status check failed");
  const result = page.getByRole("region", { name: "Test Results" }).getByRole("listitem");
  const at = Date.parse((await result.locator("time").getAttribute("datetime")) ?? "");
  expect(Math.abs(at - Date.now())).toBeLessThan(3_600_000);
  await page.context().close();
});

test("a test that gets no answer is told also while the screen is loading", async () => {
  await choose("Bench lamp");
  const { page } = manager;
  await expect.poll(manager.loading).toBe(0);
  await page.route("**/connectivity.data*", (route) =>
    route.request().method() === "POST" ? route.abort() : undefined,
  );
  const asked = page.waitForRequest("**/connectivity.data*");
  await page.getByLabel("Device").selectOption({ label: "Bench lamp (Bench Park)" });
  await asked;
  await manager.press("Ping Hub");
  await manager.sees("Hub ping failed");
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("what cannot be loaded is told", async () => {
  await without(server, "hubs", async () => {
    await manager.go("/connectivity");
    await manager.sees("Failed to fetch devices and hubs");
  });
  await manager.go("/connectivity");
  await without(server, "connectivity_logs", async () => {
    await manager.press("Refresh");
    await manager.sees("Failed to fetch test logs");
  });
  await exec(server, "DELETE FROM connectivity_logs");
  await manager.press("Refresh");
  await manager.sees("No tests have been run yet");
});

test("an employee is denied, and not shown the way", async () => {
  const [html] = await htmlFor(browser, server, "employee", "/connectivity");
  expect(html).toContain("Access denied. Admin or Manager role required.");
  seen("Access denied. Admin or Manager role required.");
  expect(html).not.toContain('href="/connectivity"');
});

const results = () => manager.page.getByRole("region", { name: "Test Results" }).getByRole("listitem");

const step = (state: string, name: string) => manager.page.locator(`[data-state=${state}]`, { hasText: name });

async function choose(device: string) {
  await manager.go("/connectivity");
  await manager.page.getByLabel("Device", { exact: true }).selectOption(`${device} (Bench Park)`);
  await manager.page.waitForURL("**/connectivity?device=*");
}

async function stateOf(device: string) {
  const { data } = await staff.call("GET", "/devices");
  return data.find(({ name }: { name: string }) => name === device).current_state;
}

/** Runs in the page: of the screen's answer only the first line comes, and the lists at 'let-go'. */
function holdLists(): void {
  const { fetch } = window;
  window.fetch = async (...of) => {
    const response = await fetch(...of);
    if (!response.url.includes("/connectivity.data")) return response;
    const [first = "", ...rest] = (await response.text()).split("\n");
    const bytes = (text: string) => new TextEncoder().encode(text);
    const body = new ReadableStream({
      start: (line) => {
        line.enqueue(bytes(`${first}\n`));
        const end = () => (line.enqueue(bytes(rest.join("\n"))), line.close());
        addEventListener("let-go", end, { once: true });
      },
    });
    return new Response(body, response);
  };
}
