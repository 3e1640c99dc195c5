import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs, withoutNight } from "#tests/support/staff";
import { htmlOf, type Visit, visitAs } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await withoutNight(await signedInAs(server, "admin")); // a curfew in force makes the ON buttons longer
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test.each([
  ["/devices", /<li class="device">.*?<\/li>/gs, 2_000],
  ["/dashboard", /<li class="area">.*?<\/li>/gs, 1_250],
])("a card of %s is small: icons and looks are named, not spelled out", async (path, card, most) => {
  const html = await htmlOf(admin.page, server, path);
  const sizes = [...html.matchAll(card)].map(([text]) => text.length);
  expect(sizes.length).toBeGreaterThan(5);
  expect(Math.max(...sizes)).toBeLessThan(most);
});

test("a policy's row is small, since a city may have hundreds", async () => {
  await server.batch([
    [
      `INSERT INTO policies (org_id, scope, scope_id, HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN)
       SELECT org_id, 'area', id, '22:00', '22:30-06:00', 180 FROM areas WHERE org_id = 'demo-parks'`,
    ],
  ]);
  const html = await htmlOf(admin.page, server, "/guardrails");
  await server.batch([["DELETE FROM policies"]]);
  const table = html.match(/<table aria-label="Policies".*?<\/table>/s)?.[0] ?? "";
  const sizes = [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([text]) => text.length);
  expect(sizes.length).toBeGreaterThan(5);
  expect(Math.max(...sizes)).toBeLessThan(650);
});

test("a row of the compact list is smaller than a card", async () => {
  const html = await htmlOf(admin.page, server, "/devices?view=list");
  const sizes = [...html.matchAll(/<tr data-state.*?<\/tr>/gs)].map(([text]) => text.length);
  expect(sizes.length).toBeGreaterThan(5);
  expect(Math.max(...sizes)).toBeLessThan(1_750);
});

test("beside its cards a list's page is small, however many areas it can be narrowed to", async () => {
  const html = await htmlOf(admin.page, server, "/devices");
  const frame = html.replaceAll(/<li class="device">.*?<\/li>/gs, "").replaceAll(/<script.*?<\/script>/gs, "");
  expect(frame.length).toBeLessThan(32_000);
  expect(frame).not.toContain("Alder Field</option>");
});

test("a full page of lights is at most 150 kB, however long their notes are and however many areas there are", async () => {
  await server.batch([
    [
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO areas (id, org_id, name) SELECT 'noted-' || i, 'demo-parks', 'Square number ' || i FROM n`,
    ],
    [
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
       INSERT INTO devices (id, org_id, area_id, name, notes)
       SELECT 'noted-' || i, org_id, id, 'Noted light ' || i, printf('%.2000c', 'x') FROM n, (SELECT id, org_id FROM areas
         WHERE org_id = 'demo-parks' LIMIT 1)`,
    ],
  ]);
  const html = await htmlOf(admin.page, server, "/devices?q=Noted");
  expect(html.match(/<li class="device">/g)).toHaveLength(60);
  expect(html.length).toBeLessThan(150_000);
  await server.batch([["DELETE FROM devices WHERE id LIKE 'noted-%'"], ["DELETE FROM areas WHERE id LIKE 'noted-%'"]]);
});

test("what can be tested in a city of 1,000 areas and hubs is named, and nothing else is told of it", async () => {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)";
  await server.batch([
    [`${numbers} INSERT INTO areas (id, org_id, name) SELECT 'tested-' || i, 'demo-parks', 'Square ' || i FROM n`],
    [
      `${numbers} INSERT INTO hubs (id, org_id, area_id, name, notes) SELECT 'tested-' || i, 'demo-parks', 'tested-' || i,
         'Hub ' || i, printf('%.500c', 'x') FROM n`,
    ],
    [
      `${numbers} INSERT INTO devices (id, org_id, area_id, hub_id, name) SELECT 'tested-' || i, 'demo-parks', 'tested-' || i,
         'tested-' || i, 'Square light ' || i FROM n`,
    ],
  ]);
  const html = await htmlOf(admin.page, server, "/connectivity");
  expect(html).toContain("Hub 999 (Not set)");
  expect(html).toContain("Square 999");
  expect(html.length).toBeLessThan(300_000);
  await server.batch(["devices", "hubs", "areas"].map((table) => [`DELETE FROM ${table} WHERE id LIKE 'tested-%'`]));
});

