import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { withoutHubChecks } from "#tests/support/hub-checks";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, type Staff } from "#tests/support/staff";
import { exec, keepFailure, meanwhile, tryAgain, type Visit, visitAs, without } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let admin: Visit;
let api: Staff;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  await exec(server, "DELETE FROM areas");
  await withoutHubChecks(server);
  api = await signedInAs(server, "admin");
  await api.call("POST", "/areas", { name: "Lock Park", type: "river", location: null });
  admin = await visitAs(browser, server, "admin");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("without any there is a word for it", async () => {
  await admin.go("/hubs");
  await admin.sees("Hub Management");
  await admin.sees("No Hubs Found");
});

test("a hub needs a name, an area, a true address and a true port", async () => {
  await admin.press("New Hub");
  expect(await field("Port").inputValue()).toBe("1080");
  expect(await field("Connection mode").locator("option:checked").innerText()).toBe(
    "Hybrid - local first, cloud fallback",
  );
  await admin.press("Create Hub");
  await admin.sees("Hub name and area are required");

  await field("Name").fill("Lock hub");
  await field("Area").selectOption("Lock Park");
  for (const address of ["256.1.1.1", "10.0.0", "169.254.1.1", "hub.local"]) {
    await field("IP address").fill(address);
    await dialog().getByText("Please enter a valid IP address").waitFor({ state: "detached" });
    await admin.press("Create Hub");
    await admin.sees("Please enter a valid IP address", dialog());
  }
  await field("IP address").fill("");
  await field("Port").fill("65536");
  await admin.press("Create Hub");
  await admin.sees("The port must be a whole number from 1 to 65535");
});

test("a port that is no number becomes 1080; the card of a new hub knows little", async () => {
  await field("Port").fill("the usual");
  await admin.press("Create Hub");
  await admin.sees("Hub created successfully");
  for (const word of ["Lock Park", "Unknown", "hybrid", "Not set", "1080", "Never"]) {
    await admin.sees(word, card("Lock hub"));
  }
  expect(await card("Lock hub").innerText()).not.toContain("Response time");
});

test("it is edited; its credentials are taken and never told", async () => {
  await admin.press("Edit Lock hub");
  await admin.sees("Edit Hub");
  await field("IP address").fill("10.20.30.40");
  await field("Port").fill("8443");
  await field("Connection mode").selectOption("local");
  await field("Notes").fill("In the cabinet by the weir.");
  await field("Local client id").fill("ua_weir");
  await field("Local client secret").fill("sec_weir");
  await admin.press("Save changes");
  await admin.sees("Hub updated successfully");
  for (const word of ["10.20.30.40", "8443", "local", "In the cabinet by the weir."]) {
    await admin.sees(word, card("Lock hub"));
  }
  await admin.press("Edit Lock hub");
  expect(await field("Local client secret").inputValue()).toBe("");
  await admin.press("Save changes");
  await admin.sees("Hub updated successfully");
  expect(await admin.page.content()).not.toMatch(/ua_weir|sec_weir/);
  const kept = Object.values((await stored()) ?? {});
  expect(kept.every(Boolean)).toBe(true);
  expect(kept.join()).not.toContain("weir");
});

test("what is known of a hub's health is told in words", async () => {
  const seen = (ago_min: number) => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${ago_min} minutes')`;
  const hubs = [
    ["Now", "online", seen(0), 12],
    ["Minutes", "online", seen(5), 31],
    ["Hours", "offline", seen(200), null],
    ["Days", "offline", seen(3 * 1440), null],
    ["Raw", "updating", seen(1), 40],
  ] as const;
  await Promise.all(hubs.map(([name]) => aPlace(api, name, [])));
  const known = hubs.map(
    ([name, status, last_seen, rtt_ms]) =>
      `UPDATE hubs SET status = '${status}', last_seen = ${last_seen}, rtt_ms = ${rtt_ms} WHERE name = '${name} hub'`,
  );
  await exec(server, known.join("\n"));
  await admin.go("/hubs");
  for (const [name, ...words] of [
    ["Now", "Online", "Just now", "12 ms"],
    ["Minutes", "Online", /^\dm ago$/, "31 ms"],
    ["Hours", "Offline", /^3h ago$/],
    ["Days", "Offline", /^3d ago$/],
    ["Raw", "updating"],
  ] as const) {
    for (const word of words) await admin.sees(word, card(`${name} hub`));
  }
});

