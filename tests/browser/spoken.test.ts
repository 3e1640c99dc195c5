import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { setFaults } from "#tests/support/faults";
import { aServer, type Server } from "#tests/support/server";
import { spoken } from "#tests/support/spoken";
import { signedInAs, withoutNight } from "#tests/support/staff";
import { aVisit, hydrated, visitAs } from "#tests/support/visit";

/** What a screen reader says by itself, to who does not see what has changed. */
let server: Server;
let browser: Browser;

/** Twenty lights on a quay, of which one is dead. */
beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  const api = await signedInAs(server, "admin");
  await withoutNight(api);
  await server.batch(
    [
      "INSERT INTO areas (id, org_id, name, type) VALUES ('quay', 'demo-parks', 'Quay', 'river')",
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
         INSERT INTO devices (id, org_id, area_id, name, cloud_device_id)
         SELECT 'quay-' || i, 'demo-parks', 'quay', printf('Quay lamp %02d', i), iif(i = 2, 'dead', NULL) FROM n`,
    ].map((statement) => [statement]),
  );
  await setFaults(server, { "lamp:dead": [{ kind: "offline" }] });
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("many lights that are switched at once are told when they begin and when they end, and not one by one", async () => {
  const { page, go, press, sees } = await visitAs(browser, server, "admin");
  await go("/devices?area=quay");
  await press("Select");
  await sees("0 selected");
  const words = await spoken(page);
  await press("All on this page");
  await sees("20 selected");
  await press("Turn on");
  await sees("19 turned on, 1 failed");
  await expect.poll(words).toEqual(["20 selected", "Turning on 20...", "19 turned on, 1 failed"]);
});

test.each([
  ["who wants no motion", "reduce"],
  ["everybody else", "no-preference"],
] as const)(
  "to %s a narrowed list says what it has found, and not what can be pressed",
  async (_who, reducedMotion) => {
    const { page, go } = await visitAs(browser, server, "admin");
    await page.emulateMedia({ reducedMotion });
    await go("/devices");
    const words = await spoken(page);
    await page.getByRole("searchbox", { name: "Search devices" }).fill("quay lamp 07");
    await expect.poll(words).toEqual([expect.stringMatching(/^1 of \d+ found$/)]);
  },
);

test("a log that is narrowed says how much of it is shown", async () => {
  const { page, go } = await visitAs(browser, server, "admin");
  await go("/events");
  const words = await spoken(page);
  await page.getByRole("searchbox", { name: "Search events" }).fill("nothing has this name");
  await page.getByRole("heading", { name: "No events found" }).waitFor();
  await expect.poll(words).toEqual(["0 shown"]);
});

test("what needs attention is told in words when it changes, and not as a number alone", async () => {
  const { page, go, press } = await visitAs(browser, server, "admin");
  await server.query("DELETE FROM workorders");
  await go("/dashboard");
  await page.getByRole("region", { name: "Needs attention" }).waitFor();
  const words = await spoken(page);
  await server.query(
    `INSERT INTO workorders (id, org_id, title, priority, created_at)
     VALUES ('due', 'demo-parks', 'Lens', 'urgent', '2026-01-01T00:00:00.000Z')`,
  );
  await press("Refresh");
  await expect.poll(words).toContainEqual(expect.stringMatching(/\b1 work order due$/));
  expect((await words()).filter((said) => /^\d+$/.test(said))).toEqual([]);
});

test("a test's result is told once, and of a full test each one and the end", async () => {
  const { page, go, press } = await visitAs(browser, server, "admin");
  await go("/connectivity?device=quay-3");
  const words = await spoken(page);
  const status = expect.stringMatching(/^Device Quay lamp 03 is (on|off)$/);
  await press("Get Status");
  await expect.poll(words).toEqual([status]);
  await press("Get Status");
  await expect.poll(words).toEqual([status, status]);

  await press("Run Full Test");
  await expect.poll(words, { timeout: 30_000 }).toContain("Full connectivity test completed");
  await page.getByRole("button", { name: "Run Full Test" }).waitFor();
  expect((await words()).slice(2)).toEqual([
    expect.stringMatching(/^Device Quay lamp 03 is (on|off)/),
    expect.stringMatching(/^Device Quay lamp 03 turned on successfully/),
    expect.stringMatching(/^Device Quay lamp 03 turned off successfully/),
    "Full connectivity test completed",
  ]);
});

test.each([
  ["/areas?new", "Create Area", "Failed to save area"],
  ["/settings", "Save Settings", "Failed to save settings"],
  ["/account", "Save messages", "Failed to save your messages"],
  ["/login", "Sign In", "Login failed"],
])(
  "at %s what went wrong is told by the toast, and stays in the form without a second telling",
  async (path, go, says) => {
    const { page, press } = await (path === "/login" ? aVisit(browser, server) : visitAs(browser, server, "admin"));
    await page.goto(server.url + path);
    await hydrated(page);
    if (path === "/areas?new") await page.getByRole("dialog").getByLabel("Name").fill("Pier");
    if (path === "/login") {
      await page.getByLabel("Email").fill("admin@parks.example");
      await page.getByLabel("Password").fill("lamplighter-demo");
    }
    await page.route("**/*.data*", (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
    const words = await spoken(page);
    await press(go);
    await expect.poll(words).toContain(says);
    await page.locator("form").getByText(says, { exact: true }).waitFor();
    // An open dialog hides what is outside of it from a reader, but not the toasts.
    expect(await page.locator(":is([aria-hidden=true], [inert]) [data-sonner-toast]").count()).toBe(0);
    // An alert is said as soon as it comes, beside the toast.
    expect(await page.locator("form [role=alert]").count()).toBe(0);
  },
);
