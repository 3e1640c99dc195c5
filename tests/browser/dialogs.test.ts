import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersInBoth, OPEN } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { anAdmin, openScreen, press } from "#tests/support/screens";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight } from "#tests/support/staff";
import { arrived, placeOf } from "#tests/support/visit";

/** A dialog is opened by a button, or comes up on a way of several presses. */
type Opened = string | RegExp | [what: string, way: (page: Page) => Promise<void>];

/**
 * What opens the dialogs of a screen, one after the other on one page of it. The long lists are narrowed, because what is
 * behind a dialog costs the check more time than the dialog; they have a check of their own.
 */
const DIALOGS: [path: string, search: string, ...opened: Opened[]][] = [
  [
    "/dashboard",
    "",
    "Search",
    [
      "the quick search, with results",
      async (page) => {
        await press(page, "Search");
        await page.getByRole("combobox", { name: /^Search areas/ }).fill("park");
        await page
          .getByRole("option", { name: /Linden Park/ })
          .first()
          .waitFor();
      },
    ],
    [
      "changing one's password, refused",
      async (page) => {
        await page.getByRole("button", { name: "User menu" }).click();
        await press(page, "Change password");
        await page.getByRole("dialog").waitFor();
        await press(page, "Change password");
        await page.getByRole("dialog").getByText("Current password is required").waitFor();
      },
    ],
  ],
  ["/areas", "", "New Area", /^Edit /, /^Delete /],
  ["/hubs", "", "New Hub", /^Edit /, /^Delete /],
  ["/devices", "?q=underpass", "New Device", /^Edit /, /^Delete /],
  [
    "/schedules",
    "?q=football",
    "New Schedule",
    /^Edit /,
    /^Cancel /,
    [
      "the question before many schedules are canceled",
      async (page) => {
        await press(page, "Select");
        await page
          .getByRole("checkbox", { name: /^Select / })
          .first()
          .check();
        await press(page, "Cancel schedules");
      },
    ],
  ],
  ["/workorders", "", "New Workorder", /^Edit /, /^Delete /],
  ["/departments?department=demo-dept-sports", "", "New Department", /^Edit /, /^Delete /, "Add Member", /^Remove /],
  [
    "/departments?tab=people",
    "",
    "Invite Person",
    /^Edit /,
    /^New code for /,
    /^Remove /,
    [
      "a one-time code",
      async (page) => {
        await press(page, "New code for auditor@parks.example");
        await press(page, "Make a new code");
        await page.getByText(/It is shown only now/).waitFor();
      },
    ],
  ],
];

let server: Server;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  context = await anAdmin(browser, server);
  await aBookedLamp();
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test.each(DIALOGS)(
  "the dialogs of %s can be used without eyes, in light and dark",
  async (path, search, ...dialogs) => {
    const { page } = await openScreen({ context, server }, path + search, { width: 1280, height: 900 });
    for (const opened of dialogs) {
      if (Array.isArray(opened)) await opened[1](page);
      else await page.getByRole("button", { name: opened, exact: true }).first().click();
      await page.locator(OPEN).waitFor();
      expect(await barriersInBoth(page, OPEN), Array.isArray(opened) ? opened[0] : String(opened)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.locator(OPEN).waitFor({ state: "detached" });
    }
  },
);

test("the question before a light in use is tested, and a test's result, can be met without eyes, in light and dark", async () => {
  const { page } = await openScreen({ context, server }, "/connectivity", { width: 1280, height: 900 });
  await page.getByLabel("Device", { exact: true }).selectOption({ label: "Booked lamp (Booked Park)" });
  await press(page, "Test OFF");
  await page.getByText("Test a light that is in use?").waitFor();
  expect(await barriersInBoth(page, OPEN)).toEqual([]);
  await press(page, "Run the test");
  await page.getByRole("main").getByText("Device Booked lamp turned off successfully").waitFor();
  expect(await barriersInBoth(page, "main")).toEqual([]);
});

test.each([
  ["/schedules", "New Schedule", "Create Schedule"],
  ["/areas", "New Area", "Create Area"],
  ["/areas", "Delete Alder Field", "Delete Area"],
  ["/dashboard", "Search", "Search"],
])("on %s, who presses '%s' on a slow line sees that it is on its way", async (path, button, title) => {
  const { page } = await openScreen({ context, server }, path, { width: 1280, height: 900 });
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((done) => (letGo = done));
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.fallback();
  });
  await press(page, button);
  await page
    .getByRole("status")
    .filter({ hasText: /^Loading\.\.\.$/ })
    .waitFor();
  letGo();
  await page
    .locator(OPEN)
    .and(page.getByRole(button.startsWith("Delete") ? "alertdialog" : "dialog", { name: title }))
    .waitFor();
  await expect
    .poll(() =>
      page
        .getByRole("status")
        .filter({ hasText: /^Loading\.\.\.$/ })
        .count(),
    )
    .toBe(0);
  await page.unroute("**/assets/*.js");
});

