import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs } from "#tests/support/staff";
import { aVisit, hold, htmlFor, RETRIES, shownText, signIn, visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const CITY = [
  "Kind,Name,Type,Area,Hub,Cloud ID",
  "area,Harbor Walk,path,,,",
  "hub,Walk hub,,Harbor Walk,,",
  "device,Walk light,,Harbor Walk,Walk hub,d88b4c0900000001",
].join("\n");

async function upload({ page, press }: Visit, name: string, text: string | Buffer) {
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.getByLabel("CSV file").setInputFiles(file);
  await press("Check file");
}

test("a manager checks a file, mends it, imports it, and finds the import and the light again", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page, sees, press, go } = visit;
  await go("/devices");
  await page.getByRole("link", { name: "Import" }).click();
  // One of before may have been deleted.
  await sees("None in the last 30 days");

  await upload(visit, "lights.xlsx", Buffer.from([0x50, 0x4b, 3, 4, 0]));
  await sees(/This is a workbook/);

  await go("/import");
  await upload(visit, "walk.csv", CITY.replace("path", "paht"));
  await sees("1 row has a problem, so nothing was imported. Mend the file and choose it again.");
  await sees("Row 2, Type");
  await sees('Area type must be one of: park, field, river, path, other (it says "paht")');
  expect(await barriersInBoth(page)).toEqual([]);

  await page.getByRole("link", { name: "Choose another file" }).click();
  await upload(visit, "walk.csv", CITY);
  await sees("The file has no problems. Look at what will change, then import it.");
  expect(await page.getByRole("row", { name: /^Areas/ }).innerText()).toBe("Areas\t1\t0\t0");
  expect(await barriersInBoth(page)).toEqual([]);

  // The tab is closed; the import is found again.
  await go("/import");
  await page.getByRole("link", { name: "walk.csv" }).first().click();
  await press("Import 3 changes");
  await sees("Imported successfully");
  await sees("3 changes imported. The activity log has each of them.");

  await go("/devices?q=walk+light");
  expect(await shownText(page.getByRole("article", { name: "Walk light" }))).toContain("Harbor Walk");
  await page.close();
});

test("a file that is refused has the focus at its field, until another one is chosen", async () => {
  const { page, go } = await visitAs(browser, server, "manager");
  const field = page.getByLabel("CSV file");
  const choose = (text: Buffer) => field.setInputFiles({ name: "lights.csv", mimeType: "text/csv", buffer: text });
  const isRefused = async (sentence: RegExp) => {
    await page.getByRole("button", { name: "Check file" }).press("Enter");
    // Both of one moment: a page that has just come may be drawn anew once, with other ids.
    const told = () =>
      field.evaluate((input) => {
        const about = document.getElementById(input.getAttribute("aria-describedby") ?? "");
        return [input === document.activeElement, about?.innerText];
      });
    await expect.poll(told).toEqual([true, expect.stringMatching(sentence)]);
  };
  await go("/import");
  await choose(Buffer.from(""));
  await isRefused(/^The file is empty/);
  for (const size of [6_000_000, 7_000_000]) {
    await choose(Buffer.alloc(size, "a"));
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe(null);
    await isRefused(/^The file is too large/);
  }
});

test("a file of ten thousand rows is checked and imported", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page, press, go } = visit;
  page.setDefaultTimeout(60_000); // so much work is more than a screen's
  const rows = Array.from(
    { length: 9_999 },
    (_, i) => `device,Pole ${i},Great Park,${(0xd88b4c0a00000000n + BigInt(i)).toString(16)}`,
  );
  await go("/import");
  await upload(visit, "great.csv", ["Kind,Name,Area,Cloud ID", "area,Great Park,,", ...rows].join("\n"));
  await visit.sees("The file has no problems. Look at what will change, then import it.");
  await visit.sees("And 9,900 more");
  await press("Import 10,000 changes");
  await visit.sees("10,000 changes imported. The activity log has each of them.");
  await page.close();
});

