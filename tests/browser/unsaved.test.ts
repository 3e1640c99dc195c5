import type { Browser, Dialog, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs } from "#tests/support/staff";
import { arrived, aVisit, hold, hydrated, signIn, type Visit, visitAs } from "#tests/support/visit";

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
beforeEach(() => void (browserAsked = false));

const question = () => admin.page.getByRole("alertdialog", { name: "Leave without saving?" });
const path = () => new URL(admin.page.url()).pathname;
const follow = (link: string) => admin.page.getByRole("complementary").getByRole("link", { name: link }).click();
const focused = () => admin.page.evaluate(() => document.activeElement?.textContent);

/** Waits until the question is there for the keyboard, too. */
async function asked(): Promise<void> {
  await question().waitFor();
  await expect.poll(focused).toBe("Keep editing");
  await idle(admin);
}

/** Opens a screen and waits until it can ask, which takes a moment longer than the screen itself. */
async function open(screen: string, visit = admin): Promise<void> {
  await visit.go(screen);
  await canAsk(visit);
  if ((await visit.page.locator(WATCHED).count()) > 0) await arrived(visit, "alert-modal");
  await idle(visit);
}

/** Waits until the one who asks is there, who has put a proxy around the router's `navigate`. */
async function canAsk({ page }: Visit): Promise<void> {
  // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
  await page.waitForFunction(() => String(window.__remixRouter.navigate).includes("[native code]"));
}

/** A form that is left with a question; its watching fetches the question, too. */
const WATCHED = "form:has(span[hidden])";

/** Waits until the page has nothing left to do. A dialog that has come or gone passes Escape on a moment later. */
async function idle({ page }: Visit): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
}

/** A browser that has none of the code yet, to which what watches a form comes when it is told to `arrive`. */
async function visitWithLateWatching() {
  const context = await browser.newContext();
  await signIn(context, server, "admin@parks.example");
  const visit = await aVisit(context, server);
  let letGo = () => {};
  const isLetGo = new Promise<void>((done) => (letGo = done));
  await visit.page.route("**/watch-form*", async (route) => {
    await isLetGo;
    await route.continue();
  });
  return {
    visit,
    hubs: visit.page.getByRole("complementary").getByRole("link", { name: "Hubs" }),
    arrive: async () => {
      letGo();
      await canAsk(visit);
      await arrived(visit, "alert-modal");
      await idle(visit);
    },
    leave: () => context.close(),
  };
}

/** Whether the browser has asked whether the page may go. */
let browserAsked = false;

/** Loads the page again, as somebody who agrees to lose it. */
async function reload(visit: Visit): Promise<void> {
  const agree = (dialog: Dialog) => {
    browserAsked ||= dialog.type() === "beforeunload";
    return dialog.accept();
  };
  visit.page.on("dialog", agree);
  await visit.reload();
  visit.page.off("dialog", agree);
}

test.each([
  ["/settings", "Offline alert after (minutes)", "17"],
  ["/settings/messages", "After (minutes)", "18"],
  ["/guardrails", "Max ON duration (minutes)", "111"],
  ["/account", "Your phone number", "+13105550142"],
])("whoever typed on %s and follows a link or loads the page anew is asked first", async (screen, label, typed) => {
  const field = admin.page.getByLabel(label);
  await open(screen);
  await field.fill(typed);
  await follow("Schedules");
  await asked();
  await admin.press("Keep editing");
  await question().waitFor({ state: "detached" });
  expect(path()).toBe(screen);
  expect(await field.inputValue()).toBe(typed);
  await expect.poll(focused).toContain("Schedules");
  await reload(admin);
  expect(browserAsked).toBe(true);
});

test("whoever typed on a screen may leave it, finds it without what they typed, and is asked when they go on, too", async () => {
  const field = admin.page.getByLabel("Your phone number");
  await open("/account");
  await field.fill("+13105550141");
  await follow("Hubs");
  await admin.press("Leave");
  await admin.sees("Hub Management");
  await admin.page.goBack();
  await admin.page.waitForURL("**/account");
  expect(await field.inputValue()).not.toBe("+13105550141");
  await field.fill("+13105550141");
  await admin.page.goForward();
  await asked();
  await admin.page.keyboard.press("Escape");
  await question().waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("+13105550141");
  expect(path()).toBe("/account");
  await reload(admin);
});

