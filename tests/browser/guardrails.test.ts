import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs, type Staff } from "#tests/support/staff";
import {
  exec,
  hide,
  htmlFor,
  htmlOf,
  keepFailure,
  loseNextAnswer,
  tryAgain,
  type Visit,
  visitAs,
  without,
  wordsOf,
} from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;
let staff: Staff;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await exec(server, "DELETE FROM areas"); // the demo's dead hub and lamp would send messages of their own
  [admin, staff] = await Promise.all([visitAs(browser, server, "admin"), signedInAs(server, "admin")]);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const curfew = () => admin.page.getByLabel("Hard curfew");
const blackout = () => admin.page.getByLabel("Blackout window");
const tonight = () => admin.page.getByRole("status", { name: "Tonight" }).innerText();

test("the screen starts with the defaults, and says in words what they mean", async () => {
  await admin.go("/guardrails");
  await admin.sees("Guardrail Settings");
  await admin.sees("Org-wide");
  expect(await curfew().inputValue()).toBe("23:45");
  expect(await blackout().inputValue()).toBe("00:00-05:00");
  expect(await admin.page.getByLabel("Retry backoffs").inputValue()).toBe("10, 30");
  expect(await tonight()).toMatch(/until \w{3}, \w{3} \d+, 5:00 AM:? lights are off/);
  await admin.sees("This number is a placeholder: nothing is ever sent to it.");
});

test("the words follow the typing", async () => {
  await blackout().fill("");
  expect(await tonight()).toContain("Without a blackout the curfew lasts six hours.");
  await curfew().fill("");
  expect(await tonight()).toBe("No curfew and no blackout: lights may burn all night.");
  await curfew().fill("2");
  expect(await admin.page.getByRole("status", { name: "Tonight" }).count()).toBe(0);
  await admin.page.getByLabel("Max ON duration").fill("90");
  await admin.sees("A light that has burned for 1 h 30 min goes off");
  await admin.page.getByLabel("Retry backoffs").fill("5");
  await admin.sees("A switch that fails is tried once more: after 5 s");
});

test("what cannot be saved is refused beside its field", async () => {
  const { page } = admin;
  await admin.go("/guardrails");
  const isRed = (label: string) => page.getByLabel(label).getAttribute("aria-invalid");
  const refuse = async (wrong: [field: string, typed: string, sentence: string][]) => {
    for (const [field, typed] of wrong) await page.getByLabel(field).fill(typed);
    await admin.press("Save");
    for (const [field, , sentence] of wrong) {
      await admin.sees(sentence);
      expect(await isRed(field)).toBe("true");
    }
  };
  await refuse([
    ["Hard curfew", "24:00", "The curfew must be a time as HH:MM, or empty"],
    ["Blackout window", "05:00-05:00", "The blackout must be two different times as HH:MM-HH:MM, or empty"],
    ["Max ON duration", "0", "Max ON duration must be a whole number from 1 to 1440"],
    ["Interval", "14", "Watchdog interval must be a whole number from 15 to 3600"],
    ["Verify delay", "61", "Verify delay must be a whole number from 1 to 60"],
    ["Retry backoffs", "10, soon", "Each retry backoff must be a whole number from 1 to 3600"],
    ["SMS recipients", "555-0100", "Phone numbers must be E.164, such as +12025550123, separated by commas"],
  ]);
  await refuse([["Retry backoffs", "1,2,3,4,5,6,7,8,9,10,11", "There may be at most 10 retry backoffs"]]);
});

test("what is saved is there again", async () => {
  await admin.go("/guardrails");
  await curfew().fill("22:30");
  await blackout().fill("");
  await admin.page.getByLabel("Retry backoffs").fill("");
  await admin.page.getByRole("switch", { name: "Watchdog" }).uncheck();
  await admin.page.getByLabel("SMS recipients").fill("+14155550100, +14155550101");
  await admin.press("Save");
  await admin.sees("Settings saved successfully");
  await admin.reload();
  expect(await curfew().inputValue()).toBe("22:30");
  expect(await blackout().inputValue()).toBe("");
  expect(await admin.page.getByLabel("Retry backoffs").inputValue()).toBe("");
  expect(await admin.page.getByRole("switch", { name: "Watchdog" }).isChecked()).toBe(false);
  expect(await admin.page.getByLabel("SMS recipients").inputValue()).toBe("+14155550100,+14155550101");
});