test("a toast over a form is no way out of it", async () => {
  const { page } = await openScreen({ context, server }, "/areas?new=", { width: 390, height: 844 });
  const form = page.getByRole("dialog", { name: "Create Area" });
  await form.getByLabel("Name").fill("Quay steps");
  await page.route("**/areas.data*", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await press(page, "Create Area");
  const toast = await placeOf(page.getByRole("listitem").filter({ hasText: "Failed to save area" }));
  await page.mouse.click(toast.x + 40, toast.y + 20);
  await press(page, "Create Area");
  await page.unroute("**/areas.data*");
  expect(await form.getByLabel("Name").inputValue()).toBe("Quay steps");
});

test.each([
  ["/devices", "New Device", "Create Device"],
  ["/workorders", /^Delete /, "Delete Workorder"],
])(
  "on %s, what %s opens is seen also where a release has taken the code of dialogs away",
  async (path, button, title) => {
    const { page } = await openScreen({ context, server }, path, { width: 1280, height: 900 });
    await arrived({ page }, "wayfinding");
    await page.route("**/assets/{modal,alert-modal}-*.js", (route) => route.fulfill({ status: 404 }));
    const opener = page.getByRole("button", { name: button }).first();
    await opener.click();
    const shown = page.getByRole("region", { name: title });
    await shown.getByRole("button", { name: "Cancel" }).waitFor();
    expect(await shown.evaluate(coversTheWindow)).toBe(true);
    expect(await shown.evaluate((region) => region.contains(document.activeElement))).toBe(true);
    await shown.getByRole("button", { name: "Cancel" }).click();
    await shown.waitFor({ state: "detached" });
    await expect.poll(() => opener.evaluate((pressed) => pressed === document.activeElement)).toBe(true);
    await page.unroute("**/assets/{modal,alert-modal}-*.js");
  },
);

test.each([
  ["/closures", "New Closure", "Create Closure"],
  ["/permits", "New Permit", "Create Permit"],
  ["/guardrails", "New Policy", "Create Policy"],
])(
  "on %s, '%s' opens its form once the line is back, though its code did not come before",
  async (path, button, title) => {
    const { page } = await openScreen({ context, server }, path, { width: 1280, height: 900 });
    await page.route("**/assets/*-dialog-*.js", (route) => route.abort());
    await press(page, button);
    await page.getByText("A part of this page could not be loaded. Load the page again.").waitFor();
    await page.unroute("**/assets/*-dialog-*.js");
    await press(page, button);
    await expect.poll(() => page.getByRole("dialog", { name: title }).isVisible()).toBe(true);
  },
);

/** Runs in the page. */
function coversTheWindow(region: Element): boolean {
  const places = [0.01, 0.5, 0.99].flatMap((x) =>
    [0.01, 0.5, 0.99].map((y) => [innerWidth * x, innerHeight * y] as const),
  );
  return places.every(([x, y]) => region.contains(document.elementFromPoint(x, y)));
}

/** Whoever tests a light that a schedule holds is asked first. */
async function aBookedLamp() {
  const staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const [lamp] = await aPlace(staff, "Booked Park", ["Booked lamp"]);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const window = { start_at: at(-1), end_at: at(2), timezone: "America/Los_Angeles" };
  await staff.call("POST", "/schedules", { title: "Choir", area_id: lamp?.area_id, device_id: lamp?.id, ...window });
}