test.each([
  ["/guardrails", (page: Page) => page.getByLabel("Max ON duration (minutes)").fill("112")],
  ["/guardrails", (page: Page) => page.getByRole("switch", { name: "Watchdog" }).click()],
  ["/settings", (page: Page) => page.getByRole("combobox", { name: "Timezone" }).selectOption("America/New_York")],
])("what was changed on %s before the script has come is asked about, too", async (screen, change) => {
  const context = await browser.newContext();
  await signIn(context, server, "admin@parks.example");
  const visit = await aVisit(context, server);
  const held: Route[] = [];
  await visit.page.route("**/assets/entry*", (route) => void held.push(route));
  await visit.page.goto(server.url + screen, { waitUntil: "commit" });
  await change(visit.page);
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.fallback();
  await hydrated(visit.page);
  await canAsk(visit);
  await arrived(visit, "alert-modal");
  await idle(visit);
  await visit.page.getByRole("complementary").getByRole("link", { name: "Hubs" }).click();
  await visit.page.getByRole("alertdialog", { name: "Leave without saving?" }).waitFor();
  await context.close();
});

test("the question can be met without eyes, in light and dark", async () => {
  await open("/guardrails");
  await admin.page.getByLabel("Hard curfew").fill("21:00");
  await follow("Schedules");
  await question().waitFor();
  expect(await barriersInBoth(admin.page, "[role=alertdialog]")).toEqual([]);
});

test("where nothing is changed, changed back, or saved, nobody is asked", async () => {
  const curfew = admin.page.getByLabel("Hard curfew");
  await open("/guardrails");
  await curfew.click();
  await follow("Hubs");
  await admin.sees("Hub Management");

  await follow("Guardrails");
  await curfew.fill("21:00");
  await curfew.fill("23:45");
  await follow("Hubs");
  await admin.sees("Hub Management");

  await follow("Guardrails");
  await curfew.fill("22:15");
  await admin.press("Save");
  await admin.sees("Settings saved successfully");
  await reload(admin);
  expect(browserAsked).toBe(false);
  expect(await curfew.inputValue()).toBe("22:15");
  await curfew.fill("22:30");
  await admin.press("Save");
  await admin.sees("Settings saved successfully");
  await follow("Hubs");
  await admin.sees("Hub Management");
  expect(await question().count()).toBe(0);
});

test("what is on its way to be saved may be left, but not what was refused or typed since", async () => {
  const curfew = admin.page.getByLabel("Hard curfew");
  await open("/guardrails");
  await curfew.fill("noon");
  await admin.press("Save");
  await admin.sees("The curfew must be a time as HH:MM, or empty");
  await follow("Hubs");
  await question().waitFor();
  await admin.press("Keep editing");

  const answers = await hold(admin, "POST");
  await curfew.fill("22:45");
  await admin.press("Save");
  await admin.page.getByLabel("Max ON duration").fill("99");
  await answers.letGo();
  await admin.sees("Settings saved successfully");
  await follow("Hubs");
  await question().waitFor();
  await admin.press("Keep editing");

  const more = await hold(admin, "POST");
  await curfew.fill("22:50");
  await admin.press("Save");
  await admin.sees("Saving...");
  await follow("Hubs");
  await admin.sees("Hub Management");
  await more.letGo();
  await admin.sees("Settings saved successfully");
});

test("the question stays while the list behind it loads anew", async () => {
  await open("/areas");
  await admin.press("New Area");
  const name = admin.page.getByRole("dialog").getByLabel("Name");
  await name.fill("Half a park");
  const staff = await signedInAs(server, "admin");
  const reload = await hold(admin, "GET");
  await staff.call("POST", "/areas", { name: "Someone else's park", type: "park", location: null });
  await expect.poll(admin.loading).toBeGreaterThan(0);
  await admin.page.keyboard.press("Escape");
  await question().waitFor();
  await reload.letGo();
  await expect.poll(admin.loading).toBe(0);
  await admin.sees("Someone else's park");
  await admin.press("Keep editing");
  await question().waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Half a park");
  await idle(admin);
  await admin.page.keyboard.press("Escape");
  await admin.press("Leave");
  await name.waitFor({ state: "detached" });
});