test("what another admin has saved since the form was loaded stays, beside what is changed in it", async () => {
  await admin.go("/guardrails");
  // A page that is not looked at does not hear of it.
  await hide(admin);
  await staff.call("POST", "/admin/settings/guardrails", { MAX_ON_DURATION_MIN: 300, NOTIFY_ON_FAIL: false });
  await curfew().fill("21:15");
  await admin.press("Save");
  await admin.sees("Settings saved successfully");
  const { HARD_CURFEW_OFF, MAX_ON_DURATION_MIN, NOTIFY_ON_FAIL } = await staff.call(
    "GET",
    "/admin/settings/guardrails",
  );
  expect({ HARD_CURFEW_OFF, MAX_ON_DURATION_MIN, NOTIFY_ON_FAIL }).toEqual({
    HARD_CURFEW_OFF: "21:15",
    MAX_ON_DURATION_MIN: 300,
    NOTIFY_ON_FAIL: false,
  });
  await hide(admin, false);
});

test.each(["by its address", "by its link"])(
  "what another admin saves while the form is open, come to %s, is shown in it, and stays",
  async (way) => {
    const reset = { MAX_ON_DURATION_MIN: 240, WATCHDOG_ENABLED: true, NOTIFY_SMS_TO: "+14155550100" };
    await staff.call("POST", "/admin/settings/guardrails", reset);
    if (way === "by its address") await admin.go("/guardrails");
    else {
      await admin.go("/dashboard");
      await admin.page.getByLabel("Sidebar").getByRole("link", { name: "Guardrails" }).click();
    }
    const longest = admin.page.getByLabel("Max ON duration");
    const watchdog = admin.page.getByRole("switch", { name: "Watchdog" });
    await expect.poll(() => longest.inputValue()).toBe("240");
    await curfew().fill("21:30");
    const theirs = { MAX_ON_DURATION_MIN: 300, WATCHDOG_ENABLED: false, NOTIFY_SMS_TO: "+14155550199" };
    await staff.call("POST", "/admin/settings/guardrails", theirs);
    const shown = async () => {
      await admin.page.evaluate(() => dispatchEvent(new Event("focus")));
      return admin.page.locator("input[name=shown]").first().inputValue();
    };
    await expect.poll(shown).toContain('"MAX_ON_DURATION_MIN":300');
    const seen = async () => [
      await curfew().inputValue(),
      await longest.inputValue(),
      await watchdog.isChecked(),
      await admin.page.getByLabel("SMS recipients").inputValue(),
    ];
    expect(await seen()).toEqual(["21:30", "300", false, "+14155550199"]);
    await admin.press("Save");
    await admin.sees("Settings saved successfully");
    expect(await staff.call("GET", "/admin/settings/guardrails")).toMatchObject({
      ...theirs,
      HARD_CURFEW_OFF: "21:30",
    });
  },
);

test("what is changed and changed back in the form follows another admin's save, and does not take it back", async () => {
  await staff.call("POST", "/admin/settings/guardrails", { WATCHDOG_ENABLED: true, HARD_CURFEW_OFF: "21:45" });
  await admin.go("/guardrails");
  const watchdog = admin.page.getByRole("switch", { name: "Watchdog" });
  await expect.poll(() => curfew().inputValue()).toBe("21:45");
  await watchdog.uncheck();
  await watchdog.check();
  await curfew().fill("20:15");
  await curfew().fill("21:45");
  await admin.page.getByLabel("Max ON duration").fill("310");
  const theirs = { WATCHDOG_ENABLED: false, HARD_CURFEW_OFF: "22:15" };
  await staff.call("POST", "/admin/settings/guardrails", theirs);
  const shown = async () => {
    await admin.page.evaluate(() => dispatchEvent(new Event("focus")));
    return admin.page.locator("input[name=shown]").first().inputValue();
  };
  await expect.poll(shown).toContain('"WATCHDOG_ENABLED":false');
  expect([await watchdog.isChecked(), await curfew().inputValue()]).toEqual([false, "22:15"]);
  await admin.press("Save");
  await admin.sees("Settings saved successfully");
  expect(await staff.call("GET", "/admin/settings/guardrails")).toMatchObject({ ...theirs, MAX_ON_DURATION_MIN: 310 });
});