test("an upload that is stopped can be sent again, and another file in its place", async () => {
  const { page, sees, press, go } = await visitAs(browser, server, "manager");
  await go("/import");
  let send = () => {};
  const isSent = new Promise<void>((done) => (send = done));
  await page.route("**/import", (route) => (route.request().method() === "POST" ? send() : route.fallback()));
  const choose = (name: string) =>
    page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(OF_AREA(name)) });
  await choose("First Green");
  const fields = await page.locator("form:has([name=csv])").evaluate((form: HTMLFormElement) => {
    const names = ["intent", "org_id", "idempotency_key"];
    return Object.fromEntries(names.map((name) => [name, String(new FormData(form).get(name))]));
  });
  await page.evaluate(() =>
    setTimeout(() => document.querySelector<HTMLButtonElement>("form:has([name=csv]) button")?.click()),
  );
  await isSent;
  // It has arrived, too, before it is stopped.
  const csv = { name: "First Green", mimeType: "text/csv", buffer: Buffer.from(OF_AREA("First Green")) };
  const headers = { Origin: server.url };
  const arrived = await page.request.post(`${server.url}/import`, {
    headers,
    multipart: { ...fields, csv },
    maxRetries: RETRIES,
  });
  expect(arrived.url()).toMatch(/\/import\/.+/);
  const line = await page.context().newCDPSession(page);
  await line.send("Page.stopLoading");
  await page.getByRole("button", { name: "Check file", disabled: false }).waitFor();

  await page.unrouteAll({ behavior: "ignoreErrors" });
  await choose("Second Green");
  await press("Check file");
  await sees("The file has no problems. Look at what will change, then import it.");
  await sees(/Second Green/);
});

const OF_AREA = (name: string) => `Kind,Name\narea,${name}`;

test("on a slow line the page of an import waits for an answer before it looks again", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page, sees, go } = visit;
  await go("/import");
  await upload(visit, "slow.csv", "Kind,Name\narea,Slow Green");
  await sees("The file has no problems. Look at what will change, then import it.");
  const become = (state: string) => server.query(`UPDATE imports SET state = '${state}' WHERE file_name = 'slow.csv'`);
  await become("applying");
  await page.clock.install();
  await visit.reload();
  await sees("The file is being imported.");

  const { letGo } = await hold(visit, "GET");
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  // Asked for once the screen knows that it is loading.
  const counted = page.waitForRequest("**/alarms/count");
  await page.clock.runFor(1_500);
  await counted;
  await page.clock.runFor(6_000);
  await become("done");
  expect(asked.filter((path) => path.endsWith(".data"))).toHaveLength(1);
  await letGo();
  await sees("1 change imported. The activity log has each of them.");
});

test("what is exported changes nothing when it is imported", async () => {
  const visit = await visitAs(browser, server, "manager");
  const { page, sees, go } = visit;
  await server.query("DELETE FROM areas WHERE name = 'Great Park'");
  await go("/import");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export what is here" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^inventory-.*\.csv$/);
  await page.getByLabel("CSV file").setInputFiles(await download.path());
  await page.getByRole("button", { name: "Check file" }).click();
  await sees("Everything in this file is here already, as it says. There is nothing to import.");
  await page.close();
});

test("without JavaScript a file is checked, refused, and imported, and a light of the hub account added", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const visit = await aVisit(context, server);
  const { page, press } = visit;
  await signIn(page, server, "admin@parks.example");
  await page.goto(`${server.url}/import`);
  await upload(visit, "page.csv", "<!doctype html>");
  await visit.sees("This is a web page, not a CSV file.");
  await upload(visit, "plain.csv", "Kind,Name\narea,Plain Green");
  await visit.sees("The file has no problems. Look at what will change, then import it.");
  await press("Import 1 change");
  await visit.sees("Imported successfully");
  await visit.sees("1 change imported. The activity log has each of them.");

  await page.goto(`${server.url}/import/hub-account`);
  await visit.sees("Can be added (6)");
  await page.getByLabel("Add Market stalls").check();
  await page.getByLabel("Name of Market stalls").fill("Stalls");
  await press("Add chosen devices");
  await visit.sees("Device name and area are required");
  expect(await page.getByLabel("Add Market stalls").isChecked()).toBe(true);
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(1);
  expect(await page.getByLabel("Name of Market stalls").inputValue()).toBe("Stalls");
  await page.getByLabel("Name of Market stalls").fill("Market stalls");
  // Of another area than the hub: either may be what is wrong.
  const hub = page.getByLabel("Hub", { exact: true });
  await page.getByLabel("Area").selectOption("Plain Green");
  await hub.selectOption({ index: 1 });
  const chosen = await hub.inputValue();
  await press("Add chosen devices");
  await page.getByText("Choose a hub of the chosen area").first().waitFor();
  expect(await hub.inputValue()).toBe(chosen);
  await hub.selectOption("No hub");
  await press("Add chosen devices");
  await visit.sees("1 device added");
  await visit.sees('Here already, as "Market stalls"');
  await context.close();
});