test("without a look at their health the hubs are shown all the same, and nobody is bothered", async () => {
  await meanwhile(
    server,
    `ALTER TABLE hubs RENAME TO hubs_away
     CREATE VIEW hubs AS SELECT id, org_id, area_id, version, created_at, updated_at, name, ip_address, port, connection_mode, agent_id, notes, local_client_id, local_client_secret, status, last_seen, json('{') AS rtt_ms FROM hubs_away`,
    async () => {
      await admin.go("/hubs");
      await admin.sees("Unknown", card("Now hub"));
      expect(await admin.page.locator("[data-sonner-toast]").count()).toBe(0);
    },
    `DROP VIEW hubs
     ALTER TABLE hubs_away RENAME TO hubs`,
  );
});

test("who moves a hub is told what its lights leave, before and after", async () => {
  const [one, two] = await aPlace(api, "Mill", ["Mill light 1", "Mill light 2"]);
  const device_ids = [one?.id, two?.id];
  await api.call("POST", "/groups", { name: "Mill lights", area_id: one?.area_id, device_ids });
  await admin.go("/hubs?q=mill");
  await admin.press("Edit Mill hub");
  await field("Area").selectOption("Days");
  await admin.sees("With it go 2 lights, which leave 1 group.", dialog());
  await admin.press("Save changes");
  await admin.sees("Hub updated successfully");
  await admin.sees("With it went 2 lights, which left 1 group.");
  await admin.go("/hubs");
});

test("it is deleted after a warning", async () => {
  await admin.press("Delete Raw hub");
  await admin.sees(/^Are you sure .* "Raw hub"\? Associated devices will be affected\.$/);
  await admin.press("Delete");
  await admin.sees("Hub deleted successfully");
  await card("Raw hub").waitFor({ state: "detached" });
});

test("what fails is told, and what was typed stays", async () => {
  await without(server, "hubs", async () => {
    await admin.go("/hubs?new=");
    await admin.sees("Failed to fetch hubs");
    await field("Name").fill("Lost");
    await field("Area").selectOption("Lock Park");
    await admin.press("Create Hub");
    await admin.sees("Failed to save hub");
    expect(await field("Name").inputValue()).toBe("Lost");
    await admin.press("Cancel");
    await keepFailure(admin);
  });
  await tryAgain(admin);
  await admin.press("Delete Now hub");
  await admin.page.getByRole("alertdialog").waitFor(); // its code does not come without a network
  await admin.page.context().setOffline(true);
  await admin.press("Delete");
  await admin.sees("Failed to delete hub");
  await admin.page.context().setOffline(false);
});

test("a manager may do all of it, an employee none", async () => {
  const [manager, employee] = await Promise.all([
    visitAs(browser, server, "manager"),
    visitAs(browser, server, "employee"),
  ]);
  await manager.go("/hubs?q=lock");
  await manager.sees("Lock hub");
  expect(await manager.buttons(/^(New|Edit|Delete) /)).toEqual(["New Hub", "Edit Lock hub", "Delete Lock hub"]);

  const { data } = await api.call("GET", "/hubs");
  for (const asked of ["", "?new=", `?edit=${data[0].id}`, `?delete=${data[0].id}`]) {
    await employee.go(`/hubs${asked}`);
    await employee.sees("Lock hub");
    expect(await employee.buttons(/^(New|Edit|Delete) /)).toEqual([]);
    expect(await employee.page.getByRole("dialog").or(employee.page.getByRole("alertdialog")).count()).toBe(0);
  }
  await Promise.all([manager.page.close(), employee.page.close()]);
});

const dialog = () => admin.page.getByRole("dialog");
const field = (label: string) => dialog().getByLabel(label);
const card = (name: string) => admin.page.getByRole("article", { name });

async function stored() {
  const [hub] = await server.query("SELECT local_client_id, local_client_secret FROM hubs WHERE name = 'Lock hub'");
  return hub;
}
