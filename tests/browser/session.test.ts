import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave, letFetchAllScreens } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import {
  arrived,
  aVisit,
  hide,
  loseNextAnswer,
  signIn,
  switchTo,
  visitAs,
  type Visit,
  RETRIES,
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

/** As if nobody had touched this browser for so many minutes. */
const leaveAlone = ({ page }: Visit, minutes: number) =>
  page.evaluate((ms) => {
    localStorage.setItem("last_active_at", String(Date.now() - ms));
    // Nothing of this tab's own is older either: it looks at once instead of in five seconds.
    dispatchEvent(new StorageEvent("storage"));
  }, minutes * 60_000);

async function timeOut(...tabs: [Visit, Visit]) {
  await leaveAlone(tabs[0], 61);
  for (const { page } of tabs) await page.getByText("You were signed out").waitFor();
}

/** The session times out, and what tells the server so is held on its way; answers what holds it. */
async function timeOutUnheard(tab: Visit): Promise<Route> {
  const held: Route[] = [];
  await tab.page.route("**/api/auth/logout", (route) => void held.push(route), { times: 1 });
  await leaveAlone(tab, 61);
  await tab.sees("You were signed out");
  await expect.poll(() => held.length).toBe(1);
  const [route] = held;
  if (!route) throw new Error("the time-out sent nothing");
  return route;
}

/** What the server has noted of the session, in minutes ago. */
async function minutesIdle(page: Page): Promise<number> {
  const [, payload = ""] = (await page.evaluate(() => localStorage.getItem("token") ?? "")).split(".");
  const { sid } = JSON.parse(Buffer.from(payload, "base64url").toString());
  const [row] = await server.query(
    "SELECT (julianday('now') - julianday(last_active_at)) * 1440 AS idle FROM sessions WHERE id = ?",
    sid,
  );
  return Number(row?.["idle"] ?? Infinity);
}

const noteEarlier = (minutes: number) =>
  server.query(`UPDATE sessions SET last_active_at = strftime('%FT%TZ', 'now', '-${minutes} minutes')`);

async function beginArea(name: string) {
  await admin.go("/areas?new");
  const field = admin.page.getByRole("dialog").getByLabel("Name");
  await field.fill(name);
  return field;
}

test("two minutes before an idle session ends there is a warning, and staying keeps it and the form", async () => {
  const name = await beginArea("Half a name");
  await leaveAlone(admin, 57);
  await admin.page.waitForTimeout(200);
  expect(await admin.page.getByRole("alertdialog").count()).toBe(0);
  await leaveAlone(admin, 58.5);
  await admin.sees("Are you still there?");
  await admin.sees("You will be signed out in less than two minutes, because nothing happened here for a while.");
  await noteEarlier(30);
  await admin.page.keyboard.press("Enter");
  await admin.page.getByRole("alertdialog").waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Half a name");
  await expect.poll(() => minutesIdle(admin.page)).toBeLessThan(1);
});

test("after the time-out one signs in again over the form, and saves it", async () => {
  const name = await beginArea("Late Park");
  const old = await admin.page.evaluate(() => localStorage.getItem("token"));
  await leaveAlone(admin, 61);
  await admin.sees("You were signed out");
  await expect.poll(() => admin.page.evaluate(() => localStorage.getItem("token"))).toBe(null);
  const asked = () => fetch(`${server.url}/api/areas`, { headers: { Authorization: `Bearer ${old}` } });
  await expect.poll(async () => (await asked()).status).toBe(401);

  await admin.page.keyboard.press("Escape");
  const dialog = admin.page.getByRole("alertdialog");
  await dialog.getByLabel("Password").fill("not my password");
  await admin.press("Sign In");
  await admin.sees("Incorrect email or password");
  await dialog.getByLabel("Password").fill("lamplighter-demo");
  await admin.press("Sign In");
  await dialog.waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Late Park");
  await admin.press("Create Area");
  await admin.sees("Area created successfully");
});

test.each(["without a network", "after a release"])("who signs in again %s keeps the form", async (when) => {
  const tab = await visitAs(browser, server, "admin");
  await letFetchAllScreens(tab.page);
  await tab.go("/areas?new");
  await tab.page.locator("link[rel=modulepreload][href*=assets]").nth(30).waitFor({ state: "attached" });
  await tab.page.waitForLoadState("networkidle");
  const name = tab.page.getByRole("dialog").getByLabel("Name");
  await name.fill("Woken Park");
  const isAway = when === "without a network";
  if (isAway) await tab.page.context().setOffline(true);
  else await tab.page.route("**/__manifest*", (route) => route.fulfill(NEWER));
  await leaveAlone(tab, 61);
  await tab.sees("You were signed out");
  const dialog = tab.page.getByRole("alertdialog");
  await dialog.getByLabel("Password").fill("lamplighter-demo");
  await tab.press("Sign In");
  if (isAway) {
    await tab.sees("Login failed", dialog);
    await tab.page.context().setOffline(false);
    await tab.press("Sign In");
  }
  await dialog.waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Woken Park");
});

/** What the server answers to a page of the release before, where that looks for a route. */
const NEWER = { status: 204, headers: { "X-Remix-Reload-Document": "true" } };

test("a session that has lasted its twelve hours ends over the form too, and not in place of it", async () => {
  const name = await beginArea("A long shift");
  await admin.page.evaluate(() => {
    const [head, payload = "", signature] = (localStorage.getItem("token") ?? "").split(".");
    const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const ending = btoa(JSON.stringify({ ...claims, exp: Math.floor(Date.now() / 1_000) + 60 }));
    localStorage.setItem("token", [head, ending, signature].join("."));
    dispatchEvent(new StorageEvent("storage"));
  });
  await admin.sees("You were signed out");
  await admin.sees(/^A session lasts twelve hours at most\. Sign in again/);
  const dialog = admin.page.getByRole("alertdialog");
  await dialog.getByLabel("Password").fill("lamplighter-demo");
  await admin.press("Sign In");
  await dialog.waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("A long shift");
  await admin.press("Create Area");
  await admin.sees("Area created successfully");
});

test("one sign-in is enough for every tab of the person, and none for somebody else's", async () => {
  const [admin, second] = await twoTabs("admin");
  await admin.go("/areas?new");
  const name = admin.page.getByRole("dialog").getByLabel("Name");
  await name.fill("The admin's");
  await second.go("/hubs");
  for (const { page } of [admin, second]) await page.waitForLoadState("networkidle");
  await timeOut(admin, second);
  await admin.page.getByLabel("Password").fill("lamplighter-demo");
  await admin.press("Sign In");
  for (const { page } of [admin, second]) await page.getByRole("alertdialog").waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("The admin's");

  await timeOut(admin, second);
  await second.press("Leave this page");
  await second.page.getByLabel("Email").fill("manager@parks.example");
  await second.page.getByLabel("Password").fill("lamplighter-demo");
  await second.page.getByRole("button", { name: "Sign In" }).click();
  await second.page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await admin.page.getByRole("alertdialog").waitFor({ state: "detached" });
  await admin.page.getByText("manager", { exact: true }).first().waitFor();
  expect(await name.inputValue()).toBe("");
});

test("a tab that is left open takes on the person who signs in beside it, and loses the form of the one before", async () => {
  const [left, beside] = await twoTabs("admin");
  await left.go("/areas?new");
  const name = left.page.getByRole("dialog").getByLabel("Name");
  await name.fill("The admin's");
  await left.page.waitForLoadState("networkidle");
  await signIn(left.page.context(), server, "manager@parks.example");
  await beside.go("/hubs");
  await left.page.getByText("manager", { exact: true }).first().waitFor();
  expect(await name.inputValue()).toBe("");
});

/** Two tabs of one person. */
async function twoTabs(name: "admin" | "regional"): Promise<[Visit, Visit]> {
  const left = await visitAs(browser, server, name);
  return [left, await aVisit(left.page.context(), server)];
}

/** Two tabs of one person, who is in two organizations; `inTab` is the choice of the organization. */
async function twoTabsInOneCity() {
  const [left, beside] = await twoTabs("regional");
  await chooseOrganization(left, "demo-parks");
  const inTab = ({ page }: Visit) => page.getByLabel("Organization", { exact: true });
  for (const tab of [left, beside]) {
    await tab.go("/devices");
    await tab.page.waitForLoadState("networkidle");
  }
  return { left, beside, inTab };
}

/** As a tab does that is closed at once. */
async function chooseOrganization({ page }: Visit, org_id: string): Promise<void> {
  const headers = { Origin: server.url };
  const options = { form: { org_id }, headers, failOnStatusCode: true };
  await page.context().request.post(`${server.url}/switch-org`, options);
}

test("a tab follows when its person switches organization in another, so that no lights stand under another city's name, and says that it ended what was under way", async () => {
  const { left, beside, inTab } = await twoTabsInOneCity();
  await left.press("Select");
  await left.press("All on this page");
  await left.sees(/^\d\d selected$/);
  let held = 0;
  await left.page.route("**/api/devices/*/toggle", () => void (held += 1));
  await left.press("Turn off");
  await expect.poll(() => held).toBe(6);
  await switchTo(beside, "Organization", "Brightwater Harbor");
  await left.sees("You have switched organization in another tab, which ended what was under way in this one");
  await left.page.getByRole("heading", { name: "Ferry ramp" }).waitFor();
  expect(await inTab(left).locator("option:checked").innerText()).toBe("Brightwater Harbor");
});

test("a tab that follows to another organization says that what was typed in it is not saved", async () => {
  const { left, beside, inTab } = await twoTabsInOneCity();
  await left.press("New Device");
  const name = left.page.getByRole("dialog").getByLabel("Name");
  await name.fill("The city's");
  await switchTo(beside, "Organization", "Brightwater Harbor");
  await left.sees("You have switched organization in another tab, so what was typed in this one is not saved");
  expect(await inTab(left).locator("option:checked").innerText()).toBe("Brightwater Harbor");
  expect(await name.inputValue()).toBe("");
});

test("a list of the organization chosen in another tab that is closed at once stands under no other name", async () => {
  const { left, beside, inTab } = await twoTabsInOneCity();
  await beside.page.close();
  await arrived(left, "idle-watch");
  await chooseOrganization(left, "demo-harbor");
  await left.press("Refresh");
  await left.page.getByRole("heading", { name: "Ferry ramp" }).waitFor();
  expect(await inTab(left).locator("option:checked").innerText()).toBe("Brightwater Harbor");
});

test("nor does a list of whoever has signed in since in a tab that is closed at once", async () => {
  const left = await visitAs(browser, server, "manager");
  await left.go("/devices");
  await arrived(left, "idle-watch");
  await left.page.waitForLoadState("networkidle");
  await signIn(left.page.context(), server, "regional@parks.example");
  const loaded = left.page.waitForEvent("load");
  await left.press("Refresh");
  await loaded;
  await left.page.getByText("regional", { exact: true }).first().waitFor();
  expect(await left.page.getByText("manager", { exact: true }).count()).toBe(0);
});

test("a tab follows when its person switches department in another, once nothing typed is lost by that", async () => {
  const [left, beside] = await twoTabs("admin");
  const inTab = ({ page }: Visit) => page.getByRole("banner").getByLabel("Department", { exact: true });
  const shown = (tab: Visit) => inTab(tab).locator("option:checked").innerText();
  await left.go("/areas?new");
  await beside.go("/devices");
  const name = left.page.getByRole("dialog").getByLabel("Name");
  await name.fill("Half a name");
  await Promise.all([left, beside].map(({ page }) => page.waitForLoadState("networkidle")));
  await switchTo(beside, "Department", "Sports Fields");
  await left.page.evaluate(() => dispatchEvent(new StorageEvent("storage")));
  expect(await name.inputValue()).toBe("Half a name");
  await left.press("Cancel");
  // It may be on its way already, by its own look.
  await left.page.evaluate(() => dispatchEvent(new StorageEvent("storage"))).catch(() => undefined);
  await expect.poll(() => shown(left).catch(() => "")).toBe("Sports Fields");
});

test("a tab keeps what the page alone has when its person switches department in another, and follows after that", async () => {
  const [left, beside] = await twoTabs("admin");
  const inTab = ({ page }: Visit) => page.getByRole("banner").getByLabel("Department", { exact: true });
  const shown = (tab: Visit) => inTab(tab).locator("option:checked").innerText();
  const stored = () => left.page.evaluate(() => localStorage.getItem("user"));
  const choose = async (label: string, id: string) => {
    await switchTo(beside, "Department", label);
    await expect.poll(stored).toContain(`"current_dept_id":"${id}"`);
    await left.page.evaluate(() => dispatchEvent(new StorageEvent("storage")));
  };
  const follows = async (label: string) => {
    // It may be on its way already, by its own look.
    await left.page.evaluate(() => dispatchEvent(new StorageEvent("storage"))).catch(() => undefined);
    await expect.poll(() => shown(left).catch(() => ""), { timeout: 15_000 }).toBe(label);
  };
  await beside.go("/areas");

  await left.go("/departments?tab=people&new");
  await left.page.getByRole("dialog").getByLabel("Email").fill("guest@parks.example");
  await left.press("Invite");
  await left.sees("Person invited");
  const code = await left.page.getByRole("dialog").locator("code").innerText();
  await choose("Sports Fields", "demo-dept-sports");
  expect(await left.page.getByRole("dialog").locator("code").innerText()).toBe(code);
  await left.press("Done");
  await follows("Sports Fields");

  // More lights than are switched at once: the last ones are asked for once the other department is chosen.
  await left.go("/devices?area=demo-area-alder");
  await left.press("Select");
  await left.press("All on this page");
  await left.sees("8 selected");
  const held: Route[] = [];
  let isHolding = true;
  await left.page.route("**/api/devices/*/toggle", (route) =>
    isHolding ? void held.push(route) : void route.fallback(),
  );
  await left.press("Turn off");
  await expect.poll(() => held.length).toBe(6);
  await choose("Rivers and Paths", "demo-dept-rivers");
  isHolding = false;
  for (const route of held) await route.fallback();
  await left.sees("8 turned off");
  await left.press("End selection");
  await follows("Rivers and Paths");
});

test("a form says so where its record is hidden by a department chosen in another tab, and is saved once that is undone", async () => {
  const [form, beside] = await twoTabs("admin");
  const choose = (label: string) => switchTo(beside, "Department", label);
  await form.go("/devices?edit=demo-light-alder-pitch-a-north-mast");
  await beside.go("/areas");
  const notes = form.page.getByRole("dialog").getByLabel("Notes");
  await arrived(form, "watch-form"); // or the page would follow into the other department
  await notes.fill("New ballast");
  await choose("Rivers and Paths");
  // The other tab's news comes when the form has just left.
  const stored = () => form.page.evaluate(() => localStorage.getItem("user"));
  await expect.poll(stored).toContain('"current_dept_id":"demo-dept-rivers"');
  await form.page.evaluate(() => addEventListener("submit", () => void dispatchEvent(new Event("storage"))));
  await form.press("Save changes");
  await form.sees(
    "You have switched department in another tab, which hides this record. Switch back there and try again.",
  );
  expect(await notes.inputValue()).toBe("New ballast");
  await choose("All Departments");
  await form.press("Save changes");
  await form.sees("Device updated successfully");
});

test("who signs in again goes on in the page's organization, wherever they have signed in since", async () => {
  const desk = await visitAs(browser, server, "regional");
  await chooseOrganization(desk, "demo-parks");
  const phone = await visitAs(browser, server, "regional");
  await chooseOrganization(phone, "demo-harbor");

  await desk.go("/areas?new");
  await desk.page.getByRole("dialog").getByLabel("Name").fill("Only in the parks");
  await desk.page.waitForLoadState("networkidle");
  await leaveAlone(desk, 61);
  await desk.sees("You were signed out");
  await desk.page.getByLabel("Password").fill("lamplighter-demo");
  await desk.press("Sign In");
  await desk.page.getByRole("alertdialog").waitFor({ state: "detached" });
  await desk.press("Create Area");
  await desk.sees("Area created successfully");
  expect(await server.query("SELECT org_id FROM areas WHERE name = 'Only in the parks'")).toEqual([
    { org_id: "demo-parks" },
  ]);
});

test("a page that finds its session ended by a sign-in beside it takes nothing from that one", async () => {
  const [left, beside] = await twoTabs("admin");
  const checks: Route[] = [];
  await left.page.route("**/api/auth/me", (route) => void checks.push(route), { times: 1 });
  await left.go("/areas?new");
  await expect.poll(() => checks.length).toBe(1);
  await signIn(left.page.context(), server, "manager@parks.example");
  await Promise.all([left.page.waitForResponse("**/sign-out.data*"), ...checks.map((route) => route.continue())]);
  await left.page.getByText("manager", { exact: true }).first().waitFor();
  await left.sees("Area Management");
  await beside.go("/hubs");
  await beside.sees("Hub Management");
});

test("the answer to the time-out's sign-out takes nothing from a sign-in that it comes after", async () => {
  const tab = await visitAs(browser, server, "admin");
  await tab.go("/hubs");
  const late = await timeOutUnheard(tab);
  const response = await late.fetch();
  expect(response.status()).toBe(200);
  await tab.page.getByLabel("Password").fill("lamplighter-demo");
  await tab.press("Sign In");
  await tab.page.getByRole("alertdialog").waitFor({ state: "detached" });
  const come = tab.page.waitForResponse("**/api/auth/logout");
  await late.fulfill({ response });
  await come;
  await tab.go("/areas");
  await tab.sees("Area Management");
});

test("what the page has asked of the session before takes nothing from the sign-in that its answer comes after", async () => {
  const tab = await visitAs(browser, server, "admin");
  const held: Route[] = [];
  const answers = "**/{api/auth/me,hubs.data*}";
  await tab.page.route(answers, (route) => void held.push(route), { times: 2 });
  await tab.go("/hubs");
  await expect
    .poll(async () => (await tab.page.evaluate(() => dispatchEvent(new Event("focus"))), held.length))
    .toBe(2);
  const ended = tab.page.waitForResponse("**/api/auth/logout");
  await leaveAlone(tab, 61);
  await ended;
  const late = await Promise.all(
    held.map(async (route) => ({ route, response: await route.fetch({ maxRetries: RETRIES }) })),
  );
  expect(late.map(({ response }) => response.status()).toSorted()).toEqual([202, 401]);
  await tab.page.getByLabel("Password").fill("lamplighter-demo");
  await tab.press("Sign In");
  await tab.page.getByRole("alertdialog").waitFor({ state: "detached" });
  const come = Promise.all([tab.page.waitForResponse("**/api/auth/me"), tab.page.waitForResponse("**/hubs.data*")]);
  await Promise.all(late.map(({ route, response }) => route.fulfill({ response })));
  await come;
  await tab.page.waitForLoadState("networkidle");
  await tab.go("/areas");
  await tab.sees("Area Management");
});

test("one who leaves a page that timed out is asked to sign in, also where the server has not heard of the time-out", async () => {
  const tab = await visitAs(browser, server, "admin");
  await tab.go("/hubs");
  await timeOutUnheard(tab);
  await tab.press("Leave this page");
  await tab.page.getByLabel("Email").waitFor();
  await tab.go("/hubs");
  expect(new URL(tab.page.url()).pathname).toBe("/login");
});

test("a sign-out that fails is told, keeps the screen, and can be asked for again", async () => {
  const { page, go, sees } = await visitAs(browser, server, "employee");
  await go("/hubs");
  const signOut = page.getByRole("complementary").getByRole("button", { name: "Sign out" });
  await page.route("**/sign-out.data*", (route) => route.fulfill({ status: 503, body: "busy" }), { times: 1 });
  await signOut.click();
  await sees("Failed to sign out");
  await sees("Hub Management");
  expect(new URL(page.url()).pathname).toBe("/hubs");
  await signOut.click();
  await sees("Logged out successfully");
});

test("polls alone keep no session; a click does", async () => {
  const { page, go } = await visitAs(browser, server, "employee");
  await go("/devices");
  /** The screen asks again when somebody comes back to its window. */
  const poll = async () => {
    const polled = page.waitForResponse((response) => response.url().includes("/devices.data"));
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event("focus")));
        return Promise.race([polled.then(() => true), page.waitForTimeout(300).then(() => false)]);
      })
      .toBe(true);
  };
  await poll();
  await noteEarlier(30);
  await poll();
  await poll();
  expect(await minutesIdle(page)).toBeGreaterThan(29);
  await page.getByRole("link", { name: "Areas", exact: true }).click();
  await page.getByRole("heading", { name: "Area Management" }).waitFor();
  await expect.poll(() => minutesIdle(page)).toBeLessThan(1);
  await page.close();
});

