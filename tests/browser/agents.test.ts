import { createHash } from "node:crypto";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { htmlFor, visitAs, type Visit, ONE_CALL } from "#tests/support/visit";

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

const dialog = () => admin.page.getByRole("dialog");
const row = () => admin.page.getByRole("list", { name: "Agents" }).getByRole("listitem");
const words = async () => (await row().innerText()).replace(/\s+/g, " ");

test("an agent is made under Settings, and its secret is shown this once", async () => {
  await admin.go("/settings");
  await admin.page.getByRole("link", { name: "Manage Agents" }).click();
  await admin.sees("No Agents Yet");
  await admin.press("New Agent");
  await admin.press("Create Agent");
  await admin.sees("Agent name is required");
  await dialog().getByLabel("Name").fill("Riverside");
  await admin.press("Create Agent");
  await admin.sees(
    "The installation on the agent's computer asks for this secret. It is shown only now; if it is lost, make a new one.",
  );
  const secret = await dialog().locator("code").innerText();
  expect(secret).toMatch(/^lla_[\w-]+_[\w-]{43}$/);
  expect(await barriersInBoth(admin.page)).toEqual([]);
  await admin.press("Done");
  await admin.reload();
  expect(await admin.page.content()).not.toContain(secret);
  expect(await words()).toContain("Riverside Not installed Never connected: install the program");
  expect(await words()).toContain(`Secret ending in ${secret.slice(-4)}, made`);
});

test("the program is there to download, and adds up to what the screen says", async () => {
  const program = admin.page.getByRole("article", { name: "The Program" });
  const href = await program.getByRole("link", { name: "Download" }).getAttribute("href");
  const served = await fetch(`${server.url}${href}`, { headers: ONE_CALL });
  expect(served.status).toBe(200);
  expect(served.headers.get("Cache-Control")).toBe("no-cache");
  const bytes = Buffer.from(await served.arrayBuffer());
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(await program.innerText()).toContain(sha256);
  expect(bytes.toString()).toContain(`AGENT_VERSION = "${await version(program)}"`);
  expect(await program.locator("pre").innerText()).toContain(`curl -fO ${server.url}/agent/agent.mjs`);
});

const version = (program: Locator) => program.locator("dl > div", { hasText: "Version" }).locator("dd").innerText();

test("a hub gets the agent by its form, and the two name each other", async () => {
  await admin.go("/hubs?new=");
  await dialog().getByLabel("Name").fill("Boathouse hub");
  await dialog().getByLabel("Area").selectOption({ index: 1 });
  await dialog().getByLabel("IP address").fill("192.168.4.20");
  await dialog().getByLabel("Agent").selectOption("Riverside");
  await admin.press("Create Hub");
  await admin.sees("Hub created successfully");
  await admin.go("/hubs?q=boathouse");
  const card = admin.page.getByRole("article", { name: "Boathouse hub" });
  expect((await card.innerText()).replace(/\s+/g, " ")).toContain("Agent Riverside");
  await admin.press("Edit Boathouse hub");
  await expect.poll(() => dialog().getByLabel("Agent").inputValue()).not.toBe("");
  await admin.go("/settings/agents");
  expect(await words()).toContain("Hubs: Boathouse hub");
});

test("a lost secret is replaced, which is asked first", async () => {
  await admin.press("New secret for Riverside");
  await admin.sees(
    "The present secret stops working and the agent is disconnected at once. It comes back when the new one is on its computer.",
  );
  await admin.press("Make a new secret");
  const secret = await dialog().locator("code").innerText();
  await admin.press("Done");
  await expect.poll(words).toContain(`Secret ending in ${secret.slice(-4)}, made`);
});

test("a revoked agent stays with its hubs, and a new secret brings it back", async () => {
  await admin.go("/settings/agents");
  await admin.press("Revoke Riverside");
  await admin.sees("Revoke Riverside");
  expect(await barriersInBoth(admin.page)).toEqual([]);
  await admin.press("Cancel");
  expect(await words()).not.toContain("Revoked");
  await admin.press("Revoke Riverside");
  await admin.press("Revoke");
  await admin.sees("Agent revoked");
  await expect.poll(words).toContain("it cannot connect until it has a new secret");
  expect(await words()).toContain("Hubs: Boathouse hub");
  expect(await admin.buttons(/^Revoke/)).toEqual([]);
  await admin.go("/settings/agents");
  await admin.press("New secret for Riverside");
  await admin.sees("The agent may connect again as soon as the new secret is on its computer.");
  await admin.press("Make a new secret");
  await admin.press("Done");
  await expect.poll(words).not.toContain("Revoked");
});

test("an agent is renamed and deleted; its hub stays", async () => {
  await admin.go("/settings/agents");
  await admin.press("Rename Riverside");
  await dialog().getByLabel("Name").fill("Old mill");
  await admin.press("Save changes");
  await admin.sees("Agent updated successfully");
  await admin.go("/settings/agents");
  await admin.press("Delete Old mill");
  await admin.sees('Are you sure you want to delete the agent "Old mill"? Its hub stays, without an agent.');
  await admin.press("Delete");
  await admin.sees("Agent deleted successfully");
  await admin.sees("No Agents Yet");
});

test("on a phone everything fits and can be pressed, in light and dark", async () => {
  // The most common width of all.
  await admin.page.setViewportSize({ width: 360, height: 740 });
  await admin.go("/settings/agents?new=");
  await dialog().getByLabel("Name").fill("An agent with a rather long name, in the shed behind the boathouse");
  await admin.press("Create Agent");
  await admin.press("Done");
  await row().waitFor();
  const width = await admin.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
  const [card, last] = [await row().boundingBox(), await row().getByRole("button").last().boundingBox()];
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
  expect(await barriersInBoth(admin.page)).toEqual([]);
  await admin.page.setViewportSize({ width: 1280, height: 900 });
});

test("without JavaScript an agent is made, revoked and deleted, and its secret is on the page once", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const visit = await visitAs(context, server, "admin");
  const { page } = visit;
  await page.goto(`${server.url}/settings/agents`);
  await page.getByRole("button", { name: "New Agent" }).click();
  const form = page.locator("[data-dialog-page]");
  await form.getByLabel("Name").fill("Plain agent");
  await visit.press("Create Agent");
  const secret = await page.locator("code", { hasText: "lla_" }).innerText();
  await visit.press("Done");
  expect(await page.content()).not.toContain(secret);
  await visit.press("New secret for Plain agent");
  await visit.press("Make a new secret");
  expect(await page.locator("code", { hasText: "lla_" }).innerText()).not.toBe(secret);
  await visit.press("Done");
  await visit.press("Revoke Plain agent");
  await visit.press("Revoke");
  await visit.sees("Agent revoked");
  await visit.press("Delete Plain agent");
  await visit.press("Delete");
  await visit.sees("Agent deleted successfully");
  await context.close();
});

test.each(["manager", "employee"] as const)("a %s is denied", async (name) => {
  const [html] = await htmlFor(browser, server, name, "/settings/agents");
  expect(html).toContain("Access denied. Admin role required.");
  expect(html).toMatch(/<h1[^>]*>On-site Agents</);
});
