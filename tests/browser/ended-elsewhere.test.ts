import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { arrived, aVisit, signIn, visitAs, type Visit } from "#tests/support/visit";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const revokeAll = () => server.query("UPDATE sessions SET revoked_at = strftime('%FT%TZ', 'now')");

/** A form with words typed in it. It hears of nothing by itself: the tests say when it asks. */
async function halfFilled(tab: Visit, words: string, path = "/areas?new", label = "Name") {
  await tab.page.routeWebSocket(/.*/, () => undefined);
  await tab.go(path);
  for (const code of ["idle-watch", "watch-form"]) await arrived(tab, code);
  const field = tab.page.getByRole("dialog").getByLabel(label);
  await field.fill(words);
  await tab.page.waitForLoadState("networkidle");
  return field;
}

/** The screen asks for its lists until `seen` is, as when somebody comes back to its window. */
async function askUntil({ page }: Visit, seen: () => Promise<boolean>) {
  await expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event("focus"))).catch(() => undefined);
      return seen();
    })
    .toBe(true);
}

const question = ({ page }: Visit) => page.getByRole("alertdialog");

async function signInAgain(tab: Visit) {
  await question(tab).getByLabel("Password").fill("lamplighter-demo");
  await tab.press("Sign In");
}

const creators = (area: string) =>
  server.query("SELECT actor_email FROM audit_logs WHERE resource_id = (SELECT id FROM areas WHERE name = ?)", area);

const isAtSignIn = async ({ page }: Visit) => new URL(page.url()).pathname === "/login";

test("where the session is ended elsewhere one signs in again over a half-filled form, and saves it", async () => {
  const tab = await visitAs(browser, server, "admin");
  const name = await halfFilled(tab, "Revoked Park");
  await revokeAll();
  await askUntil(tab, () => question(tab).isVisible());
  await tab.sees(/^This session was ended elsewhere.* Sign in again/);
  await signInAgain(tab);
  await question(tab).waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Revoked Park");
  await tab.press("Create Area");
  await tab.sees("Area created successfully");
});

test("who saves with a session that was ended elsewhere signs in over the form, and saves it once", async () => {
  const tab = await visitAs(browser, server, "admin");
  const name = await halfFilled(tab, "Saved Park");
  await revokeAll();
  await tab.press("Create Area");
  await tab.sees("You were signed out");
  await tab.sees("Session expired. Please login again.");
  await signInAgain(tab);
  await question(tab).waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Saved Park");
  expect(await creators("Saved Park")).toEqual([]);
  await tab.press("Create Area");
  await tab.sees("Area created successfully");
  expect(await creators("Saved Park")).toEqual([{ actor_email: "admin@parks.example" }]);
  // What told of the end is no news any more.
  await tab.page.getByText("Session expired. Please login again.").waitFor({ state: "detached" });
  await tab.page.getByRole("link", { name: "Hubs", exact: true }).click();
  await tab.sees("Hub Management");
  expect(await tab.page.getByText("Session expired. Please login again.").count()).toBe(0);
});

test("a screen on which nothing is typed leads to the sign-in page, and takes no half-filled form beside it along", async () => {
  const context = await browser.newContext();
  const [form, list] = [await aVisit(context, server), await aVisit(context, server)];
  await signIn(context, server, "admin@parks.example");
  const name = await halfFilled(form, "Park beside a list");
  await list.go("/hubs");
  await revokeAll();
  await askUntil(list, () => isAtSignIn(list));
  await list.sees("Session expired. Please login again.");
  await askUntil(form, () => question(form).isVisible());
  await signInAgain(form);
  await question(form).waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Park beside a list");
  await context.close();
});

test("what one person typed is gone where another signs in beside it, and never saved", async () => {
  const context = await browser.newContext();
  const [form, beside] = [await aVisit(context, server), await aVisit(context, server)];
  await signIn(context, server, "admin@parks.example");
  const name = await halfFilled(form, "The admin's park");
  await revokeAll();
  await form.press("Create Area");
  await form.sees("You were signed out");
  await signIn(context, server, "manager@parks.example");
  await beside.go("/hubs");
  await form.page.getByText("manager", { exact: true }).first().waitFor();
  expect(await question(form).count()).toBe(0);
  expect(await name.inputValue()).toBe("");
  expect(await server.query("SELECT id FROM areas WHERE name = ?", "The admin's park")).toEqual([]);
  await context.close();
});

test("who has lost the role meanwhile has no form any more, and nothing is saved", async () => {
  const tab = await visitAs(browser, server, "admin");
  await halfFilled(tab, "Park of a former admin");
  const role = (name: string) =>
    server.query(
      "UPDATE org_memberships SET role = ? WHERE user_id = (SELECT id FROM users WHERE email = 'admin@parks.example')",
      name,
    );
  await role("employee");
  await revokeAll();
  await tab.press("Create Area");
  await tab.sees("You were signed out");
  await signInAgain(tab);
  await tab.page.getByRole("button", { name: "Create Area", exact: true }).waitFor({ state: "detached" });
  await tab.sees("Area Management");
  await role("admin");
  expect(await server.query("SELECT id FROM areas WHERE name = ?", "Park of a former admin")).toEqual([]);
});

test("who was taken out of the organization meanwhile is not let in again, and nothing is saved", async () => {
  const tab = await visitAs(browser, server, "employee");
  await halfFilled(tab, "Order of a former employee", "/workorders?new", "Title");
  const active = (is: 0 | 1) =>
    server.query(
      "UPDATE org_memberships SET active = ? WHERE user_id = (SELECT id FROM users WHERE email = 'employee@parks.example')",
      is,
    );
  await active(0);
  await revokeAll();
  await askUntil(tab, () => question(tab).isVisible());
  await signInAgain(tab);
  await question(tab).getByText("Incorrect email or password", { exact: true }).waitFor();
  await tab.press("Leave this page");
  await expect.poll(() => isAtSignIn(tab)).toBe(true);
  await active(1);
  expect(await server.query("SELECT id FROM workorders WHERE title = ?", "Order of a former employee")).toEqual([]);
});
