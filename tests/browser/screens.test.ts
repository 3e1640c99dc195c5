import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriers, barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { anAdmin, openScreen, PATHS, press } from "#tests/support/screens";
import { aServer, type Server } from "#tests/support/server";

let server: Server;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  context = await anAdmin(browser, server);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test.each(PATHS)("%s opens on a desk without a complaint, and can be used without eyes or mouse", async (path) => {
  const { page, complaints } = await openScreen({ context, server }, path, { width: 1280, height: 900 });
  expect(complaints).toEqual([]);
  expect(await barriersInBoth(page)).toEqual([]);
});

test("signed out there is the sign-in, whatever is asked for; signed in an unknown path is the dashboard", async () => {
  const stranger = await browser.newPage({ reducedMotion: "reduce" });
  for (const path of ["/", "/devices", "/no-such-screen"]) {
    await stranger.goto(server.url + path);
    expect(new URL(stranger.url()).pathname).toBe("/login");
  }
  expect(await barriers(stranger)).toEqual([]);
  await stranger.getByLabel("Email").fill("nobody@parks.example");
  await stranger.getByLabel("Password").fill("not the password");
  await press(stranger, "Sign In");
  await stranger.locator("[data-sonner-toast]").waitFor();
  expect(await barriersInBoth(stranger)).toEqual([]);
  await stranger.close();

  const page = await context.newPage();
  await page.goto(`${server.url}/no-such-screen`);
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await page.close();
});
