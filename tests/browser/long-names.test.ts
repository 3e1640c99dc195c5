import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { visitAs, type Visit } from "#tests/support/visit";

/** As long as names may be, and alike but for their ends. */
const alike = (what: string, end: string, length = 120) =>
  `${`${what} of the Riverside Recreation Complex, floodlights of the northern fields, `.repeat(3).slice(0, length - end.length - 1)} ${end}`;
const LIGHTS = ["east", "west"].map((end) => alike("Light", end));
const HUB = alike("Hub", "north");
const AREA = alike("Area", "end");
const TITLE = alike("Practice", "juniors", 200);
const LONG = "The key is with the keeper of the gate. ".repeat(12).trim();
const MODEL = alike("Model", "last");
const ARABIC = "حديقة الملك عبد العزيز الكبرى للألعاب الرياضية والترفيه العائلي في المدينة القديمة";
const RIVER = "النهر";
const EXACTLY_RIVER = new RegExp(`^${RIVER}$`);

let server: Server;
let browser: Browser;
let employee: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  const groups = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)";
  const org = "'demo-parks'";
  await server.batch(
    [
      `INSERT INTO areas (id, org_id, name) VALUES ('odd', ${org}, '${AREA}'), ('arabic', ${org}, '${ARABIC}')`,
      `INSERT INTO hubs (id, org_id, area_id, name, notes) VALUES ('odd', ${org}, 'odd', '${HUB}', '${LONG}')`,
      ...LIGHTS.map(
        (name, n) =>
          `INSERT INTO devices (id, org_id, area_id, hub_id, name, model) VALUES ('odd-${n}', ${org}, 'odd', 'odd', '${name}', '${MODEL}')`,
      ),
      `INSERT INTO devices (id, org_id, area_id, name) VALUES ('arabic', ${org}, 'arabic', 'Fountain')`,
      `INSERT INTO workorders (id, org_id, title, area_id) VALUES ('arabic', ${org}, 'Clean the basin', 'arabic')`,
      `INSERT INTO areas (id, org_id, name) VALUES ('river', ${org}, '${RIVER}')`,
      `INSERT INTO devices (id, org_id, area_id, name) VALUES ('river', ${org}, 'river', '${RIVER}')`,
      `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, rrule, timezone)
         VALUES ('river', ${org}, 'river', '${RIVER}', '2026-01-02T02:00:00.000Z', '2026-01-02T03:00:00.000Z', 'FREQ=DAILY', 'America/Los_Angeles')`,
      ...LIGHTS.flatMap((name, n) => [
        `INSERT INTO device_events (id, org_id, device_id, device_name, area_name, action, result, response_snippet) VALUES ('odd-${n}', ${org}, 'odd-${n}', '${name}', '${AREA}', 'on', 'failure', '${LONG.slice(0, 200)}')`,
        `INSERT INTO scheduler_events (id, org_id, ts, device_id, device_name, source, action, result, attempts) VALUES ('odd-${n}', ${org}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'odd-${n}', '${name}', 'manual', 'on', 'fail', 1)`,
      ]),
      `INSERT INTO schedules (id, org_id, area_id, title, description_short, start_at, end_at, last_end_at, timezone)
         VALUES ('odd', ${org}, 'odd', '${TITLE}', '${LONG}', '2035-01-01T02:00:00.000Z', '2035-01-01T03:00:00.000Z', '2035-01-01T03:00:00.000Z', 'UTC')`,
      `${groups} INSERT INTO device_groups (id, org_id, area_id, name) SELECT 'odd-' || i, ${org}, 'odd', printf('Group of the fields %03d', i) FROM n`,
      `${groups} INSERT INTO group_devices (org_id, group_id, device_id) SELECT ${org}, 'odd-' || i, 'odd-0' FROM n`,
    ].map((statement) => [statement]),
  );
  employee = await visitAs(browser, server, "employee");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

/** Whether all of it is seen: of what holds a text, and of all around it. */
function isWhole(text: Locator): Promise<boolean> {
  return text.evaluate((inner) => {
    const range = document.createRange();
    range.selectNodeContents(inner);
    const { left, right, bottom } = range.getBoundingClientRect();
    for (let node: Element | null = inner; node; node = node.parentElement) {
      const box = node.getBoundingClientRect();
      const cuts = getComputedStyle(node).overflowX !== "visible";
      if (cuts && (left < box.left - 1 || right > box.right + 1 || bottom > box.bottom + 1)) return false;
    }
    return true;
  });
}

const text = (words: string) => employee.page.getByRole("main").getByText(words, { exact: true });

