import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "#domain/time/units";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, type Staff, withoutNight } from "#tests/support/staff";
import { type Visit, visitAs } from "#tests/support/visit";

/** What is for all lights of a meadow: of the first they are anybody's, of the other one the person audits one. */
type Meadow = { area: string; group: string; closure: string; permit: string; schedule: string; audited: string };

let server: Server;
let browser: Browser;
let admin: Staff;
let own: Meadow;
let mixed: Meadow;
let auditor: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  admin = await signedInAs(server, "admin");
  await withoutNight(admin);

  async function aMeadow(name: string): Promise<Meadow> {
    const [gate, lamp] = await aPlace(admin, `${name} Meadow`, [`${name} gate`, `${name} lamp`]);
    if (!gate || !lamp) throw new Error("no lights");
    const { area_id: area } = gate;
    const group = await made("/groups", { area_id: area, name: `${name} pair`, device_ids: [gate.id, lamp.id] });
    const limit = { target: { type: "area", id: area }, from: at(1), to: at(2), reason: `${name} works` };
    const schedule = { title: `${name} training`, area_id: area, target: { type: "group", id: group } };
    return {
      area,
      group,
      audited: lamp.id,
      closure: await made("/closures", limit),
      permit: await made("/permits", limit),
      schedule: await made("/schedules", { ...schedule, start_at: at(3), end_at: at(4), rrule: "FREQ=DAILY" }),
    };
  }
  [own, mixed] = [await aMeadow("Own"), await aMeadow("Mixed")];
  await server.query("UPDATE devices SET dept_id = 'demo-dept-sports' WHERE id = ?", mixed.audited);
  const { data: people } = await admin.call("GET", "/users");
  const { id } = people.find(({ email }: { email: string }) => email === "auditor@parks.example");
  await admin.call("PUT", `/users/${id}`, { role: "admin" });
  auditor = await visitAs(browser, server, "auditor");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const made = async (path: string, body: object) => (await admin.call("POST", path, body)).data.id;
const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** What the screen offers of a meadow: the names of its buttons, and of its links that open a form, with * for its own. */
async function offered(path: string, name: "Own" | "Mixed"): Promise<string[]> {
  await auditor.go(path);
  const main = auditor.page.getByRole("main");
  await main.getByText(name).filter({ visible: true }).first().waitFor();
  // What stands beside an area's lights comes after its page, which offers nothing of another area's.
  const isOwnPage = path.startsWith("/areas/");
  if (isOwnPage) await main.getByRole("heading", { name: `${name} pair` }).waitFor();
  const names = await main
    .locator("button:visible, a[href*='?new=']:visible")
    .evaluateAll((all) => all.map((each) => each.ariaLabel ?? each.textContent ?? ""));
  return names.filter((each) => isOwnPage || each.includes(name)).map((each) => each.replaceAll(name, "*"));
}

const FORMS: [screen: string, of: (meadow: Meadow) => string, refused: string[]][] = [
  ["a card of Areas", () => "/areas?q=Meadow", ["Delete * Meadow"]],
  ["a card of Hubs", () => "/hubs?q=Meadow", ["Delete * Meadow hub"]],
  [
    "an area's page",
    ({ area }) => `/areas/${area}`,
    ["Delete * Meadow", "Book…", "Close…", "Permit…", "Book * pair", "Edit * pair", "Delete * pair"],
  ],
  ["Schedules", () => "/schedules?q=training", ["Edit * training", "Cancel * training", "Skip a night of * training"]],
  [
    "Closures",
    ({ area }) => `/closures?area_id=${area}`,
    ["Edit * works, All lights of * Meadow", "Delete * works, All lights of * Meadow"],
  ],
  ["Permits", ({ area }) => `/permits?area_id=${area}`, ["Take back * works, All lights of * Meadow"]],
];

test.each(FORMS)("%s offers what is for lights that one may write, and no more", async (_, pathOf, refused) => {
  const [ofOwn, ofMixed] = [await offered(pathOf(own), "Own"), await offered(pathOf(mixed), "Mixed")];
  expect(ofOwn.filter((each) => !ofMixed.includes(each)).toSorted()).toEqual(refused.toSorted());
  expect(ofMixed.filter((each) => !ofOwn.includes(each))).toEqual([]);
});