test("a policy that was made without an answer is sent again, still for the place that was chosen", async () => {
  const { page } = admin;
  await admin.go("/guardrails");
  await admin.press("New Policy");
  const form = page.getByRole("dialog");
  const place = form.getByLabel("For", { exact: true });
  await place.selectOption({ label: "Field" });
  await form.getByLabel("Longest time on").selectOption("None");
  await loseNextAnswer(admin);
  await admin.press("Create Policy");
  await admin.sees("Failed to save policy");
  await page.locator("table[aria-label=Policies]").getByText("All of type field").waitFor({ state: "attached" });
  expect(await place.inputValue()).toBe("type:field");
  await admin.press("Create Policy");
  await admin.sees("Policy created successfully");
  await form.waitFor({ state: "detached" });
});

test("the latest notifications are shown, each with its fate", async () => {
  await exec(server, "DELETE FROM notifications");
  expect(await htmlOf(admin.page, server, "/guardrails")).toContain("No notifications yet");
  const insert = `INSERT INTO notifications (id, org_id, created_at, incident, kind, message, recipients, status, detail, attempts)
     VALUES (?, 'demo-parks', ?, 'device:x', 'fail', ?, ?, ?, ?, 0)`;
  const now = new Date().toISOString();
  const last_year = new Date(Date.now() - 380 * 86_400_000);
  await server.batch([
    [insert, "n0", last_year.toISOString(), "Quay light was dark", "[]", "sent", null],
    [insert, "n1", now, "Gate light is dark", '["+12025550123"]', "not_sent", "not sent: SMS is not configured"],
    [insert, "n2", now, "Weir light is dark", '["+14155550100","+14155550101"]', "sent", null],
    [insert, "n3", now, "Pier light is dark", '["+14155550100"]', "pending", null],
    [insert, "n4", now, "Path light is dark", "[]", "failed", null],
  ]);
  const items = (await htmlOf(admin.page, server, "/guardrails")).split("<li").map((item) => wordsOf(`<li${item}`));
  const told = (message: string) => items.find((item) => item.includes(message));
  for (const [message, fate, to] of [
    ["Gate light is dark", "not sent: SMS is not configured", "To +12025550123"],
    ["Weir light is dark", "sent", "To +14155550100, +14155550101"],
    ["Pier light is dark", "being sent", "To +14155550100"],
    ["Path light is dark", "failed", "To nobody"],
  ] as const) {
    for (const text of [fate, to]) expect(told(message)).toContain(` ${text} `);
  }
  expect(told("Quay light was dark")).toMatch(/ [A-Z][a-z]{2} \d+, 20\d\d, \d+:\d\d [AP]M /);
});

test("what fails is told", async () => {
  await admin.go("/guardrails");
  await without(server, "settings", async () => {
    await admin.press("Save");
    await admin.sees("Failed to save settings");
  });
  await admin.go("/events");
  await without(server, "settings", async () => {
    await admin.page.getByRole("link", { name: "Guardrails" }).click();
    await admin.sees("Failed to load settings");
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await admin.sees("Time-based rules");
});

test.each(["manager", "employee"] as const)("a %s is denied, and not shown the way", async (name) => {
  const [html] = await htmlFor(browser, server, name, "/guardrails");
  expect(html).toContain("Access denied. Admin role required.");
  expect(html).not.toContain('href="/guardrails"');
  expect(html).not.toContain(">Save<");
});