test.each([
  ["/history?q=floodlights", 390],
  ["/events?q=floodlights", 390],
  ["/areas/odd", 1280],
])("on %s two lights whose names begin alike can be told apart, %i px wide", async (path, width) => {
  await employee.page.setViewportSize({ width, height: 844 });
  await employee.go(path);
  for (const name of LIGHTS) {
    const all = text(name).filter({ visible: true });
    await all.first().waitFor();
    for (const each of await all.all()) expect(await isWhole(each)).toBe(true);
  }
});

test("the answer of the hardware is there to be read in History", async () => {
  await employee.page.setViewportSize({ width: 390, height: 844 });
  await employee.go("/history?q=floodlights");
  const answer = text(LONG.slice(0, 200)).first();
  await answer.waitFor();
  expect(await isWhole(answer)).toBe(true);
});

test.each([
  ["/hubs?q=floodlights", HUB],
  ["/schedules?q=floodlights", TITLE],
])("on %s who may not edit reads the name, and at a press all that is noted", async (path, name) => {
  await employee.page.setViewportSize({ width: 1280, height: 844 });
  await employee.go(path);
  const heading = employee.page.getByRole("heading", { name });
  await heading.waitFor();
  expect(await isWhole(heading)).toBe(true);
  const notes = text(LONG);
  expect(await isWhole(notes)).toBe(false);
  await notes.click();
  await expect.poll(() => isWhole(notes)).toBe(true);
});

test("a light's page tells all of its details and its groups", async () => {
  await employee.go("/devices/odd-0");
  const details = employee.page.getByRole("article", { name: "Details" });
  for (const fact of [details.getByText(MODEL), details.getByText("Group of the fields 120", { exact: false })]) {
    await fact.waitFor();
    expect(await isWhole(fact)).toBe(true);
  }
});

test.each([
  ["/devices?q=fountain", "p"],
  ["/workorders?q=basin", "dd"],
])("on %s a name from right to left that is cut still has its beginning", async (path, holder) => {
  await employee.page.setViewportSize({ width: 1280, height: 844 });
  await employee.go(path);
  const name = employee.page.locator(holder).filter({ hasText: ARABIC }).first();
  await name.waitFor();
  const begins = await name.evaluate((node) => {
    const letters = document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode() ?? node;
    const range = document.createRange();
    range.setStart(letters, 0);
    range.setEnd(letters, 5);
    return range.getBoundingClientRect().right <= node.getBoundingClientRect().right + 1;
  });
  expect(begins).toBe(true);
});

test.each([
  ["/tonight", 390, "summary span"],
  ["/schedules?view=week&area=river", 1280, "[data-block] b"],
])("on %s the numbers after a name from right to left stay after it, %i px wide", async (path, width, holder) => {
  await employee.page.setViewportSize({ width, height: 844 });
  await employee.go(path);
  const name = employee.page.locator(holder).filter({ hasText: EXACTLY_RIVER }).first();
  await name.waitFor();
  expect(await name.evaluate(isBeforeItsNumber)).toBe(true);
});

test.each([1280, 390])(
  "%i px wide, above the week of an area with many groups are a few rows of them",
  async (width) => {
    await employee.page.setViewportSize({ width, height: 844 });
    await employee.go("/schedules?view=week&area=odd&group=odd-100");
    const groups = employee.page.getByRole("navigation", { name: "Groups" });
    await groups.waitFor();
    expect((await groups.boundingBox())?.height).toBeLessThan(200);
    const chosen = groups.getByRole("link", { name: /^Group of the fields 100/ });
    await expect.poll(() => isInside(chosen, groups)).toBe(true);
  },
);

/** Runs in the page: whether the next digit after a name is seen right of it. */
function isBeforeItsNumber(name: Element): boolean {
  const after = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  after.currentNode = name.lastChild ?? name;
  for (let next = after.nextNode(); next; next = after.nextNode()) {
    const at = next.textContent?.search(/\d/) ?? -1;
    if (at < 0) continue;
    const digit = document.createRange();
    digit.setStart(next, at);
    digit.setEnd(next, at + 1);
    const words = document.createRange();
    words.selectNodeContents(name);
    return digit.getBoundingClientRect().left >= words.getBoundingClientRect().right;
  }
  return false;
}

async function isInside(inner: Locator, outer: Locator): Promise<boolean> {
  const [small, large] = [await inner.boundingBox(), await outer.boundingBox()];
  if (!small || !large) return false;
  return small.y >= large.y && small.y + small.height <= large.y + large.height;
}