const ADDRESSES: [address: string, of: (meadow: Meadow) => string][] = [
  ["an area's deletion", ({ area }) => `/areas?delete=${area}&q=Meadow`],
  ["the same on its page", ({ area }) => `/areas/${area}?delete=${area}`],
  ["a group's form", ({ area, group }) => `/areas/${area}?edit=${group}`],
  ["a schedule's form", ({ schedule }) => `/schedules?edit=${schedule}`],
  ["a schedule's form of the Week", ({ area, schedule }) => `/schedules?view=week&area=${area}&edit=${schedule}`],
  ["a night's skip in Tonight", ({ schedule }) => `/tonight?skip=${schedule}`],
  ["a closure's form", ({ closure }) => `/closures?edit=${closure}`],
  ["a permit's end", ({ permit }) => `/permits?delete=${permit}`],
  ["a light's form", ({ audited }) => `/devices/${audited}?edit=${audited}`],
];

test("a new schedule is for all lights of an area only where one may book them all", async () => {
  for (const [{ area }, target] of [
    [own, `area:${own.area}`],
    [mixed, ""],
  ] as const) {
    await auditor.go(`/areas/${area}`);
    await auditor.page.getByRole("link", { name: "New schedule", exact: true }).click();
    const form = auditor.page.getByRole("dialog");
    await expect.poll(() => form.getByLabel("Area").inputValue()).toBe(area);
    expect(await form.getByLabel("Device", { exact: true }).inputValue()).toBe(target);
  }
});

test.each(ADDRESSES)("no address opens what would be refused: %s", async (_, addressOf) => {
  const dialog = auditor.page.locator("[role=dialog], [role=alertdialog]");
  await auditor.go(addressOf(own));
  await dialog.waitFor();
  await auditor.go(addressOf(mixed));
  await auditor.page.getByRole("main").getByText("Mixed").filter({ visible: true }).first().waitFor();
  await auditor.page.waitForLoadState("networkidle");
  expect(await dialog.count()).toBe(0);
});

/** The list behind the form is read anew, and has what was made meanwhile. */
async function listed(name: string): Promise<void> {
  const look = () => (
    auditor.page.evaluate(() => dispatchEvent(new Event("focus"))),
    auditor.page.getByText(name).count()
  );
  await expect.poll(look, { timeout: 10_000, interval: 500 }).toBeGreaterThan(0);
}

test("what was typed is kept though the lights are no longer the person's to write", async () => {
  const [lamp] = await aPlace(admin, "Late Meadow", ["Late lamp"]);
  if (!lamp) throw new Error("no light");
  const limit = { target: { type: "area", id: lamp.area_id }, from: at(1), to: at(2) };
  await auditor.go(`/closures?edit=${await made("/closures", { ...limit, reason: "Late works" })}`);
  const reason = auditor.page.getByRole("dialog").getByLabel("Reason");
  await reason.fill("Late drains");
  await server.query("UPDATE devices SET dept_id = 'demo-dept-sports' WHERE id = ?", lamp.id);
  await made("/closures", { ...limit, reason: "Late paths" });
  await listed("Late paths");
  expect(await reason.inputValue()).toBe("Late drains");
  await auditor.press("Save changes");
  await auditor.sees("Permission denied");
});

test("so is what was typed of a schedule", async () => {
  const [lamp] = await aPlace(admin, "Tardy Meadow", ["Tardy lamp"]);
  if (!lamp) throw new Error("no light");
  const { id, area_id } = lamp;
  const booking = { area_id, target: { type: "area", id: area_id }, start_at: at(3), end_at: at(4) };
  await auditor.go(`/schedules?q=tardy&edit=${await made("/schedules", { ...booking, title: "Tardy training" })}`);
  const title = auditor.page.getByRole("dialog").getByLabel("Title");
  await title.fill("Typed for a while");
  await server.query("UPDATE devices SET dept_id = 'demo-dept-sports' WHERE id = ?", id);
  await made("/schedules", { ...booking, title: "Tardy match" });
  await listed("Tardy match");
  expect(await title.inputValue()).toBe("Typed for a while");
});

test("so is what was typed of a group", async () => {
  const [gate, lamp] = await aPlace(admin, "Dusk Meadow", ["Dusk gate", "Dusk lamp"]);
  if (!gate || !lamp) throw new Error("no lights");
  const pair = { area_id: gate.area_id, device_ids: [gate.id, lamp.id] };
  await auditor.go(`/areas/${gate.area_id}?edit=${await made("/groups", { ...pair, name: "Dusk pair" })}`);
  const name = auditor.page.getByRole("dialog").getByLabel("Name");
  await name.fill("Typed for a while");
  await server.query("UPDATE devices SET dept_id = 'demo-dept-sports' WHERE id = ?", lamp.id);
  await made("/groups", { ...pair, name: "Dusk twins" });
  await listed("Dusk twins");
  expect(await name.inputValue()).toBe("Typed for a while");
});
