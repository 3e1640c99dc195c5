import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { setFaults } from "#tests/support/faults";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, deviceNamed, signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { exec, hide, keepFailure, meanwhile, tryAgain, type Visit, visitAs, without } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let api: Staff;
let admin: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  api = await signedInAs(server, "admin");
  await withoutNight(api);
  await api.call("POST", "/admin/settings/guardrails", { RETRY_BACKOFFS_SEC: [1] });
  await setFaults(server, { "lamp:dead": [{ kind: "offline" }] });
  await aPlace(api, "Medlar Court", ["Medlar gate"]);
  const { area_id } = await deviceNamed(api, "Medlar gate");
  await api.call("POST", "/devices", { name: "Medlar pond", area_id, cloud_device_id: "dead" });
  await database("DELETE FROM scheduler_events");
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("without any event there is a word for it", async () => {
  await meanwhile(
    server,
    `ALTER TABLE scheduler_events RENAME TO events_away
     CREATE VIEW scheduler_events AS SELECT * FROM events_away WHERE 0`,
    async () => {
      await admin.go("/events");
      await admin.sees("No events found");
      await admin.sees("Showing 0 events (limit: 100)");
    },
    `DROP VIEW scheduler_events
     ALTER TABLE events_away RENAME TO scheduler_events`,
  );
});

test("what people, the scheduler and the watchdog switched is told, with each try, after Refresh", async () => {
  await hide(admin);
  await api.call("POST", `/devices/${(await deviceNamed(api, "Medlar gate")).id}/toggle`, { action: "on" });
  await book("Medlar pond");
  await expect.poll(() => outcomes("Medlar gate")).toEqual(["ok"]);
  await expect.poll(() => outcomes("Medlar pond"), { timeout: 30_000 }).toEqual(["fail", "retry"]);
  await database(`${INSERT} VALUES ('w', 'demo-parks', '${LONG_AGO}T20:30:00.000Z', NULL, 'watchdog', 'off', 'ok', 1)`);
  await admin.press("Refresh");
  await admin.sees("Unknown Device");
  expect(await admin.page.getByRole("columnheader").allInnerTexts()).toEqual([
    "Time",
    "Device",
    "Source",
    "Action",
    "Result",
    "Attempts",
    "Note",
  ]);
  await admin.sees("2x");
  const shown = await rows();
  await admin.sees(`Showing ${shown.length} events (limit: 100)`);
  const ours = shown
    .filter((row) => /Medlar|Unknown/.test(row))
    .map((row) => row.replace(/^\w+ \d+, \d+:\d\d [AP]M \| /, ""));
  expect(ours.toSorted()).toEqual([
    expect.stringMatching(/^Medlar gate \| manual \| ON \| ok \| 1 \| Pressed by admin@parks\.example$/),
    expect.stringMatching(
      /^Medlar pond \| scheduler \| ON \| fail \| 2x \| On until .*: Night market · .*not reachable$/,
    ),
    expect.stringMatching(
      /^Medlar pond \| scheduler \| ON \| retry \| 1 \| On until .*: Night market · .*not reachable$/,
    ),
    "Unknown Device | watchdog | OFF | ok | 1 |",
  ]);
  const day = new Date(`${LONG_AGO}T20:30:00Z`).toLocaleDateString("en-US", {
    ...SHORT,
    timeZone: "America/Los_Angeles",
  });
  expect(shown.at(-1)).toMatch(new RegExp(`^${day}, 1[23]?:30 PM \\| Unknown Device`));
});

test("what fails is told; what was shown stays, and the rest can be tried again", async () => {
  await without(server, "scheduler_events", async () => {
    await admin.press("Refresh");
    await admin.sees("Failed to load events");
    await admin.sees("Medlar gate");
    await admin.go("/events");
    await admin.sees("Failed to load events", admin.page.getByRole("alert"));
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await admin.sees("Medlar gate");
});

test("everybody sees the log, of the lights that they see", async () => {
  await database("UPDATE scheduler_events SET dept_id = 'demo-dept-rivers' WHERE device_name = 'Medlar pond'");
  for (const [name, count] of [
    ["manager", 2], // who belongs to that department
    ["employee", 0],
  ] as const) {
    const visit = await visitAs(browser, server, name);
    await visit.go("/events");
    await visit.sees("Medlar gate");
    expect(await visit.page.getByText("Medlar pond").count()).toBe(count);
    await visit.page.close();
  }
});

test("the latest hundred are shown", async () => {
  const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)";
  const row = "'n' || i, 'demo-parks', '2099-01-01T20:30:00.000Z', 'Medlar lawn', 'manual', 'on', 'ok', 1";
  await database(`${many} ${INSERT} SELECT ${row} FROM n`);
  await admin.go("/events");
  await admin.sees("Showing 100 events (limit: 100)");
  expect((await rows()).filter((text) => text.includes("Medlar lawn"))).toHaveLength(100);
});

/** A day long ago, but not so long that its entries are in the archive. */
const LONG_AGO = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10);
const SHORT = { month: "short", day: "numeric" } as const;
const INSERT = "INSERT INTO scheduler_events (id, org_id, ts, device_name, source, action, result, attempts)";

const database = (statement: string) => exec(server, statement);

/** The rows of the log as they are shown. */
async function rows(): Promise<string[]> {
  const all = await admin.page.locator("tbody tr").all();
  return Promise.all(
    all.map(async (row) => {
      const cells = await row.locator("th, td:not([aria-hidden])").allInnerTexts();
      return cells
        .map((text) => text.trim())
        .join(" | ")
        .trim();
    }),
  );
}

async function outcomes(name: string): Promise<string[]> {
  const { events } = await api.call("GET", `/scheduler/events?device_id=${(await deviceNamed(api, name)).id}`);
  return events.map(({ result }: { result: string }) => result);
}

/** From now on, for an hour. */
async function book(name: string) {
  const { id: device_id, area_id } = await deviceNamed(api, name);
  const [start_at, end_at] = [Date.now(), Date.now() + 3_600_000].map((at) => new Date(at).toISOString());
  await api.call("POST", "/schedules", { title: "Night market", area_id, device_id, start_at, end_at, rrule: null });
}
