import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { cutWhereAsked } from "#tests/support/cut";
import { seen } from "#tests/support/seen";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs } from "#tests/support/staff";
import {
  exec,
  hold,
  htmlFor,
  keepFailure,
  signIn,
  tryAgain,
  type Visit,
  visitAs,
  without,
  ONE_CALL,
} from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await exec(server, "DELETE FROM areas"); // the demo's dead hub and lamp would send messages of their own
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const key = () => admin.page.getByLabel("UAC key");

test("the screen starts with the defaults and tells what is in force", async () => {
  await admin.go("/settings");
  await admin.sees("Not Configured");
  expect(await admin.page.getByLabel("Mode", { exact: true }).inputValue()).toBe("mock");
  expect(await admin.page.getByLabel("Hub check interval").inputValue()).toBe("180");
  expect(await admin.page.getByLabel("Offline alert").inputValue()).toBe("15");
  const information = admin.page.getByRole("article", { name: "System Information" });
  expect((await information.innerText()).replace(/\s+/g, " ")).toBe(
    "System Information Mode mock Timezone America/Los_Angeles Role admin Version v1.0.0",
  );
});

test("what cannot be saved is said beside its field", async () => {
  await admin.page.getByLabel("Mode", { exact: true }).selectOption("cloud");
  await admin.press("Save Settings");
  await admin.sees("Cloud mode needs the UAC key");
  await admin.page.getByLabel("Mode", { exact: true }).selectOption("mock");

  await key().fill("sesame");
  await admin.page.getByLabel("Cloud base URL").fill("https://elsewhere.example");
  await admin.page.getByLabel("Hub check interval").fill("29");
  await admin.page.getByLabel("Offline alert").fill("");
  await admin.press("Save Settings");
  await admin.page.locator("input[name=YOLINK_UAC_KEY]:focus").waitFor();
  await admin.sees("The UAC key must be 'uac.' followed by characters");
  await admin.page.getByText("The cloud base URL must be").first().waitFor();
  await admin.sees("Hub check interval must be a whole number from 30 to 86400");
  await admin.sees("Offline alert must be a whole number from 1 to 1440");
});

test("what is typed while a save is under way is still there after it", async () => {
  const { page, go, press, sees } = await visitAs(browser, server, "admin");
  await go("/settings");
  const { letGo } = await hold({ page }, "POST");
  await page.getByLabel("Hub check interval").fill("240");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await press("Save Settings");
  await sent;
  await page.getByLabel("Offline alert").fill("20");
  await letGo();
  await sees("Settings saved successfully");
  await page.getByRole("button", { name: "Save Settings", exact: true, disabled: false }).waitFor();
  expect(await page.getByLabel("Offline alert").inputValue()).toBe("20");
  expect(await page.getByLabel("Hub check interval").inputValue()).toBe("240");
  await page.getByLabel("Hub check interval").fill("180");
  await page.getByLabel("Offline alert").fill("15");
  const again = page.waitForResponse((response) => response.request().method() === "POST");
  await press("Save Settings");
  await again;
});

test("what was saved stays in its field where the screen cannot be read anew after it", async () => {
  const { page, go, press, sees } = await visitAs(browser, server, "admin");
  await go("/settings");
  const interval = page.getByLabel("Hub check interval");
  const before = await interval.inputValue();
  const isRead = (route: Route) => (route.request().method() === "GET" ? route.abort() : route.fallback());
  await page.route("**/settings.data*", isRead);
  await interval.fill("240");
  await press("Save Settings");
  await sees("Settings saved successfully");
  await page.getByRole("button", { name: "Save Settings", exact: true, disabled: false }).waitFor();
  expect(await interval.inputValue()).toBe("240");
  // What is saved next must not take it back.
  await page.unroute("**/settings.data*", isRead);
  await page.getByLabel("Offline alert").fill("16");
  const saved = page.waitForRequest((request) => request.method() === "POST");
  await press("Save Settings");
  expect((await saved).postData()).toContain("HUB_CHECK_INTERVAL_SEC=240");
  await page.getByRole("button", { name: "Save Settings", exact: true, disabled: false }).waitFor();
  const staff = await signedInAs(server, "admin");
  await staff.call("POST", "/admin/settings", { HUB_CHECK_INTERVAL_SEC: Number(before), HUB_OFFLINE_ALERT_MIN: 15 });
});