test("a large city's dashboard comes in pages, and its summary counts all of it", async () => {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)";
  const [before] = await server.query("SELECT count(*) AS n FROM areas WHERE org_id = 'demo-parks'");
  await server.batch([
    [`${numbers} INSERT INTO areas (id, org_id, name) SELECT 'many-' || i, 'demo-parks', 'Zone ' || i FROM n`],
    [
      `${numbers} INSERT INTO devices (id, org_id, area_id, name, current_state) SELECT 'many-' || i, 'demo-parks', 'many-' || i, 'Zone light ' || i, 'on' FROM n`,
    ],
  ]);
  const all = Number(before?.["n"]) + 120;
  await admin.go("/dashboard");
  const cards = admin.page.getByRole("list", { name: "Areas" }).getByRole("listitem");
  await admin.sees("Total Areas");
  expect(await cards.count()).toBe(60);
  await admin.sees(String(all));
  await admin.page.getByRole("link", { name: "Next", exact: true }).click();
  await admin.sees(`Page 2 of ${Math.ceil(all / 60)} (${all})`);
  await admin.sees(String(all));
});

test("a past night of 200 lights is small as a chart and as a list, though every light has bars and readings", async () => {
  const night = Date.now() - 2 * 86_400_000;
  const date = new Date(night).toISOString().slice(0, 10);
  const at = (hours: number) => new Date(Date.parse(`${date}T12:00:00Z`) + hours * 3_600_000).toISOString();
  const lights = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)";
  const change = (kind: string, hours: number, state: string, reason: string | null): [string] => [
    `${lights} INSERT INTO state_changes (org_id, device_id, kind, at, state, reason, sentence, schedule_ids)
     SELECT 'demo-parks', 'night-' || i, '${kind}', '${at(hours)}', '${state}', ${reason && `'${reason}'`},
       ${reason && `'Evening lights of the park'`}, ${reason && `'[]'`} FROM n`,
  ];
  await server.batch([
    [
      `${lights} INSERT INTO areas (id, org_id, name) SELECT 'night-' || i, 'demo-parks', '0 Zone ' || i FROM n WHERE i <= 20`,
    ],
    [
      `${lights} INSERT INTO devices (id, org_id, area_id, name) SELECT 'night-' || i, 'demo-parks', 'night-' || ((i - 1) / 10 + 1), 'Night light ' || i FROM n`,
    ],
    change("desired", 10, "on", "claim"),
    change("reported", 10.01, "on", null),
    change("desired", 12, "on", "hold_on"),
    change("desired", 14, "off", "idle"),
    change("reported", 14.01, "off", null),
    change("desired", 16, "on", "manual_on"),
    change("reported", 16.01, "on", null),
    change("desired", 17, "off", "idle"),
    change("reported", 17.01, "off", null),
  ]);
  const sizeOf = async (path: string) => (await htmlOf(admin.page, server, path)).length;
  const [chart, list] = [await sizeOf(`/tonight?date=${date}`), await sizeOf(`/tonight?date=${date}&view=list`)];
  expect(chart).toBeGreaterThan(100_000);
  expect(Math.max(chart, list)).toBeLessThan(600_000);
});

test("an area with more lights than a night shows says so", async () => {
  const lights = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 203)";
  await server.batch([
    ["INSERT INTO areas (id, org_id, name) VALUES ('large', 'demo-parks', '0 Large')"],
    [
      `${lights} INSERT INTO devices (id, org_id, area_id, name) SELECT 'large-' || i, 'demo-parks', 'large', 'Large ' || i FROM n`,
    ],
  ]);
  await admin.go("/tonight?open=large&view=list");
  const rest = admin.page.getByText("more lights are on");
  expect(await rest.innerText()).toBe("3 more lights are on the list of all lights.");
});
