import { TOTP } from "otpauth";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { signedInAs } from "#tests/support/staff";
import { aVisit, exec, visitAs, type Visit, RETRIES } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let manager: Visit;
let secret = "";
let recovery_codes: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  manager = await visitAs(browser, server, "manager");
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

/**
 * No code is taken twice, so each sign-in has one of another half minute. A clock may be one behind or ahead, and one that
 * is behind already is too old as soon as the half minute turns.
 */
const codeOf = (steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Calls the API from a page's browser, which takes the cookies of the answers. */
const callsOf =
  ({ request }: Visit["page"]) =>
  async (method: "post" | "put", path: string, data: object, token = "") => {
    const headers = token ? { Authorization: `Bearer ${token}` } : undefined;
    return (await request[method](`${server.url}/api${path}`, { data, headers, failOnStatusCode: true })).json();
  };

/** The name of the field, or else the text, that has the focus. */
const focused = () =>
  manager.page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("name") ?? element?.textContent ?? "";
  });

test("an authenticator app is set up with a picture and its first code, and recovery codes are shown once", async () => {
  await manager.go("/account");
  await manager.page.getByLabel("Current password").fill("not my password");
  await manager.press("Set up");
  await manager.sees("The current password is not correct");
  await expect.poll(focused).toBe("current_password");
  await manager.page.getByLabel("Current password").fill("lamplighter-demo");
  await manager.press("Set up");
  await manager.page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
  // What had the focus is gone: it is at the next step, from where the key and the code are the next.
  await expect.poll(focused).toMatch(/^Scan this picture/);
  await manager.page.getByText("No camera? Enter the key by hand").click();
  secret = await manager.page.locator("details code").innerText();

  await manager.page.getByLabel("Code", { exact: true }).fill("000000");
  await manager.press("Confirm");
  await manager.page.locator("[aria-invalid=true]").waitFor();
  await expect.poll(focused).toBe("code");
  await manager.page.getByLabel("Code", { exact: true }).fill(codeOf(0));
  await manager.press("Confirm");
  const codes = manager.page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await codes.first().waitFor();
  await expect.poll(focused).toMatch(/^Your second factor is on/);
  recovery_codes = await codes.allInnerTexts();
  expect(recovery_codes).toHaveLength(10);

  await manager.go("/account");
  await manager.sees(/10 recovery codes left$/);
  expect(await codes.count()).toBe(0);
});

test("from then on signing in asks for the code, once the password is right", async () => {
  const { page, sees, press, go } = await aVisit(browser, server);
  await go("/login");
  const code = page.getByLabel("Code", { exact: true });
  await page.getByLabel("Email").fill("manager@parks.example");
  await page.getByLabel("Password").fill("lamplighter-demo");
  expect(await code.count()).toBe(0);
  await press("Sign In");
  await sees("Enter the code of your authenticator app");
  await code.fill("123456");
  // It was asked for before, too.
  const refused = page.waitForResponse((response) => response.request().method() === "POST");
  await press("Sign In");
  await refused;
  await sees("Enter the code of your authenticator app");
  expect(await page.getByLabel("Email").inputValue()).toBe("manager@parks.example");
  await code.fill(codeOf(1));
  await press("Sign In");
  await page.waitForURL("**/dashboard");
  await page.context().close();
});

test("a recovery code signs in once, in the dialog after a time-out, too", async () => {
  const { page, sees, press, go } = manager;
  await go("/areas");
  await page.evaluate(() => {
    localStorage.setItem("last_active_at", "1");
    dispatchEvent(new StorageEvent("storage"));
  });
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Password").fill("lamplighter-demo");
  await press("Sign In");
  await dialog.getByLabel("Code", { exact: true }).fill(recovery_codes[0] ?? "");
  await press("Sign In");
  await dialog.waitFor({ state: "detached" });
  await go("/account");
  await sees(/9 recovery codes left$/);
  await exec(server, "DELETE FROM recovery_codes WHERE rowid NOT IN (SELECT min(rowid) FROM recovery_codes)");
  await go("/account");
  await sees(/\D1 recovery code left$/);
  await page.getByLabel("Current password").fill("lamplighter-demo");
  await press("Switch off");
  await sees("Second factor switched off");
  await expect.poll(() => page.getByRole("button", { name: "Set up" }).count()).toBe(1);
});

test("who does not hear that the first code was right sends it again, and has the recovery codes", async () => {
  const { page, sees, press, go } = await visitAs(browser, server, "employee");
  await go("/account");
  await page.getByLabel("Current password").fill("lamplighter-demo");
  await press("Set up");
  await page.getByText("No camera? Enter the key by hand").click();
  secret = await page.locator("details code").innerText();
  let isLost = false;
  await page.route("**/account.data*", async (route) => {
    if (isLost || route.request().method() !== "POST") return route.fallback();
    isLost = true;
    await route.fetch({ maxRetries: RETRIES });
    await route.abort();
  });
  const code = page.getByLabel("Code", { exact: true });
  await code.fill(codeOf(0));
  await press("Confirm");
  await sees("Failed to confirm the code");
  // The app shows another one by then.
  await code.fill(codeOf(1));
  await press("Confirm");
  await sees(/^Your second factor is on/);
  const codes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);

  const again = await aVisit(browser, server);
  await again.go("/login");
  await again.page.getByLabel("Email").fill("employee@parks.example");
  await again.page.getByLabel("Password").fill("lamplighter-demo");
  await again.press("Sign In");
  await again.page.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
  await again.press("Sign In");
  await again.page.waitForURL("**/dashboard");
});