test("a key is stored, shown as a mask only, kept by the mask, and removed when emptied", async () => {
  await admin.go("/settings");
  await key().fill("uac.ua_4F6A7B:sec_very_secret");
  await admin.page.getByLabel("Timezone", { exact: true }).selectOption("America/Denver");
  await admin.press("Save Settings");
  await admin.sees("Settings saved successfully");
  await admin.sees("Ready");
  await expect.poll(() => key().inputValue()).toMatch(/^uac\.ua_.*••••$/);
  await expect.poll(() => information("Timezone")).toBe("America/Denver");

  await admin.reload();
  expect(await admin.page.content()).not.toContain("very_secret");
  await admin.page.getByLabel("Offline alert").fill("20");
  await admin.press("Save Settings");
  await admin.sees("Settings saved successfully");
  await admin.reload();
  await admin.sees("Ready");
  expect(await admin.page.getByLabel("Offline alert").inputValue()).toBe("20");

  await key().fill("");
  await admin.press("Save Settings");
  await admin.sees("Not Configured");
});

test("a page without script that was opened before another admin's save takes back nothing of it", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  await signIn(context, server, "admin@parks.example");
  const page = await context.newPage();
  await page.goto(`${server.url}/settings`);
  const alert = page.getByLabel("Offline alert");
  await alert.waitFor();
  await exec(
    server,
    "INSERT OR REPLACE INTO settings (org_id, key, value) SELECT m.org_id, 'HUB_CHECK_INTERVAL_SEC', '77' FROM org_memberships m JOIN users u ON u.id = m.user_id WHERE u.email = 'admin@parks.example'",
  );
  await alert.fill("16");
  await page.getByRole("button", { name: "Save Settings" }).click();
  await page.getByText("Settings saved successfully").first().waitFor();
  expect(await page.getByLabel("Hub check interval").inputValue()).toBe("77");
  expect(await alert.inputValue()).toBe("16");
});

test("a choice that is not saved yet outlasts another admin's of the same setting, and an untouched one follows it", async () => {
  const { page, go, press, sees } = await visitAs(browser, server, "admin");
  const staff = await signedInAs(server, "admin");
  await go("/dashboard");
  await page.getByLabel("Sidebar").getByRole("link", { name: "Settings" }).click();
  const [mode, zone, interval] = [
    page.getByLabel("Mode", { exact: true }),
    page.getByLabel("Timezone", { exact: true }),
    page.getByLabel("Hub check interval"),
  ];
  await mode.selectOption("local");
  await interval.focus();
  const theirs = { PROVIDER_MODE: "hybrid", APP_TIMEZONE: "America/Denver", HUB_CHECK_INTERVAL_SEC: 300 };
  await staff.call("POST", "/admin/settings", theirs);
  const shown = async () => {
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    return page.locator("input[name=shown]").first().inputValue();
  };
  await expect.poll(shown).toContain('"HUB_CHECK_INTERVAL_SEC":300');
  expect([await mode.inputValue(), await zone.inputValue(), await interval.inputValue()]).toEqual([
    "local",
    "America/Denver",
    "300",
  ]);
  await press("Save Settings");
  await sees("Settings saved successfully");
  expect(await staff.call("GET", "/admin/settings")).toMatchObject({ ...theirs, PROVIDER_MODE: "local" });
  await staff.call("POST", "/admin/settings", {
    PROVIDER_MODE: "mock",
    APP_TIMEZONE: "America/Los_Angeles",
    HUB_CHECK_INTERVAL_SEC: 180,
  });
});

test("a person's own choice that was saved elsewhere meanwhile is shown, and not taken back", async () => {
  const { page, go, press, sees } = await visitAs(browser, server, "admin");
  const staff = await signedInAs(server, "admin");
  const { data: first } = await staff.call("GET", "/messages/mine");
  const { data: before } = await staff.call("PUT", "/messages/mine", { ...first, phone: "+14155550110" });
  await go("/dashboard");
  await page.getByRole("button", { name: "User menu" }).click();
  await page.getByRole("link", { name: "Account" }).click();
  const phone = page.getByLabel("Your phone number");
  await expect.poll(() => phone.inputValue()).toBe("+14155550110");
  await staff.call("PUT", "/messages/mine", { ...before, phone: "+14155550111" });
  const shown = async () => {
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    return phone.inputValue();
  };
  await expect.poll(shown).toBe("+14155550111");
  await page.getByLabel("Quiet hours from").fill("22:00");
  await page.getByLabel("Quiet hours to").fill("06:00");
  await press("Save messages");
  await sees("Your messages are saved");
  const { data: after } = await staff.call("GET", "/messages/mine");
  expect(after).toMatchObject({ phone: "+14155550111", quiet_from: "22:00" });
});