test("a click is noted also after the device's clock was set back by hours", async () => {
  const tab = await visitAs(browser, server, "employee");
  await tab.go("/devices");
  await leaveAlone(tab, -180);
  await tab.page.getByRole("heading", { name: "Device Management" }).click();
  const noted = () => tab.page.evaluate(() => Number(localStorage.getItem("last_active_at")) - Date.now());
  expect(await noted()).toBeLessThanOrEqual(0);
});

test("one's own sessions are listed, and another one is ended from here", async () => {
  const [here, there] = [await visitAs(browser, server, "auditor"), await visitAs(browser, server, "auditor")];
  await here.go("/account");
  const sessions = here.page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  expect(await sessions.count()).toBe(2);
  await here.sees("This one");
  await there.go("/devices");
  const end = here.page.getByRole("button", { name: /^End the session of / });
  await hide(here); // a list that loads by itself meanwhile has no such button
  await loseNextAnswer(here);
  await end.click();
  await here.sees("Failed to end the session");
  await end.click();
  await here.sees("Session ended");
  await expect.poll(() => sessions.count()).toBe(1);
  await there.page.goto(`${server.url}/areas`);
  expect(new URL(there.page.url()).pathname).toBe("/login");
  await Promise.all([here.page.close(), there.page.close()]);
});

test("over plain http at another name than localhost there is a sentence instead of a sign-in that fails", async () => {
  const stranger = await aVisit(browser, server);
  const answer = await stranger.page.goto(`http://lamps.example:${new URL(server.url).port}/login`);
  expect(answer?.status()).toBe(403);
  await stranger.sees("Open this address with https: over plain http nobody can sign in.");
  await stranger.page.close();
});