test("without a network the question still comes", async () => {
  // The browser has none of the code yet.
  const context = await browser.newContext();
  await signIn(context, server, "admin@parks.example");
  const visit = await aVisit(context, server);
  await open("/workorders?new=", visit);
  const dialog = visit.page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Half a thought");
  await arrived(visit, "alert-modal");
  await idle(visit);
  await context.setOffline(true);
  await visit.page.keyboard.press("Escape");
  await visit.sees("Leave without saving?");
  await visit.press("Leave");
  await dialog.waitFor({ state: "detached" });
  await context.close();
});

test("what is typed before the page can ask is asked about once it can", async () => {
  const late = await visitWithLateWatching();
  await late.visit.go("/account");
  const phone = late.visit.page.getByLabel("Your phone number");
  const before = await phone.inputValue();
  await phone.fill("+13105550142");
  await late.arrive();
  await late.hubs.click();
  await late.visit.sees("Leave without saving?");
  await late.visit.press("Keep editing");
  await late.visit.page.getByRole("alertdialog").waitFor({ state: "detached" });
  await phone.fill(before);
  await late.hubs.click();
  await late.visit.sees("Hub Management");
  expect(await late.visit.page.getByRole("alertdialog").count()).toBe(0);
  await late.leave();
});

test("what is saved before the page can ask is left without a question", async () => {
  const late = await visitWithLateWatching();
  await late.visit.go("/account");
  await late.visit.page.getByLabel("Your phone number").fill("+13105550143");
  // Nor has the screen come that follows the save.
  const reload = await hold(late.visit, "GET");
  await late.visit.press("Save messages");
  await late.visit.sees("Your messages are saved");
  await late.arrive();
  await reload.letGo();
  await late.hubs.click();
  await late.visit.sees("Hub Management");
  expect(await late.visit.page.getByRole("alertdialog").count()).toBe(0);
  await late.leave();
});

test("what was chosen from the hub account is not lost either", async () => {
  await open("/import/hub-account");
  await admin.page.getByRole("textbox", { name: "Name of Pier lamp 1" }).fill("Pier lamp, north");
  await follow("Hubs");
  await question().waitFor();
  await admin.press("Leave");
  await admin.sees("Hub Management");

  await open("/import/hub-account");
  await admin.press("Choose all");
  await follow("Hubs");
  await question().waitFor();
  await admin.press("Leave");
  await admin.sees("Hub Management");
});

test("who signs out is asked too, and signs out after that", async () => {
  const employee = await visitAs(browser, server, "employee");
  await open("/account", employee);
  await employee.page.getByLabel("Your phone number").fill("+13105550142");
  await employee.press("User menu");
  await employee.press("Sign out");
  await employee.sees("Leave without saving?");
  await employee.press("Leave");
  await employee.sees("Logged out successfully");
});

test("a dialog over a screen with changes opens and closes without a question", async () => {
  await open("/settings");
  const alert = admin.page.getByLabel("Offline alert after (minutes)");
  await alert.fill("19");
  await admin.press("New Calendar");
  await admin.page.getByRole("dialog", { name: "Create Calendar" }).waitFor();
  await idle(admin);
  await admin.page.keyboard.press("Escape");
  await admin.page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await question().count()).toBe(0);
  expect(await alert.inputValue()).toBe("19");

  await admin.press("New Calendar");
  await admin.page.getByRole("dialog").getByLabel("Name").fill("Fairs");
  await idle(admin);
  await admin.page.keyboard.press("Escape");
  await admin.press("Leave");
  await admin.page.getByRole("dialog").waitFor({ state: "detached" });
  await follow("Hubs");
  await question().waitFor();
  await admin.press("Keep editing");
  expect(await alert.inputValue()).toBe("19");
});