test("what fails is told, and leaves what was typed", async () => {
  await admin.page.getByLabel("Offline alert").fill("25");
  await without(server, "settings", async () => {
    await admin.press("Save Settings");
    await admin.sees("Failed to save settings");
  });
  expect(await admin.page.getByLabel("Offline alert").inputValue()).toBe("25");

  await admin.go("/events");
  await without(server, "settings", async () => {
    await admin.page.getByRole("link", { name: "Settings", exact: true }).click();
    await admin.sees("Failed to fetch settings");
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await admin.sees("Cloud Device Integration");
});

test.each(["manager", "employee"] as const)("a %s is denied, and not shown the way", async (name) => {
  const [settings, messages] = await htmlFor(browser, server, name, "/settings", "/settings/messages");
  expect(settings).toContain("Access denied. Admin role required.");
  seen("Access denied. Admin role required.");
  const ways = settings?.match(/<nav [^]*?<\/nav>/g)?.join("");
  expect(ways).toContain('href="/alarms"');
  expect(ways).not.toContain('href="/settings"');
  expect(settings).not.toContain("Save Settings");
  expect(messages).toMatch(/<h1[^>]*>Messages</);
  expect(messages?.includes("Access denied")).toBe(name !== "manager");
});

test("a reload that is cut off takes nothing of what is being typed, and is made up for", async () => {
  const { page, go } = await visitAs(browser, server, "admin");
  await page.addInitScript(cutWhereAsked);
  await page.clock.install();
  await go("/guardrails");
  const longest = page.getByLabel("Max ON duration");
  await longest.fill("95");
  const answered = () => page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith("/guardrails.data"));
  await page.getByText("Live", { exact: true }).waitFor();
  await page.evaluate(() => document.documentElement.setAttribute("data-cut", "halfway"));
  await page.clock.runFor(3_000);
  const cut = answered();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await cut;
  await page.clock.runFor(1_000);
  await page.evaluate(() => document.documentElement.removeAttribute("data-cut"));
  expect(await longest.inputValue()).toBe("95");
  // With the socket open nothing asks again but for what failed: a poll is due after 20 s.
  const whole = answered();
  await page.clock.runFor(25_000);
  await whole;
  expect(await longest.inputValue()).toBe("95");
});

test("a person chooses how to hear of alarms, is told what is wrong with it, and staff sees who hears", async () => {
  await admin.go("/settings/messages");
  await admin.sees("Nobody hears of urgent alarms: no address is set, and nobody has chosen a way.");
  await admin.sees("Nobody has chosen to hear of alarms yet.");
  expect(await barriersInBoth(admin.page)).toEqual([]);

  const manager = await visitAs(browser, server, "manager");
  await manager.go("/account");
  const urgent = manager.page.getByRole("group", { name: "Urgent alarms" });
  await urgent.getByLabel("SMS").check();
  await manager.page.getByLabel("Quiet hours from").fill("22:00");
  await manager.press("Save messages");
  await manager.page.getByText("SMS needs your phone number").first().waitFor();
  await manager.page.getByLabel("Your phone number").fill("+13105550142");
  await manager.press("Save messages");
  await manager.page.getByText("Quiet hours need an end").first().waitFor();
  await manager.page.getByLabel("Quiet hours to").fill("06:00");
  await manager.press("Save messages");
  await manager.sees("Your messages are saved");
  await manager.press("Send a test message to me");
  await manager.page.getByRole("status").getByText("Not sent to +13105550142: SMS is not configured.").waitFor();
  expect(await barriersInBoth(manager.page)).toEqual([]);
  await manager.page.close();

  const context = await browser.newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  await signIn(context, server, "employee@parks.example");
  const page = await context.newPage();
  await page.goto(`${server.url}/account`);
  await page.getByRole("group", { name: "Other alarms" }).getByLabel("SMS").check();
  await page.getByLabel("Your phone number").fill("310 555 0143");
  await page.getByRole("button", { name: "Save messages" }).click();
  await page.getByText("The phone number must be E.164, such as +13105550142").first().waitFor();
  expect(await page.getByRole("group", { name: "Other alarms" }).getByLabel("SMS").isChecked()).toBe(true);
  await page.getByLabel("Your phone number").fill("+13105550143");
  await page.getByLabel("Quiet hours from").fill("22:00");
  await page.getByLabel("Quiet hours to").fill("06:00");
  await page.getByRole("button", { name: "Save messages" }).click();
  await page.getByText("Your messages are saved").first().waitFor();

  await admin.go("/settings/messages");
  const people = admin.page.getByRole("list", { name: "People who hear of alarms" });
  expect((await people.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " "))).toEqual([
    "employee@parks.example employee Urgent nothing Others SMS to +13105550143, quiet from 10:00 PM to 6:00 AM, then one message",
    "manager@parks.example manager Urgent SMS to +13105550142 Others nothing",
  ]);
});

