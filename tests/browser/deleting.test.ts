import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs } from "#tests/support/staff";
import { visitAs, type Visit } from "#tests/support/visit";

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

const OPEN = "status = 'scheduled' AND (last_end_at IS NULL OR last_end_at > strftime('%FT%TZ', 'now'))";

/** The first of the table that has most of what is counted, and the counts. */
async function richest(query: string): Promise<{ id: string; counts: number[] }> {
  const [{ id, ...counts } = {}] = await server.query(`${query} ORDER BY 2 DESC LIMIT 1`);
  return { id: String(id), counts: Object.values(counts).map(Number) };
}

const numbersIn = (sentence: string) => [...sentence.matchAll(/\d+/g)].map(Number);

test.each([
  [
    "/areas",
    `SELECT id, (SELECT count(*) FROM hubs WHERE area_id = areas.id), (SELECT count(*) FROM devices WHERE area_id = areas.id),
      (SELECT count(*) FROM schedules JOIN devices d ON d.id = device_id WHERE d.area_id = areas.id AND ${OPEN}) FROM areas WHERE org_id = 'demo-parks'`,
    /^With it go \d+ hubs?, \d+ lights?, and \d+ schedules? still to come\.(?: \d+ lights? (?:is|are) on now, and goe?s? off\.)?$/,
  ],
  [
    "/hubs",
    "SELECT id, (SELECT count(*) FROM devices WHERE hub_id = hubs.id) FROM hubs WHERE org_id = 'demo-parks'",
    /^\d+ lights? stays?, without a hub\.$/,
  ],
  [
    "/devices",
    `SELECT id, (SELECT count(*) FROM schedules WHERE device_id = devices.id AND ${OPEN}) FROM devices WHERE org_id = 'demo-parks'`,
    /^With it goe?s? \d+ schedules? still to come\.(?: It is on now, and goes off\.)?$/,
  ],
  [
    "/departments",
    `SELECT id, (SELECT count(*) FROM dept_memberships WHERE dept_id = departments.id),
      (SELECT count(*) FROM devices WHERE dept_id = departments.id),
      (SELECT count(*) FROM workorders WHERE dept_id = departments.id) FROM departments WHERE org_id = 'demo-parks'`,
    /^In it: \d+ members?, \d+ lights?, and \d+ workorders?\.$/,
  ],
])("what is deleted on %s is told with how much goes with it", async (path, query, sentence) => {
  const { id, counts } = await richest(query);
  const page = path === "/areas" || path === "/devices" ? `${path}/${id}` : path;
  await admin.go(`${page}?delete=${id}`);
  const told = admin.page.getByRole("alertdialog").getByText(sentence);
  await told.waitFor();
  // How many lights are on changes by the hour, and is held by the service's test.
  expect(numbersIn(await told.innerText()).slice(0, counts.length)).toEqual(counts);
});

test("where that cannot be counted the question is asked all the same", async () => {
  await admin.page.route("**/dependents?*", (route) => route.abort());
  await admin.go("/hubs");
  await admin.page
    .getByRole("button", { name: /^Delete / })
    .first()
    .click();
  await admin.sees(/^Are you sure .* Associated devices will be affected\.$/);
  await expect.poll(() => admin.page.getByText("Counting what goes with it...").count()).toBe(0);
  expect(await admin.page.getByRole("button", { name: "Delete", exact: true }).isEnabled()).toBe(true);
});

test("after a deletion the next entry has the focus, and not another one of the same name", async () => {
  const [{ area_id } = { area_id: "" }] = await aPlace(await signedInAs(server, "admin"), "Twin Park", [
    "Twin",
    "Twin",
    "Uncle",
  ]);
  const { page, go, press } = admin;
  await go(`/devices?area=${area_id}`);
  await page.getByRole("button", { name: "Delete Twin" }).nth(1).press("Enter");
  await press("Delete");
  await expect.poll(() => page.getByRole("article", { name: "Twin" }).count()).toBe(1);
  const entry = () => page.evaluate(() => document.activeElement?.closest("article")?.ariaLabel);
  await expect.poll(entry).toBe("Uncle");
});
