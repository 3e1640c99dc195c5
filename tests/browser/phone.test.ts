import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriers, barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { anAdmin, hardlyScrolled, openScreen, PATHS, press } from "#tests/support/screens";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight } from "#tests/support/staff";

const IN_TWO_WEEKS = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);

let server: Server;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  context = await anAdmin(browser, server);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("on a phone the menus can be used without eyes, in light and dark", async () => {
  const { page, complaints } = await openScreen({ context, server }, "/areas", { width: 390, height: 844 });
  for (const [button, opened] of [
    ["Open menu", "dialog[open]"],
    ["User menu", ":popover-open"],
  ] as const) {
    await press(page, button);
    await page.locator(opened).waitFor();
    expect(await barriersInBoth(page, opened), button).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(opened).waitFor({ state: "detached" });
  }
  expect(complaints).toEqual([]);
});

test("the bar at a phone's bottom edge leads to the screens of the night and to the menu, and covers nothing", async () => {
  const { page } = await openScreen({ context, server }, "/devices", { width: 390, height: 844 });
  const bar = page.getByRole("navigation", { name: "At night" });
  await bar.getByRole("link", { name: "Tonight" }).click();
  await page.getByRole("heading", { level: 1, name: "Tonight" }).waitFor();
  expect(await bar.getByRole("link", { name: "Tonight" }).getAttribute("aria-current")).toBe("page");
  // What lies half under it is no small target: it is scrolled out from under it.
  await page
    .getByText(/^On now: /)
    .first()
    .waitFor();
  expect(await barriers(page, "html", { runOnly: ["target-size"] })).toEqual([]);
  const edges = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const boxes = await Promise.all([page.getByRole("contentinfo").boundingBox(), bar.boundingBox()]);
    return boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0)));
  };
  await expect.poll(edges).toEqual([844 - 57, 844]);
  await bar.getByRole("button", { name: "More" }).click();
  await page.locator("dialog[open]").getByRole("link", { name: "Schedules" }).click();
  await page.getByRole("heading", { level: 1, name: "Schedule Management" }).waitFor();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await bar.isVisible()).toBe(false);
});

test.each(["/devices?q=nobody-wrote-this", "/schedules?view=week&area=demo-area-cannery"])(
  "on a phone, what is opened above the short page of %s can be scrolled out from under the bar",
  async (path) => {
    const { page } = await openScreen({ context, server }, path, { width: 390, height: 664 });
    await page.locator("main details > summary").first().click();
    const opened = page.locator("main details[open] > div");
    await opened.waitFor();
    const bar = await page.getByRole("navigation", { name: "At night" }).boundingBox();
    const bottom = async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const box = await opened.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect.poll(bottom).toBeLessThanOrEqual(bar?.y ?? 0);
  },
);

