import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { smoke } from "../../worker/local/smoke.mjs";
import { aVisit, hold, RETRIES, visitAs, type Visit, ONE_CALL } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let stranger: Visit;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  stranger = await aVisit(browser, server);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

const email = () => stranger.page.getByLabel("Email");
const password = () => stranger.page.getByLabel("Password");
const submit = () => stranger.page.getByRole("button", { name: "Sign In" }).click();

test("email and password are required, and the email must be one", async () => {
  await stranger.go("/devices");
  expect(new URL(stranger.page.url()).pathname).toBe("/login");
  await stranger.sees("Sign In", stranger.page.getByRole("main"));
  await stranger.sees("Enter your credentials to access the dashboard");
  const asked: string[] = [];
  stranger.page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  await submit();
  expect(await stranger.page.locator("input:invalid").count()).toBe(2);
  await email().fill("admin");
  await password().fill("lamplighter-demo");
  await submit();
  expect(await stranger.page.locator("input:invalid").getAttribute("name")).toBe("email");
  expect(asked).toEqual([]);
});

test("whose browser keeps no cookies is told that signing in needs one", async () => {
  const { page, go, sees } = await aVisit(browser, server);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "cookieEnabled", { value: false });
    const refuse = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    for (const storage of ["localStorage", "sessionStorage"]) Object.defineProperty(window, storage, { get: refuse });
  });
  await go("/login");
  await sees(
    "This browser keeps no cookies, and signing in needs one. Allow them for this site, then load the page again.",
  );
  expect(await page.getByRole("alert").count()).toBe(1);
});

test("the demo accounts only fill the form in", async () => {
  await stranger.sees("Quick login for demo");
  await stranger.sees("Manager Account");
  await stranger.page.getByRole("button", { name: "Manager Account" }).click();
  expect(await email().inputValue()).toBe("manager@parks.example");
  await stranger.sees("Admin Account");
  await stranger.page.getByRole("button", { name: "Admin Account" }).click();
  expect(await email().inputValue()).toBe("admin@parks.example");
  expect(await password().inputValue()).toBe("lamplighter-demo");
  expect(new URL(stranger.page.url()).pathname).toBe("/login");
});

test("what does not let in is told, and what was typed stays", async () => {
  await stranger.page.context().setOffline(true);
  await submit();
  await stranger.sees("Login failed");
  await stranger.page.context().setOffline(false);
  await password().fill("not my password");
  await submit();
  await stranger.sees("Incorrect email or password");
  expect(await email().inputValue()).toBe("admin@parks.example");
  expect(new URL(stranger.page.url()).pathname).toBe("/login");
});

test("whoever fails too often has to wait", async () => {
  const data = { email: "nobody@parks.example", password: "a guess" };
  const options = { data, maxRetries: RETRIES };
  for (let n = 0; n < 5; n += 1) await stranger.page.request.post(`${server.url}/api/auth/login`, options);
  await email().fill(data.email);
  await submit();
  await stranger.sees(/^Too many sign-in attempts\. Try again in \d+ minutes\.$/);
});

test("signing in says so, and keeps token and user", async () => {
  await email().fill("admin@parks.example");
  await password().fill("lamplighter-demo");
  const { letGo } = await hold(stranger, "POST");
  await submit();
  await stranger.sees("Signing in...");
  expect(await stranger.page.getByRole("button", { name: "Signing in..." }).isDisabled()).toBe(true);
  await letGo();
  await stranger.page.waitForURL("**/devices");
  await stranger.sees("Login successful!");
  const kept = (name: string) => stranger.page.evaluate((key) => localStorage.getItem(key), name);
  await expect.poll(() => kept("token")).not.toBeNull();
  const headers = { Authorization: `Bearer ${await kept("token")}`, ...ONE_CALL };
  const me = await fetch(`${server.url}/api/auth/me`, { headers });
  expect(JSON.parse((await kept("user")) ?? "")).toEqual(await me.json());
});

test("a hiccup while the page asks who is there signs nobody out", async () => {
  const { page, go } = await visitAs(browser, server, "manager");
  let asked = 0;
  await page.route("**/api/auth/me", (route) => ((asked += 1) === 1 ? route.abort() : route.continue()));
  await go("/areas");
  await expect.poll(() => asked).toBe(2);
  await page.waitForLoadState("networkidle");
  expect(new URL(page.url()).pathname).toBe("/areas");
  await page.close();
});

test.each(["admin", "manager", "employee"] as const)("a signed-in %s is not asked again", async (name) => {
  const visit = await visitAs(browser, server, name);
  await visit.go("/login");
  expect(new URL(visit.page.url()).pathname).toBe("/dashboard");
  await visit.page.close();
});

test("npm run smoke finds nothing wrong with it", async () => {
  // The city was made before all browser tests, and on a slow machine that is longer ago than a sweep may be.
  await server.ring("*/5 * * * *");
  const lines: string[] = [];
  const args = [server.url, "--email", "manager@parks.example", "--password-from-env", "SECRET"];
  await smoke(args, { print: (line) => lines.push(line), limit_ms: 60_000, env: { SECRET: "lamplighter-demo" } });
  expect(lines.filter((line) => !line.startsWith("ok"))).toEqual(["All 10 checks passed."]);
});