test("a person changes their password in the user menu: here they stay signed in, elsewhere not", async () => {
  const here = await visitAs(browser, server, "manager");
  const elsewhere = await visitAs(browser, server, "manager");
  await here.go("/devices?q=gate");
  await here.page.getByRole("button", { name: "User menu" }).click();
  await here.press("Change password");
  const dialog = here.page.getByRole("dialog");

  await change(here, "", "short", "short");
  await here.sees("Current password is required");
  await here.sees("The password needs at least 12 characters");
  await change(here, "lamplighter-demo", "seven lamps by the river", "seven lamps by the lake");
  await here.sees("The two new passwords are not the same");
  await change(here, "not my password", "seven lamps by the river");
  await here.sees("The current password is not correct");
  await here.page.context().setOffline(true);
  await change(here, "lamplighter-demo", "seven lamps by the river");
  await here.sees("Failed to change password");
  await here.page.context().setOffline(false);
  await change(here, "lamplighter-demo", "seven lamps by the river");
  await here.sees("Password changed");
  await dialog.waitFor({ state: "hidden" });
  expect(here.page.url()).toBe(`${server.url}/devices?q=gate`);

  await here.reload();
  await here.sees("Device Management");
  const token = await here.page.evaluate(() => localStorage.getItem("token"));
  const me = await fetch(`${server.url}/api/auth/me`, { headers: { Authorization: `Bearer ${token}`, ...ONE_CALL } });
  expect(me.status).toBe(200);

  await elsewhere.go("/devices");
  await elsewhere.page.waitForURL(/\/login(\?|$)/);
  await elsewhere.sees("Session expired. Please login again.");
});

test("a password that was changed without an answer is told, as is the sign-in that follows", async () => {
  const alone = await visitAs(browser, server, "auditor");
  const { page } = alone;
  await alone.go("/devices?password");
  await page.route(
    "**/change-password.data*",
    async (route) => {
      // Not by the browser, which would take the new session's cookie.
      const { "content-length": _, ...headers } = await route.request().allHeaders();
      await fetch(route.request().url(), {
        method: "POST",
        headers: { ...headers, ...ONE_CALL },
        body: route.request().postData() ?? "",
      });
      await route.abort();
    },
    { times: 1 },
  );
  await change(alone, "lamplighter-demo", "seven lamps by the bridge");
  await alone.sees("Failed to change password");
  await alone.sees("No answer came. If you are asked to sign in next, the new password holds already.");
  await change(alone, "lamplighter-demo", "seven lamps by the bridge");
  await page.waitForURL(/\/login(\?|$)/);
  await alone.sees("Session expired. Please login again.");
  await page.getByLabel("Email").fill("auditor@parks.example");
  await page.getByLabel("Password").fill("seven lamps by the bridge");
  await alone.press("Sign In");
  await alone.sees("Login successful!");
});

