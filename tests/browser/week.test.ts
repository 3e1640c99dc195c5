import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersInBoth, OPEN } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { hide, loseNextAnswer, placeOf, visitAs, without, type Visit } from "#tests/support/visit";

/** A Tuesday five to six weeks ahead, in a week without a change of clocks: what is there is all to come. */
const TUESDAY = aTuesday();
const ZONE = "America/Los_Angeles";

let server: Server;
let browser: Browser;
let staff: Staff;
let manager: Visit;
let area_id: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const lights = await aPlace(staff, "Sorrel Park", ["Sorrel north", "Sorrel south"]);
  area_id = lights[0]?.area_id ?? "";
  const device_ids = lights.map(({ id }) => id);
  const { data: pitch } = await staff.call("POST", "/groups", { area_id, name: "Sorrel pitch", device_ids });
  await book("Sorrel league", { type: "group", id: pitch.id }, "18:00", "22:00", { rrule: "FREQ=WEEKLY;BYDAY=TU,TH" });
  await book("Sorrel fair", { type: "area", id: area_id }, "20:00", "21:00");
  manager = await visitAs(browser, server, "manager");
  await manager.page.setViewportSize({ width: 1280, height: 900 });
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

/** Books hours of that Tuesday. */
function book(title: string, target: object, from: string, to: string, more: object = {}) {
  const hours = { start_at: at(from), end_at: at(to), timezone: ZONE };
  return staff.call("POST", "/schedules", { title, area_id, device_id: null, target, ...hours, ...more });
}

const week = () => `/schedules?view=week&area=${area_id}&week=${TUESDAY}`;
const block = (name: RegExp) => manager.page.getByRole("button", { name }).filter({ visible: true }).first();
const league = (day = "Tue") => block(new RegExp(`^Sorrel league .+; ${day}, `));
const panel = () => manager.page.locator("[aria-labelledby=piece-title]");
const form = (name: string) => manager.page.getByRole("dialog", { name });

test("one comes from the list to the week of an area, finds another by name, and goes back", async () => {
  const { page } = manager;
  await manager.go("/schedules");
  await page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "Week" }).click();
  const picker = page.locator("details", { hasText: "Area: " });
  await picker.locator("summary").click();
  await picker.getByLabel("Find an area").fill("sorrel");
  await picker.getByRole("link", { name: "Sorrel Park" }).click();
  await manager.sees("Nothing is scheduled for Sorrel Park in this week.");
  await page.getByRole("link", { name: "The week after" }).click();
  await page.getByRole("link", { name: "This week" }).waitFor();
  expect(page.url()).toContain(`area=${area_id}&week=`);
  await page.goBack();
  await expect.poll(() => page.getByRole("link", { name: "This week" }).count()).toBe(0);
  await manager.go(week());
  await manager.sees("3 windows of 2 schedules for Sorrel Park.");
  await page.getByRole("link", { name: /^Sorrel pitch/ }).click();
  await expect.poll(() => page.url()).toContain("group=");
});

test("the chart is one tab stop; Enter tells of a block, and its night is skipped and comes back", async () => {
  const { page } = manager;
  await manager.go(week());
  await league().waitFor();
  expect(await page.locator("[data-cell][tabindex='0']").count()).toBe(1);
  await page.locator("[data-cell][tabindex='0']").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => league().and(page.locator(":focus")).count()).toBe(1);
  await page.keyboard.press("Enter");
  await panel().getByRole("heading", { name: "Sorrel league" }).waitFor();
  await manager.sees("2 lights", panel());
  await manager.sees("admin", panel());
  expect(await barriersInBoth(page, OPEN)).toEqual([]);
  await panel()
    .getByRole("link", { name: /^Skip this night/ })
    .click();
  await form("Skip a night").getByLabel("Reason").fill("rain");
  await form("Skip a night").getByRole("button", { name: "Skip" }).click();
  await manager.sees("Skipped: rain", panel());
  await panel()
    .getByRole("button", { name: /^Unskip/ })
    .click();
  await panel()
    .getByRole("link", { name: /^Skip this night/ })
    .waitFor();
  await page.keyboard.press("Escape");
  await panel().waitFor({ state: "detached" });
  await league().and(page.locator(":focus")).waitFor();
});