test.each(PATHS)("%s fits a phone: nothing is scrolled sideways", async (path) => {
  const { page, complaints } = await openScreen({ context, server }, path, { width: 375, height: 740 });
  expect(complaints).toEqual([]);
  expect(await hardlyScrolled(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
});

test.each(["/dashboard", "/schedules"])(
  "%s of a phone at twice its size has its heading, its bars and the names of its figures whole",
  async (path) => {
    const { page } = await openScreen({ context, server }, path, { width: 195, height: 422 });
    const parts = page.locator(
      "h1, header:not(main *) :is(button, select, span), nav[aria-label='At night'] :is(a, button)",
    );
    const cut = () =>
      parts.evaluateAll((all) =>
        all
          .map((part) => ({ part, box: part.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.left < 0 || box.right > innerWidth || box.top < 0))
          .map(({ part }) => part.ariaLabel ?? part.textContent),
      );
    expect(await cut()).toEqual([]);
    const title = await page.locator("header:not(main *) > div > span").getByText("Lamplighter").boundingBox();
    expect(title?.height).toBeLessThan(20);
    const names = page.locator(".summary h2 a");
    if (path === "/dashboard") await names.first().waitFor();
    const heights = await names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect().height));
    expect(Math.max(0, ...heights)).toBeLessThan(40);
    // Its screens are in the menu.
    await press(page, "Open menu");
    await page.locator("dialog[open]").getByRole("link", { name: "Alarms" }).click();
    await page.getByRole("heading", { level: 1, name: "Alarms" }).waitFor();
  },
);

test("a person's address is whole on a phone, and each button of the people at twice its size", async () => {
  const { page } = await openScreen({ context, server }, "/departments?tab=people", { width: 390, height: 844 });
  const people = page.getByRole("list", { name: "People" });
  const address = people.getByText("employee@parks.example");
  expect(await address.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 195, height: 422 });
  const edges = await people
    .getByRole("button")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  const card = await people.boundingBox();
  expect(Math.max(...edges)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
});

test.each(["/areas", "/hubs", "/devices", "/workorders"])(
  "on a phone at twice its size the names of the cards of %s have their place",
  async (path) => {
    const { page } = await openScreen({ context, server }, path, { width: 195, height: 422 });
    const names = page.getByRole("main").locator("article h2");
    await names.first().waitFor({ state: "attached" });
    const widths = await names.evaluateAll((all) => all.slice(0, 3).map((name) => name.clientWidth));
    expect(Math.min(...widths)).toBeGreaterThan(120);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(195);
  },
);

test("on a phone at twice its size each button of a selection is whole", async () => {
  const { page } = await openScreen({ context, server }, "/devices", { width: 195, height: 422 });
  await press(page, "Select");
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByRole("button", { name: "Turn off" }).waitFor();
  const edges = await bar.getByRole("button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  const { x, width } = (await bar.boundingBox()) ?? { x: 0, width: 0 };
  expect(Math.max(...edges)).toBeLessThanOrEqual(x + width);
});

test("on a phone at twice its size '/settings' fits, each button of a calendar and 'Not Configured' too", async () => {
  const api = await signedInAs(server, "admin");
  await api.call("POST", "/calendars", { name: "Holidays", dates: [{ date: "2035-01-01" }] });
  const { page } = await openScreen({ context, server }, "/settings", { width: 195, height: 422 });
  await page.getByRole("button", { name: "Delete Holidays" }).waitFor();
  await page.getByRole("main").getByText("Not Configured", { exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(195);
});

test.each([
  ["/import", "Download template"],
  [`/schedules?view=week&week=${IN_TWO_WEEKS}`, "This week"],
])("%s fits a phone at twice its size: '%s' is not cut, and nothing is scrolled sideways", async (path, words) => {
  const { page } = await openScreen({ context, server }, path, { width: 195, height: 422 });
  await page.getByRole("main").getByText(words, { exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(195);
});

test("a name of one long word fits a phone, too", async () => {
  const staff = await signedInAs(server, "admin");
  const word = "Lightsbehindtheoldboathouseandalongtheriverpathtothefootbridge";
  const { data: area } = await staff.call("POST", "/areas", { name: word, location: { address: word } });
  const hub = await staff.call("POST", "/hubs", { name: word, area_id: area.id, notes: word });
  const device = { name: word, area_id: area.id, hub_id: hub.data.id, model: word, cloud_device_id: word };
  const { data: light } = await staff.call("POST", "/devices", device);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const window = { start_at: at(1), end_at: at(2), timezone: "America/Los_Angeles" };
  const place = { area_id: area.id, device_id: light.id };
  await staff.call("POST", "/schedules", { title: word, description_short: word, ...place, ...window });
  await staff.call("POST", "/workorders", { title: word, description: word, ...place });
  await withoutNight(staff); // a toggle is in the log as soon as it is verified
  await staff.call("POST", `/devices/${light.id}/toggle`, { action: "off" });
  const logged = async () => (await staff.call("GET", `/scheduler/events?device_id=${light.id}`)).events.length;
  await expect.poll(logged).toBeGreaterThan(0);
  const page = await context.newPage();
  await page.setViewportSize({ width: 375, height: 740 });
  for (const path of [
    "/dashboard",
    "/areas",
    "/hubs",
    "/devices",
    "/schedules",
    "/workorders",
    "/history",
    "/events",
  ]) {
    await page.goto(`${server.url}${path}?q=${word}`);
    await page.getByRole("main").getByText(word).and(page.locator(":not(option)")).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(375);
  }
  for (const path of [`/areas/${area.id}`, `/devices/${light.id}`]) {
    await page.goto(`${server.url}${path}`);
    await page.getByRole("heading", { name: "History" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(375);
  }
  await page.close();
});

test("a light's long name and that of its area leave each button of a phone within reach", async () => {
  const staff = await signedInAs(server, "admin");
  const [light] = await aPlace(staff, "Miller River Walk, north bank extension", [
    "Floodlight mast at the lower boat landing",
  ]);
  const phone = { width: 390, height: 844 };
  const { page } = await openScreen({ context, server }, `/devices/${light?.id}?turn-on=${light?.id}`, phone);
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("button", { name: "Turn on Floodlight mast at the lower boat landing" })
    .click({ trial: true });
  const boxes = await Promise.all((await dialog.getByRole("button").all()).map((button) => button.boundingBox()));
  for (const box of boxes) {
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.width);
  }
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });

  const refresh = await page.getByRole("button", { name: "Refresh" }).boundingBox();
  const place = page.getByRole("navigation", { name: "You are here" }).getByRole("link").last();
  const words = await place.evaluate((link) => [...link.getClientRects()].map(({ right }) => right));
  expect(Math.max(...words)).toBeLessThanOrEqual(refresh?.x ?? 0);
});

/** Phones on their side, one at twice the page's size, and a desktop's window at four times. */
const LOW = [
  { width: 844, height: 390 },
  { width: 568, height: 320 },
  { width: 195, height: 422 },
  { width: 320, height: 256 },
] as const;

test.each(LOW)("in a low window of $width x $height px dialogs and menus can be seen to their ends", async (low) => {
  const { page } = await openScreen({ context, server }, "/areas?new", low);
  const form = page.getByRole("dialog");
  for (const part of ["heading", "textbox", "button"] as const) expect(await cutOf(form.getByRole(part))).toEqual([]);
  // What lies below the window is scrolled to by nothing: a focused field would stand there in part.
  const { y = 0, height = 0 } = (await form.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(low.height);

  // Nor does the keyboard come to anything that is out of sight.
  await form.getByRole("button", { name: "Create Area" }).focus();
  const seen = () =>
    page.evaluate(() => {
      const { activeElement: focused } = document;
      const { top = -1, bottom = -1 } = focused?.getBoundingClientRect() ?? {};
      return [focused?.ariaLabel ?? focused?.textContent, top >= 0 && bottom <= innerHeight];
    });
  await page.keyboard.press("Tab");
  await expect.poll(seen).toEqual(["Close", true]);
  await page.keyboard.press("Shift+Tab");
  await expect.poll(seen).toEqual(["Create Area", true]);

  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await press(page, "User menu");
  expect(await cutOf(page.locator(":popover-open").locator("a, button"))).toEqual([]);
  await page.keyboard.press("Escape");
});

test("in a low window a question, and a field under words of three lines each, can be seen whole", async () => {
  const { page } = await openScreen({ context, server }, "/workorders?new", LOW[0]);
  for (const low of LOW) {
    await page.setViewportSize(low);
    expect(await cutOf(page.getByRole("dialog").getByRole("textbox", { name: "Title" }))).toEqual([]);
  }
  await openScreen({ context, server }, "/areas?delete=demo-area-viaduct", LOW[0]);
  const question = page.getByRole("alertdialog");
  await question.getByText(/^With it go /).waitFor();
  for (const low of LOW) {
    await page.setViewportSize(low);
    for (const part of ["heading", "button"] as const) expect(await cutOf(question.getByRole(part))).toEqual([]);
  }
});

/** Of a phone, and of a narrow one. */
const WIDTHS = [390, 320];

/** Those that the window cuts although it has been scrolled to them. */
async function cutOf(parts: Locator): Promise<string[]> {
  await parts.first().waitFor();
  const cut: string[] = [];
  for (const part of await parts.all()) {
    await part.scrollIntoViewIfNeeded();
    const seen = await part.evaluate(
      (node) =>
        new Promise<number>((done) =>
          new IntersectionObserver(([first]) => done(first?.intersectionRatio ?? 0)).observe(node),
        ),
    );
    if (seen < 0.99) cut.push(await part.evaluate((node) => node.textContent || node.tagName));
  }
  return cut;
}

test("none of the four buttons of a schedule stands alone on a line", async () => {
  const { page } = await openScreen({ context, server }, "/schedules", { width: 390, height: 844 });
  const four = page.getByRole("article").filter({ has: page.getByRole("button", { name: /^Skip a night/ }) });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    const tops = await four
      .first()
      .getByRole("button")
      .evaluateAll((all) => all.map((button) => Math.round(button.getBoundingClientRect().top)));
    expect(tops).toHaveLength(4);
    expect(tops[2], `${width} px`).toBe(tops[3]);
  }
});

test("the hours above a light's night stand apart", async () => {
  const light = "/devices/demo-light-viaduct-underpass";
  const { page } = await openScreen({ context, server }, light, { width: 390, height: 844 });
  const noon = page.getByRole("main").getByText("12 PM", { exact: true });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    const [first, next] = await noon.evaluate((node) => {
      const shown = [node, ...(node.parentElement?.querySelectorAll(":scope > span") ?? [])].filter((each) =>
        each.checkVisibility(),
      );
      const after = shown.find((each) => each.textContent === "4 PM");
      return [node, after].map((each) => each?.getBoundingClientRect().toJSON());
    });
    expect(first.left).toBeGreaterThanOrEqual(0);
    expect(next.left - first.right, `${width} px`).toBeGreaterThanOrEqual(2);
  }
});

test("toasts cover no bar at the bottom, and no field or button of a dialog", async () => {
  const { page } = await openScreen({ context, server }, "/settings", { width: 390, height: 700 });
  await press(page, "Save Settings");
  expect(await coveredBy(page, "Settings saved successfully")).toEqual([]);

  await page.goto(`${server.url}/devices`);
  await press(page, "Select");
  await page.getByRole("region", { name: "Selection" }).waitFor();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page
    .getByRole("button", { name: /^Turn off/ })
    .first()
    .click();
  expect(await coveredBy(page, /^Device turned off successfully|^Failed to turn off device/)).toEqual([]);

  await page.goto(`${server.url}/devices?new`);
  await page.getByRole("dialog").getByLabel("Notes").waitFor();
  await press(page, "Create Device");
  expect(await coveredBy(page, "Device name and area are required")).toEqual([]);
  await page.close();
});

test("on a phone a form shows why it was refused, also once the toast that said so is gone", async () => {
  const staff = await signedInAs(server, "admin");
  const [light] = await aPlace(staff, "Refusal Green", ["Refused lamp"]);
  if (!light) throw new Error("The place has no light");
  const { page } = await openScreen({ context, server }, `/devices?edit=${light.id}`, { width: 390, height: 844 });
  await page.getByRole("dialog").getByLabel("Name").fill("Renamed lamp");
  await staff.call("PUT", `/devices/${light.id}`, { name: "Refused lamp", area_id: light.area_id, model: "Newer" });
  const told = page.getByRole("dialog").getByText("This device was changed by someone else meanwhile.");
  const isSeen = () =>
    told.evaluate((node) => {
      const { left, top, bottom } = node.getBoundingClientRect();
      return [top + 1, bottom - 1].every((y) => node.contains(document.elementFromPoint(left + 1, y)));
    });
  for (const _ of ["once", "and once more"]) {
    await press(page, "Save changes");
    await told.waitFor();
    await expect.poll(isSeen).toBe(true);
    await page.getByRole("dialog").getByLabel("Name").scrollIntoViewIfNeeded();
    expect(await isSeen()).toBe(false);
  }
  await page.close();
});

/** What can be pressed or typed into under the toasts that are there, the phone's own top bar included. */
async function coveredBy(page: Page, toast: string | RegExp): Promise<string[]> {
  const shown = page.locator("[data-sonner-toast][data-mounted=true]").filter({ hasText: toast }).first();
  // Until it has come to rest.
  await shown.evaluate((node) => Promise.allSettled(node.getAnimations().map(({ finished }) => finished)));
  return page.evaluate(() => {
    const toasts = [...document.querySelectorAll("[data-sonner-toast]")].map((node) => node.getBoundingClientRect());
    const root = document.querySelector("[role=dialog]") ?? document;
    const controls = [...root.querySelectorAll("[data-bar] *, header:not(main *) *, [role=dialog] *")].filter((node) =>
      node.matches("input, select, textarea, button, a"),
    );
    return controls
      .filter((node) => {
        const box = node.getBoundingClientRect();
        const isSeen = box.width > 0 && getComputedStyle(node).visibility === "visible";
        return (
          isSeen &&
          toasts.some((t) => t.left < box.right && t.right > box.left && t.top < box.bottom && t.bottom > box.top)
        );
      })
      .map((node) => node.getAttribute("aria-label") ?? node.textContent ?? node.tagName);
  });
}

test.each([
  ["/dashboard", ".area"],
  ["/devices", ".device"],
])("on %s a card %s that is not laid out yet is as high as one that is, on a phone and a desk", async (path, card) => {
  const { page } = await openScreen({ context, server }, path, { width: 390, height: 844 });
  await page.addStyleTag({ content: `${card} { content-visibility: visible !important; }` });
  const cards = page.locator(card);
  // Those of a long name are higher; most are as the style sheet expects.
  const usual = () =>
    cards.evaluateAll((all) => {
      const heights = all.map((each) => each.getBoundingClientRect().height).toSorted((a, b) => a - b);
      return heights[Math.floor(heights.length / 2)] ?? 0;
    });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const reserved = await cards.first().evaluate((first) => getComputedStyle(first).containIntrinsicHeight);
    const kept = Number.parseFloat(reserved.replace("auto ", ""));
    await expect.poll(async () => spread([await usual(), kept]), { message: `${width} px` }).toBeLessThan(1.1);
  }
});

/** How many times the least the most is. */
function spread(heights: number[]): number {
  return Math.max(...heights) / Math.min(...heights);
}

test("on a phone no word of the bar or of a light's buttons is broken, or loses its icon", async () => {
  // One without schedules: ON is no press of its own where a schedule wants the same.
  const staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const [light] = await aPlace(staff, "Fern Green", ["Fern gate"]);
  const { page } = await openScreen({ context, server }, `/devices/${light?.id}`, { width: 390, height: 700 });
  const more = page.getByRole("group", { name: /^More for / });
  await page
    .getByRole("button", { name: /^Turn on|^ON/ })
    .first()
    .click();
  await more.getByRole("button", { name: "Back to the schedule" }).waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    for (const group of [page.getByRole("navigation", { name: "At night" }), more])
      expect(await group.locator("a, button").evaluateAll(broken), `${width} px`).toEqual([]);
  }
});

/** Runs in the page: of links and buttons, those with a word on two lines or outside, or a small icon. */
function broken(entries: Element[]): (string | null)[] {
  return entries
    .filter((entry) => {
      const text = [...entry.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const lines = text.flatMap((node) => {
        const range = document.createRange();
        range.selectNode(node);
        return [...range.getClientRects()];
      });
      const icon = entry.querySelector("svg")?.getBoundingClientRect().width ?? 0;
      const words = entry.textContent?.split(" ") ?? [];
      const { left, right } = entry.getBoundingClientRect();
      const isOut = lines.some((line) => line.left < left || line.right > right);
      return lines.length > words.length || icon < 14 || isOut;
    })
    .map((entry) => entry.textContent);
}
