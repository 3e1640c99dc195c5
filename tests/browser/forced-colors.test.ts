import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { colorsIn } from "#tests/support/colors-in";
import { aServer, type Server } from "#tests/support/server";
import { exec, visitAs, type Visit } from "#tests/support/visit";

/** Where the system replaces a page's colors by a few of its own, for who needs more contrast. */
let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("a switch can be seen there, and whether it is on", async () => {
  const { go, page } = await visit();
  await go("/guardrails");
  const toggle = page.getByRole("switch", { name: /^Watchdog/ });
  expect((await colorsIn(toggle)).length).toBeGreaterThan(1);
  const on = await toggle.screenshot();
  await toggle.uncheck();
  await page.mouse.move(0, 0);
  expect((await toggle.screenshot()).equals(on)).toBe(false);
});

test("where one is, and what is chosen, looks other than what is not", async () => {
  const { go, page } = await visit();
  await go("/devices");
  const sidebar = page.getByRole("navigation", { name: "Main" });
  expect(await marked(sidebar.getByRole("link"))).toEqual(["Devices"]);
  const views = page.getByRole("navigation", { name: "View" });
  expect(await marked(views.getByRole("link"))).toEqual(["Cards"]);
  const select = page.getByRole("button", { name: "Select", exact: true });
  expect(await marked(select)).toEqual([]);
  await select.click();
  await expect.poll(() => marked(select)).toEqual(["Select"]);
  await go("/alarms?tab=over");
  expect(await marked(page.locator("main nav").getByRole("link"))).toEqual([expect.stringMatching(/^Over/)]);
  await page.getByRole("button", { name: "User menu" }).click();
  expect(await marked(page.getByRole("group", { name: "Theme" }).getByRole("button"))).toEqual(["System"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await expect.poll(() => marked(page.getByRole("dialog").getByRole("option"))).toEqual(["Dashboard"]);
  await go("/departments?department=demo-dept-rivers");
  const departments = page.getByRole("article", { name: "Departments" });
  expect(await marked(departments.getByRole("link"))).toEqual(["Rivers and Paths"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await go("/tonight");
  const bar = page.getByRole("navigation", { name: "At night" });
  expect(await marked(bar.getByRole("link"))).toEqual(["Tonight"]);
});

test("a day that a booking repeats on looks other than one that it does not", async () => {
  const { go, page } = await visit();
  await go("/schedules?new");
  await page.getByLabel("Recurrence").selectOption("Weekly");
  const days = page.getByRole("group", { name: "On these days" });
  await days.getByRole("checkbox", { name: "Monday" }).check({ force: true });
  await days.getByRole("checkbox", { name: "Tuesday" }).uncheck({ force: true });
  const chosen = await days.locator("label:has(:checked)").allInnerTexts();
  expect(await marked(days.locator("label"))).toEqual(chosen);
});

test("the bars of a night are drawn, each kind in its look", async () => {
  const { go, page } = await visit();
  await go("/tonight");
  const swatches = page.locator("main [aria-hidden] .track");
  const looks = await Promise.all((await swatches.all()).map(async (swatch) => String(await swatch.screenshot())));
  expect(looks.length).toBe(9);
  expect(new Set(looks).size).toBe(looks.length);
  expect((await colorsIn(page.locator(".lane").first().locator(".."))).length).toBeGreaterThan(1);
  await go("/schedules?view=week");
  const blocks = page.locator("main [aria-hidden] .week-block");
  const kinds = await Promise.all((await blocks.all()).map(async (block) => String(await block.screenshot())));
  expect(new Set(kinds).size).toBe(kinds.length);
});

test("a lamp that is drawn as a dot tells whether it is lit", async () => {
  // Lights of its own, without a booking: the engine verifies those that it has just lit, and tells their states anew.
  await exec(
    server,
    `INSERT INTO devices (id, org_id, area_id, name, current_state) SELECT 'lit', org_id, id, 'Lit lamp', 'on' FROM areas WHERE id = 'demo-area-alder'
     INSERT INTO devices (id, org_id, area_id, name, current_state) SELECT 'dark', org_id, id, 'Dark lamp', 'off' FROM areas WHERE id = 'demo-area-alder'`,
  );
  const { go, page } = await visit();
  await page.setViewportSize({ width: 390, height: 844 });
  const dot = async (name: string) => {
    await go(`/devices?view=list&q=${name}`);
    const light = page.getByRole("rowheader", { name });
    return (await colorsIn(light, (cell) => ({ ...cell, width: 12 }))).map(String).toSorted();
  };
  expect(await dot("Lit lamp")).not.toEqual(await dot("Dark lamp"));
});

test("the map is drawn, by the system's choice of light or dark, whatever theme was chosen here", async () => {
  const { go, page } = await visit();
  const ground = async () => {
    await go("/areas?view=map");
    await page.locator("[data-drawn]").waitFor();
    const map = page.locator("canvas.maplibregl-canvas");
    const [color = []] = await colorsIn(map, ({ x, y }) => ({ x: x + 12, y: y + 12, width: 4, height: 4 }));
    return color;
  };
  // The light scheme's --canvas.
  await expect.poll(ground).toEqual([0xf4, 0xf6, 0xf9]);
  await page.context().addCookies([{ name: "theme", value: "dark", url: server.url }]);
  await expect.poll(ground).toEqual([0xf4, 0xf6, 0xf9]);
});

async function visit(): Promise<Visit> {
  const admin = await visitAs(browser, server, "admin");
  await admin.page.emulateMedia({ forcedColors: "active", colorScheme: "light" });
  await admin.page.setViewportSize({ width: 1280, height: 900 });
  return admin;
}

/** The words of those that have a ground of their own. */
async function marked(all: Locator): Promise<(string | undefined)[]> {
  await all.first().waitFor();
  return all.evaluateAll((each) => {
    const ground = getComputedStyle(document.body).backgroundColor;
    return each
      .filter(
        (one) => ![ground, ground.replace(/rgb(.*)\)/, "rgba$1, 0)")].includes(getComputedStyle(one).backgroundColor),
      )
      .map((one) => (one instanceof HTMLElement ? one.innerText.split("\n")[0]?.trim() : undefined));
  });
}