test("whoever lost the phone sets up a new app with a recovery code, where one is required", async () => {
  const admin = await signedInAs(server, "admin");
  const email = "new.phone@parks.example";
  const { data: invited } = await admin.call("POST", "/users", { email, role: "employee" });
  const { page, sees, press, go } = await aVisit(browser, server);
  const password = "Seventeen quiet lanterns";
  const send = callsOf(page);
  const first = await send("post", "/auth/login", { email, password: invited.one_time_password });
  const { access_token } = await send("put", "/auth/password", { new_password: password }, first.access_token);
  const setup = await send("post", "/auth/second-factor", { current_password: password }, access_token);
  const code = new TOTP({ secret: setup.data.secret }).generate();
  const { data } = await send("put", "/auth/second-factor", { code }, access_token);
  await admin.call("POST", "/admin/settings", { SECOND_FACTOR_ROLES: ["employee"] });

  await go("/account");
  await page.getByLabel("Current password").fill(password);
  await press("Set up anew");
  await sees("Enter a code of your authenticator app, or a recovery code");
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("Code", { exact: true }).fill(data.recovery_codes[0]);
  await press("Set up anew");
  await page.waitForURL("**/welcome");
  await page.getByRole("heading", { name: "Set up your second factor" }).waitFor();
  await page.getByLabel("Current password").fill(password);
  await press("Set up");
  const picture = page.getByRole("img", { name: "QR code for the authenticator app" });
  await expect.poll(() => picture.count()).toBe(1);
});

test("whom one organization keeps waiting for a second factor goes on in another that asks for none", async () => {
  const city = await signedInAs(server, "admin");
  const email = "two.cities@parks.example";
  const { data: first } = await city.call("POST", "/users", { email, role: "employee" });
  const { page, sees, press, go } = await aVisit(browser, server);
  const send = callsOf(page);
  const harbor = await send("post", "/auth/login", { email: "admin@harbor.example", password: "lamplighter-demo" });
  const second = await send("post", "/users", { email, role: "employee" }, harbor.access_token);
  const newcomer = await send("post", "/auth/login", { email, password: first.one_time_password });
  const joined = await send(
    "put",
    "/auth/password",
    { new_password: "Eighteen quiet lanterns" },
    newcomer.access_token,
  );
  await send("post", "/auth/redeem", { code: second.data.one_time_password }, joined.access_token);
  await city.call("POST", "/admin/settings", { SECOND_FACTOR_ROLES: ["employee"] });

  await go("/alarms");
  await page.waitForURL("**/welcome");
  await sees("Set up your second factor");
  await press(`Work in ${harbor.user.org_memberships[0].org_name} instead`);
  await page.waitForURL("**/dashboard");
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  expect(await page.getByLabel("Organization", { exact: true }).inputValue()).toBe(harbor.user.current_org_id);
});

test("a newcomer whose organization requires a second factor sets it up once they have a password", async () => {
  const city = await signedInAs(server, "admin");
  const email = "new.and.secured@parks.example";
  await city.call("POST", "/admin/settings", { SECOND_FACTOR_ROLES: ["employee"] });
  const { data: invited } = await city.call("POST", "/users", { email, role: "employee" });
  const { page, press, go } = await aVisit(browser, server);
  await go("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(invited.one_time_password);
  await press("Sign In");
  await page.getByLabel("New password", { exact: true }).fill("Nineteen quiet lanterns");
  await page.getByLabel("New password again").fill("Nineteen quiet lanterns");
  await press("Set password");
  const heading = page.getByRole("heading", { level: 1 });
  await expect.poll(() => heading.innerText()).toBe("Set up your second factor");
});

test("without script a code that is not right keeps the picture, and the next one is taken", async () => {
  const city = await signedInAs(server, "admin");
  const email = "plain.page@parks.example";
  await city.call("POST", "/admin/settings", { SECOND_FACTOR_ROLES: ["employee"] });
  const { data: invited } = await city.call("POST", "/users", { email, role: "employee" });
  const context = await browser.newContext({ javaScriptEnabled: false });
  // As the first page of a browser without script has the next ones be.
  await context.addCookies([{ name: "script", value: "off", url: server.url }]);
  const page = await context.newPage();
  const press = (button: string) => page.getByRole("button", { name: button, exact: true }).click();
  const send = callsOf(page);
  const password = "Twenty quiet lanterns";
  const newcomer = await send("post", "/auth/login", { email, password: invited.one_time_password });
  await send("put", "/auth/password", { new_password: password }, newcomer.access_token);
  await page.goto(`${server.url}/welcome`);
  await page.getByLabel("Current password").fill(password);
  await press("Set up");
  const key = (await page.locator("details code").textContent()) ?? "";
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await press("Confirm");
  await page.getByText(/^This code is not right/).waitFor();
  expect(await page.locator("details code").textContent()).toBe(key);
  await page.getByLabel("Code", { exact: true }).fill(new TOTP({ secret: key }).generate());
  await press("Confirm");
  await expect.poll(() => page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").count()).toBe(10);
  await context.close();
});