test("of two skipped nights that are taken back one after the other, both are back", async () => {
  const { page } = manager;
  await manager.go(week());
  const held: Route[] = [];
  const isTaken = (route: Route) => route.request().postData()?.includes("intent=unskip");
  await page.route("**/schedules.data*", (route) => (isTaken(route) ? void held.push(route) : route.fallback()));
  const skipAndTakeBack = async (day: string) => {
    await league(day).click();
    await panel()
      .getByRole("link", { name: /^Skip this night/ })
      .click();
    await form("Skip a night").getByRole("button", { name: "Skip", exact: true }).click();
    await manager.press("Undo");
  };
  await skipAndTakeBack("Tue");
  await expect.poll(() => held.length).toBe(1);
  await skipAndTakeBack("Thu");
  await expect.poll(() => held.length).toBe(2);
  const skipped = async () => {
    const { data } = await staff.call("GET", "/schedules");
    return data.find(({ title }: { title: string }) => title === "Sorrel league").exdates;
  };
  expect(await skipped()).toHaveLength(2);
  await Promise.all(held.map((route) => route.fallback().catch(() => undefined)));
  await manager.sees("The night is back in the schedule");
  await expect.poll(skipped, { timeout: 15_000 }).toEqual([]);
  await page.unroute("**/schedules.data*");
});

test("a skip whose Undo is not answered can be undone from the toast that says so, and is undone once", async () => {
  await manager.go(week());
  await league().click();
  await panel()
    .getByRole("link", { name: /^Skip this night/ })
    .click();
  await form("Skip a night").getByRole("button", { name: "Skip", exact: true }).click();
  await manager.sees("Night skipped");
  await loseNextAnswer(manager);
  await manager.press("Undo");
  await manager.sees("Failed to unskip the night");
  await manager.press("Undo");
  await manager.sees("The night is back in the schedule");
  const { data } = await staff.call("GET", "/admin/audit-logs?limit=2");
  expect(data.map(({ action }: { action: string }) => action)).toEqual(["unskip", "skip"]);
});