test("lights of the hub account are offered the departments that one may write in, and no other", async () => {
  const staff = await signedInAs(server, "admin");
  const { data: people } = await staff.call("GET", "/users");
  const { id } = people.find(({ email }: { email: string }) => email === "auditor@parks.example");
  const setRole = (role: string) => staff.call("PUT", `/users/${id}`, { role });
  onTestFinished(() => setRole("employee"));
  await setRole("manager");
  const offered = async (name: "admin" | "auditor") => {
    const [html = ""] = await htmlFor(browser, server, name, "/import/hub-account");
    const [select = ""] = /<select id="[^"]*" name="dept_id"[^]*?<\/select>/.exec(html) ?? [];
    return [...select.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text);
  };
  expect(await offered("admin")).toEqual(["Org-wide", "Rivers and Paths", "Sports Fields"]);
  // Its auditor's own, which they see, and which the header offers.
  expect(await offered("auditor")).toEqual(["Org-wide"]);
});

test("lights of the hub account are added with area and hub, and what cannot be added says why", async () => {
  const { page, sees, press, go } = await visitAs(browser, server, "manager");
  await go("/import");
  await page.getByRole("link", { name: "Add from the hub account" }).click();
  await sees("Can be added (5)");
  const others = page.getByRole("list", { name: "Cannot be added" });
  await sees("A hub, not a light", others);
  await sees("A valve, not a light", others);
  await sees('Here already, as "Bike counter"', others);
  expect(await barriersInBoth(page)).toEqual([]);

  await press("Add chosen devices");
  await sees("Device name and area are required");
  await page.getByLabel("Area").selectOption("Viaduct Path");
  await page.getByLabel("Hub").selectOption({ index: 1 });
  await page.getByLabel("Add Pier lamp 1").check();
  await page.getByLabel("Name of Pier lamp 1").fill("Viaduct east");
  await press("Add chosen devices");
  await sees("1 device added");
  await sees("Can be added (4)");
  await sees('Here already, as "Viaduct east"', others);
  // The pressed button went with the form.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Can be added \(4\)/);

  await press("Choose all");
  await page.getByLabel("Area").selectOption("Viaduct Path");
  await press("Add chosen devices");
  await sees("4 devices added");
  await sees("Nothing that this account lists can be added. Why is said below.");
  await page.close();
});

test("the browser's back names the account whose list it brings back", async () => {
  const staff = await signedInAs(server, "admin");
  onTestFinished(() => staff.call("POST", "/admin/settings", { PROVIDER_MODE: "mock" }));
  await staff.call("POST", "/admin/settings", { PROVIDER_MODE: "local" });
  const { page, press, go } = await visitAs(browser, server, "manager");
  await go("/import/hub-account");
  const list = page.getByLabel("List of");
  await list.selectOption({ index: 1 });
  const hub = await list.inputValue();
  await press("Show");
  await page.waitForURL(`**/import/hub-account?hub=${hub}`);
  await page.goBack();
  await page.waitForURL("**/import/hub-account");
  await expect.poll(() => list.inputValue()).toBe("");
  await page.goForward();
  await expect.poll(() => list.inputValue()).toBe(hub);
  await page.close();
});

test("an employee is told who may import", async () => {
  const [devices, screen] = await htmlFor(browser, server, "employee", "/devices", "/import");
  expect(devices).toContain("Device Management");
  expect(devices).not.toContain('href="/import"');
  expect(screen).toContain("Access denied. Admin or Manager role required.");
});