test("e-mail is set up under Settings, and a test says what the service answered", async () => {
  const heard: string[] = [];
  const service = createServer(async (request, response) => {
    const { To } = z.object({ To: z.string() }).parse(await json(request));
    heard.push(`${request.method} ${request.url} to ${To}`);
    const isRefused = heard.length === 1;
    response.writeHead(isRefused ? 401 : 200).end(JSON.stringify(ANSWERS[isRefused ? 0 : 1]));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void service.close());
  await once(service, "listening");
  const { port } = z.object({ port: z.number() }).parse(service.address());
  const api = await signedInAs(server, "admin");
  await api.call("POST", "/admin/settings/messages", { EMAIL_API_BASE: `http://127.0.0.1:${port}` });

  await admin.go("/settings");
  await admin.page.getByRole("link", { name: "Manage Messages" }).click();
  await admin.page.waitForURL(/messages$/);
  await admin.reload();
  await admin.page.getByLabel("Service", { exact: true }).selectOption("postmark");
  await admin.press("Save Messages");
  await admin.sees("E-mail needs the service's API key");
  await admin.page.getByLabel("API key").fill("pm-topsecret");
  await admin.page.getByLabel("Sender").fill("lights@city.example");
  await admin.page.getByLabel("Addresses").fill("ana@city.example");
  await admin.press("Save Messages");
  await admin.sees("Message settings saved successfully");
  expect(await barriersInBoth(admin.page)).toEqual([]);
  await admin.press("Send a test");
  await admin.page.getByRole("status").getByText("Postmark refused it (401): Bad API token").waitFor();
  await admin.press("Send a test");
  await admin.page.getByRole("status").getByText("The e-mail service took a message to admin@parks.example.").waitFor();
  expect(heard).toEqual(["POST /email to admin@parks.example", "POST /email to admin@parks.example"]);
  await admin.reload();
  expect(await admin.page.getByLabel("API key").inputValue()).toBe("••••••••");
  expect(await admin.page.content()).not.toContain("topsecret");
  await api.call("POST", "/admin/settings/messages", { EMAIL_PROVIDER: "off", EMAIL_API_BASE: "" });
});

test("a webhook is made under Messages, its secret is shown once, and a test and its fate are told", async () => {
  const heard: string[] = [];
  const other = createServer((request, response) => {
    heard.push(String(request.headers["webhook-id"]));
    response.writeHead(heard.length === 1 ? 500 : 200).end("hello from the pager");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = z.object({ port: z.number() }).parse(other.address());

  await admin.go("/settings/messages");
  await admin.press("New Webhook");
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Pager");
  await dialog.getByLabel("Address").fill("https://192.168.4.20/");
  await admin.press("Create Webhook");
  await admin.sees("The address must be https:// and reachable from the internet");
  await dialog.getByLabel("Address").fill(`http://127.0.0.1:${port}/`);
  await admin.press("Create Webhook");
  await dialog.getByText(/^whsec_/).waitFor();
  const secret = await dialog.locator("code").innerText();
  await admin.press("Done");

  await admin.page.getByRole("button", { name: "Send a test to Pager" }).click();
  const delivery = admin.page.getByRole("list", { name: "Deliveries" }).getByRole("listitem").first();
  await delivery.getByText("answered 500").waitFor();
  await admin.press(await delivery.getByRole("button").evaluate((button) => button.ariaLabel ?? ""));
  await delivery.getByText("delivered").waitFor();
  expect(await delivery.innerText()).toContain("hello from the pager");
  expect(heard[1]).toBe(heard[0]);
  // The last message of each webhook is kept for as long as it has no later one.
  const insert = `INSERT INTO webhook_deliveries (id, org_id, webhook_id, type, subject, body, status, created_at)
    VALUES ('old', 'demo-parks', 'gone', 'test', 'Test', '{}', 'delivered', ?)`;
  await server.batch([[insert, new Date(Date.now() - 380 * 86_400_000).toISOString()]]);
  await admin.reload();
  const old = admin.page.getByRole("listitem").filter({ hasText: "to a deleted webhook" });
  expect(await old.locator("time").innerText()).toMatch(/^[A-Z][a-z]{2} \d+, 20\d\d, \d+:\d\d [AP]M$/);
  expect(await barriersInBoth(admin.page)).toEqual([]);
  expect(await admin.page.content()).not.toContain(secret);
});

const ANSWERS = [
  { ErrorCode: 10, Message: "Bad API token" },
  { ErrorCode: 0, Message: "OK" },
];

async function information(fact: string) {
  const row = admin.page.locator("dl > div", { hasText: fact });
  return row.locator("dd").innerText();
}

async function change({ page }: Visit, current: string, next: string, repeated = next) {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Current password").fill(current);
  await dialog.getByLabel("New password", { exact: true }).fill(next);
  await dialog.getByLabel("New password again").fill(repeated);
  await dialog.getByRole("button", { name: "Change password" }).click();
}