test("by keyboard the panel has the focus once its night is skipped, and a form that is open when others skip it keeps it", async () => {
  const { page } = manager;
  await page.setViewportSize({ width: 1400, height: 900 });
  await manager.go(week());
  await league().press("Enter");
  await panel()
    .getByRole("link", { name: /^Skip this night/ })
    .press("Enter");
  await form("Skip a night").getByLabel("Reason").press("Enter");
  await manager.sees(/^Skipped/, panel());
  await panel().and(page.locator(":focus")).waitFor();
  await panel()
    .getByRole("button", { name: /^Unskip/ })
    .press("Enter");
  await panel().getByRole("link", { name: /^Edit/ }).press("Enter");
  const title = form("Edit Schedule").getByLabel("Title");
  await title.fill("Sorrel league, first");
  const { data } = await staff.call("GET", "/schedules");
  const { id } = data.find((each: { title: string }) => each.title === "Sorrel league");
  await staff.call("PUT", `/schedules/${id}/skip`, { date: TUESDAY, reason: "storm" });
  await panel().getByText("Skipped: storm").waitFor({ state: "attached" });
  await page.keyboard.type(" team");
  expect(await title.inputValue()).toBe("Sorrel league, first team");
  await form("Edit Schedule").getByRole("button", { name: "Cancel" }).click();
  await panel().getByRole("link", { name: /^Edit/ }).and(page.locator(":focus")).waitFor();
  await staff.call("PUT", `/schedules/${id}/unskip`, { date: TUESDAY });
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("what is pressed of a block is answered also where somebody has canceled it since", async () => {
  const forms = [
    ["Change hours of Sorrel relay", "Change hours", "Cancel"],
    ["Edit Sorrel march", "Save changes", "Cancel"],
    ["Cancel Sorrel swim", "Cancel schedule", "Keep schedule"],
  ] as const;
  const titles = ["Sorrel relay", "Sorrel march", "Sorrel swim"];
  const made = await Promise.all(titles.map((title) => book(title, { type: "area", id: area_id }, "12:00", "13:00")));
  await manager.go(week());
  await league().waitFor();
  // Of one that is told of what changes a block would go at once.
  await hide(manager);
  for (const [i, [link, go, leave]] of forms.entries()) {
    await block(new RegExp(`^${titles[i]}`)).click();
    await staff.call("PUT", `/schedules/${made[i]?.data.id}/cancel`);
    await panel().getByRole("link", { name: link }).click();
    await manager.press(go);
    await manager.sees(/^This schedule is already canceled/);
    await manager.press(leave);
    await manager.page.locator("[role=dialog], [role=alertdialog]").waitFor({ state: "detached" });
    // What a refusal loads anew would take the next block away, too, if it came after that one is canceled.
    await expect.poll(() => manager.loading(), { timeout: 15_000 }).toBe(0);
  }
});

test("a form whose schedule cannot be had says so, and can be asked for again", async () => {
  const { page } = manager;
  await manager.go(week());
  await league().click();
  const skip = panel().getByRole("link", { name: /^Skip this night/ });
  await page.route("**/schedules/*/record", (route) => route.abort());
  await skip.click();
  await manager.sees("Failed to load the schedule");
  await expect.poll(() => new URL(page.url()).searchParams.has("skip")).toBe(false);
  await page.unroute("**/schedules/*/record");
  await skip.click();
  await form("Skip a night").waitFor();
  await page.keyboard.press("Escape");
  await form("Skip a night").waitFor({ state: "detached" });
});

test("an empty stretch that is drawn opens the form of a new schedule with its hours and its place", async () => {
  const { page } = manager;
  await manager.go(week());
  await league().waitFor();
  const free = await page.locator(`[data-slot="${day(1)}"]`).boundingBox();
  await draw(xOf(free, 18), xOf(free, 21.5), middle(free));
  const dialog = form("Create Schedule");
  await expect.poll(() => dialog.getByLabel("Area").inputValue()).toBe(area_id);
  await expect.poll(() => dialog.getByLabel("Device").inputValue()).toBe(`area:${area_id}`);
  const typed = ["Start date", "Start time", "End date", "End time"].map((name) =>
    dialog.getByLabel(name).inputValue(),
  );
  expect(await Promise.all(typed)).toEqual([day(1), "18:00", day(1), "21:30"]);
  await dialog.getByLabel("Title").fill("Sorrel concert");
  await dialog.getByRole("button", { name: "Create Schedule" }).click();
  await manager.sees("Schedule created successfully");
  await block(/^Sorrel concert 6:00 PM - 9:30 PM, 2 lights; Wed, /).waitFor();
});

test("a press that is let go of beside the chart is no drag, and the next one books where it is", async () => {
  const { page } = manager;
  await manager.go(week());
  await league().waitFor();
  const night = (after: number) => page.locator(`[data-slot="${day(after)}"]`).boundingBox();
  const [from, next] = [await night(1), await night(3)];
  await page.mouse.move(xOf(from, 18), middle(from));
  await page.mouse.down();
  // As quickly as a hand does: the chart hears nothing of it.
  await page.mouse.move(xOf(from, 18), 5);
  await page.mouse.up();
  await page.mouse.move(xOf(from, 21), middle(from), { steps: 3 });
  expect(await page.locator("[data-ghost]").count()).toBe(0);
  await page.mouse.click(xOf(next, 20), middle(next));
  const dialog = form("Create Schedule");
  await expect.poll(() => dialog.getByLabel("Area").inputValue()).toBe(area_id);
  const typed = ["Start date", "Start time"].map((name) => dialog.getByLabel(name).inputValue());
  expect(await Promise.all(typed)).toEqual([day(3), "20:00"]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("a series' edge that is dragged moves all of its nights, after one was told how many", async () => {
  const { page } = manager;
  await manager.go(week());
  await league().waitFor();
  const box = await league().boundingBox();
  const track = await page.locator(`[data-slot="${TUESDAY}"]`).boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 3, middle(box));
  await page.mouse.down();
  await page.mouse.move(xOf(track, 23), middle(box), { steps: 3 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  expect(await form("Change hours").count()).toBe(0);
  await draw((box?.x ?? 0) + (box?.width ?? 0) - 1, xOf(track, 25), middle(box));
  await manager.sees("Sorrel league, now 6:00 PM to 10:00 PM. This changes every night to come.", form("Change hours"));
  expect(await form("Change hours").getByLabel("End time").inputValue()).toBe("01:00");
  await manager.sees(/Every Tue and Thu, 6:00 PM - 1:00 AM/, form("Change hours"));
  expect(await barriersInBoth(page, OPEN)).toEqual([]);
  await form("Change hours").getByRole("button", { name: "Change hours" }).click();
  await manager.sees("Schedule updated successfully");
  await block(/^Sorrel league 6:00 PM - 1:00 AM, .+; Thu, /).waitFor();
});

test("what happens once is dragged to another night", async () => {
  const { page } = manager;
  await manager.go(week());
  const fair = await block(/^Sorrel fair /).boundingBox();
  const friday = await page.locator(`[data-slot="${day(3)}"]`).boundingBox();
  const x = (fair?.x ?? 0) + (fair?.width ?? 0) / 2;
  await page.mouse.move(x, middle(fair));
  await page.mouse.down();
  await page.mouse.move(x, middle(friday), { steps: 4 });
  await page.mouse.up();
  expect(await form("Change hours").getByLabel("Date").inputValue()).toBe(day(3));
  await form("Change hours").getByRole("button", { name: "Change hours" }).click();
  await manager.sees("Schedule updated successfully");
  await block(/^Sorrel fair 8:00 PM - 9:00 PM, .+; Fri, /).waitFor();
});

test("a block that is being dragged stays lifted when the week is read anew", async () => {
  const { page } = manager;
  await manager.go(week());
  const fair = await block(/^Sorrel fair /).boundingBox();
  const x = (fair?.x ?? 0) + (fair?.width ?? 0) / 2;
  const lifted = page.locator("[data-gone]");
  await page.mouse.move(x, middle(fair));
  await page.mouse.down();
  await page.mouse.move(x + 120, middle(fair), { steps: 4 });
  expect(await lifted.count()).toBe(1);
  await book("Sorrel picnic", { type: "area", id: area_id }, "14:00", "15:00");
  await block(/^Sorrel picnic /).waitFor();
  expect(await lifted.count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.mouse.up();
});

test("an employee reads the week and changes nothing; on a phone it is told night by night, and what others do is there at once", async () => {
  const employee = await visitAs(browser, server, "employee");
  await employee.page.setViewportSize({ width: 390, height: 844 });
  await employee.go(week());
  const night = employee.page.getByRole("list", { name: /^Thu, / });
  await night.getByRole("button", { name: /^Sorrel league/ }).click();
  const sheet = employee.page.locator("[aria-labelledby=piece-title]");
  await sheet.getByRole("heading", { name: "Sorrel league" }).waitFor();
  expect(await sheet.getByRole("link", { name: /^(Change|Skip|Edit|Copy|Cancel) / }).count()).toBe(0);
  expect(await employee.page.getByRole("link", { name: /^Add a schedule/ }).count()).toBe(0);
  expect(await employee.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await sheet.getByRole("button", { name: "Close" }).click();
  await book("Sorrel choir", { type: "area", id: area_id }, "19:00", "20:00");
  await employee.page.getByRole("button", { name: /^Sorrel choir/ }).waitFor();
  await employee.page.close();
});

test("on a phone a block's sheet has what it could not do told above it, and gives the focus back to the block", async () => {
  const { page, go, press } = await visitAs(browser, server, "manager");
  await page.setViewportSize({ width: 390, height: 844 });
  await go(week());
  const night = page.getByRole("list", { name: /^Thu, / });
  const pressed = night.getByRole("button", { name: /^Sorrel league/ });
  await pressed.click();
  await page.getByRole("link", { name: "Skip this night of Sorrel league" }).click();
  await page.getByRole("dialog", { name: "Skip a night" }).getByRole("button", { name: "Skip" }).click();
  await page.getByRole("button", { name: "Unskip this night of Sorrel league" }).waitFor();
  await page.route("**/*.data*", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await press("Unskip this night of Sorrel league");
  const toast = page.getByRole("listitem").filter({ hasText: "Failed to unskip the night" });
  const at = await placeOf(toast); // beside it, the press would close the sheet
  await page.mouse.click(at.x + 40, at.y + 20);
  const sheet = page.locator("[aria-labelledby=piece-title]");
  expect(at.y + at.height).toBeLessThanOrEqual((await sheet.boundingBox())?.y ?? 0);
  await sheet.getByText("Skipped").waitFor();
  await page.unroute("**/*.data*");
  await press("Unskip this night of Sorrel league");
  await page.getByText("The night is back in the schedule").waitFor();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await expect.poll(() => pressed.evaluate((block) => block === document.activeElement)).toBe(true);
});

test("a long title behind hours of a few minutes ends where the night does", async () => {
  const [light] = await aPlace(staff, "Thistle Park", ["Thistle gate"]);
  const { id, area_id: park } = light ?? {};
  await book("Thistle market, set up and taken down ".repeat(5).trim(), { type: "device", id }, "18:00", "18:03", {
    area_id: park,
  });
  await manager.go(`/schedules?view=week&area=${park}&week=${TUESDAY}`);
  const words = block(/^Thistle market/).locator(".week-text");
  const track = await manager.page.locator(`[data-slot="${TUESDAY}"]`).boundingBox();
  const end = await words.evaluate((node) => node.getBoundingClientRect().right);
  expect(end).toBeLessThanOrEqual(xOf(track, 36) + 7); // the block is drawn at least so wide
  expect(await manager.page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
});

test("without script the week is told night by night, and hours are changed by a form", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies(await manager.page.context().cookies());
  const page = await context.newPage();
  await page.goto(server.url + week());
  const night = page.getByRole("list", { name: /^Tue, / });
  await night.getByText("6:00 PM - 1:00 AM").waitFor();
  await night.getByRole("link", { name: "Change hours of Sorrel league" }).click();
  await page.getByLabel("Start time").fill("17:00");
  await page.getByRole("button", { name: "Change hours" }).click();
  await page.getByText("Schedule updated successfully").waitFor();
  await night.getByText("5:00 PM - 1:00 AM").waitFor();
  await page.getByRole("link", { name: "Add a schedule on Mon" }).first().click();
  await page.getByRole("heading", { name: "Create Schedule" }).waitFor();
  expect(await page.getByLabel("Start date").inputValue()).toBe(day(-1));
  await context.close();
});

test("a week that cannot be loaded says so, below the way back to the list", async () => {
  await without(server, "device_groups.area_id", async () => {
    await manager.go(week());
    await manager.sees("Failed to load the week. The lights go by their plan without this screen.");
    await manager.page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "List" }).waitFor();
  });
});

type Box = { x: number; y: number; width: number; height: number } | null;

/** Where an hour of the night is in its row: 25 is one in the morning. */
function xOf(box: Box, hour: number): number {
  return (box?.x ?? 0) + ((hour - 12) / 24) * (box?.width ?? 0);
}

function middle(box: Box): number {
  return (box?.y ?? 0) + (box?.height ?? 0) / 2;
}

async function draw(from: number, to: number, y: number) {
  const { mouse } = manager.page;
  await mouse.move(from, y);
  await mouse.down();
  await mouse.move(to, y, { steps: 3 });
  await mouse.up();
}

/** The date so many days after that Tuesday. */
function day(after: number): string {
  return new Date(Date.parse(TUESDAY) + after * 86_400_000).toISOString().slice(0, 10);
}

/** The instant at which the city's clocks show a time on that Tuesday. */
function at(time: string): string {
  const utc = Date.parse(`${TUESDAY}T${time}:00Z`);
  const shown = new Date(utc).toLocaleString("sv-SE", { timeZone: ZONE });
  return new Date(utc + (utc - Date.parse(`${shown.replace(" ", "T")}Z`))).toISOString();
}

function aTuesday(): string {
  const changes = /-(03|11)-0[1-9]|-03-1[0-9]|-(02-2[5-9]|10-(2[5-9]|3))/;
  for (let days = 35; ; days += 1) {
    const date = new Date(Date.now() + days * 86_400_000);
    const text = date.toISOString().slice(0, 10);
    if (date.getUTCDay() === 2 && !changes.test(text)) return text;
  }
}