test.each([
  ["/devices", "New Device", "Name"],
  ["/schedules", "New Schedule", "Title"],
  ["/workorders", "New Workorder", "Description"],
  ["/closures", "New Closure", "Reason"],
  ["/permits", "New Permit", "Reason"],
  ["/guardrails", "New Policy", "Longest time on"],
  ["/settings", "New Calendar", "Dates"],
])("on %s, what is typed into '%s' is not lost by Escape, which closes it before", async (screen, button, label) => {
  const dialog = admin.page.getByRole("dialog");
  const field = dialog.getByLabel(label, { exact: true });
  await open(screen);
  await openDialog(button, field);
  await admin.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await admin.press(button);
  const isSelect = await field.evaluate((element) => element instanceof HTMLSelectElement);
  await (isSelect ? field.selectOption({ index: 1 }) : field.fill("Half a thought"));
  const typed = await field.inputValue();
  await idle(admin);
  await admin.page.keyboard.press("Escape");
  await question().waitFor();
  await admin.press("Keep editing");
  await question().waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe(typed);
});

test("what is typed into a dialog is not lost by Escape or a click outside, and given up by Close and Cancel", async () => {
  const dialog = admin.page.getByRole("dialog");
  const field = dialog.getByLabel("Name", { exact: true });
  await open("/areas");
  await openDialog("New Area", field);
  await field.fill("Half a thought");
  await field.focus();
  await idle(admin);
  await admin.page.keyboard.press("Escape");
  await asked();
  await admin.page.keyboard.press("Enter");
  await question().waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("Half a thought");
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);

  await admin.page.mouse.click(4, 4);
  await asked();
  await admin.page.keyboard.press("Escape");
  await question().waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("Half a thought");

  await dialog.getByRole("button", { name: "Close" }).click();
  await admin.press("Leave");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(focused).toBe("New Area");

  await admin.press("New Area");
  await field.fill("Half a thought");
  await admin.press("Cancel");
  await dialog.waitFor({ state: "detached" });
  expect(await question().count()).toBe(0);
});

/** Opens a form, and waits until it can ask: what watches it fetches the question. */
async function openDialog(button: string, field: Locator): Promise<void> {
  await admin.press(button);
  await field.waitFor();
  await arrived(admin, "alert-modal");
  await idle(admin);
}

test("what a form fills in by itself is no change, and what a link fills in neither", async () => {
  const dialog = admin.page.getByRole("dialog");
  await open("/schedules?new=&device_id=area:demo-area-viaduct&start=2099-01-05T18:00&end=2099-01-05T20:00");
  await expect.poll(() => dialog.getByLabel("Device").locator("option:checked").innerText()).toMatch(/^All lights/);
  await idle(admin);
  await admin.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await question().count()).toBe(0);
});

test("after a record is saved its dialog closes without a question, and the page may go", async () => {
  await open("/areas?new=");
  await admin.page.getByRole("dialog").getByLabel("Name").fill("Saved Green");
  await admin.press("Create Area");
  await admin.sees("Area created successfully");
  await admin.page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await question().count()).toBe(0);
  await reload(admin);
  expect(browserAsked).toBe(false);
});

test("the search, a filter and a short choice are left without a question", async () => {
  await open("/devices");
  await admin.page.getByRole("searchbox").fill("under");
  await admin.press("Search");
  await admin.page.keyboard.type("park");
  await admin.page.keyboard.press("Escape");
  await open("/devices/demo-light-viaduct-underpass?turn-on=demo-light-viaduct-underpass");
  await admin.page.getByRole("dialog").getByLabel("Reason").fill("rain");
  await idle(admin);
  await admin.page.keyboard.press("Escape");
  await admin.page.getByRole("dialog").waitFor({ state: "detached" });
  await follow("Hubs");
  await admin.sees("Hub Management");
  expect(await question().count()).toBe(0);
});

test("whoever does not leave for another organization reads the name of this one", async () => {
  const regional = await visitAs(browser, server, "regional");
  const organization = regional.page.getByLabel("Organization", { exact: true });
  await open("/account", regional);
  const own = await organization.inputValue();
  const other = await organization.locator("option:not(:checked)").getAttribute("value");
  // The browser asks only people who did something on the page.
  await regional.page.getByLabel("Your phone number").click();
  await regional.page.getByLabel("Your phone number").fill("+13105550142");
  const asked = regional.page.waitForEvent("dialog");
  await organization.selectOption(other);
  await (await asked).dismiss();
  await expect.poll(() => organization.inputValue()).toBe(own);
  expect(new URL(regional.page.url()).pathname).toBe("/account");
});
