import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import routes from "#app/routes";
import { barriers, barriersInBoth } from "#tests/support/accessibility";
import { aBrowser, leave } from "#tests/support/chromium";
import { anAdmin, hardlyScrolled, openScreen, PATHS, press, signedIn } from "#tests/support/screens";
import { aServer, type Server } from "#tests/support/server";
import { htmlOf, hydrated, RETRIES } from "#tests/support/visit";

let server: Server;
let browser: Browser;
let context: BrowserContext;
let employee: Promise<BrowserContext>;
/** A page of nothing, in which a screen's HTML is read. */
let blank: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
  context = await anAdmin(browser, server);
  employee = signedIn(browser, server, "employee@parks.example");
  blank = await browser.newPage();
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test.each(PATHS)("%s opens on a desk without a complaint, and can be used without eyes or mouse", async (path) => {
  const { page, complaints } = await openScreen({ context, server }, path, { width: 1280, height: 900 });
  expect(complaints).toEqual([]);
  expect(await hardlyScrolled(page)).toEqual([]);
  expect(await barriersInBoth(page)).toEqual([]);
});

test.each(["/dashboard", "/devices", "/login"])(
  "a press in the moment in which %s comes to life does not leave it dead",
  async (path) => {
    const visitor = await (path === "/login" ? browser.newContext() : anAdmin(browser, server));
    const page = await visitor.newPage();
    const complaints: string[] = [];
    page.on("pageerror", ({ message }) => complaints.push(message));
    await page.addInitScript(pressOnceReactListens);
    await page.goto(server.url + path);
    await hydrated(page);
    expect(await page.evaluate(() => document.documentElement.dataset["pressed"])).toBe("once");
    expect(complaints).toEqual([]);
    await visitor.close();
  },
);

/** In the browser: React listens from its first call on, and draws the page later. */
function pressOnceReactListens() {
  const { addEventListener } = document;
  document.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    addEventListener.apply(document, args);
    const { dataset } = document.documentElement;
    // Of all that listens to the document only React asks for each event that there is.
    if (args[0] !== "volumechange" || dataset["pressed"] === "once") return;
    dataset["pressed"] = "once";
    queueMicrotask(() => document.body.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  };
}

test("what is typed or chosen before the script has come counts", async () => {
  const page = await (await anAdmin(browser, server)).newPage();
  const held: Route[] = [];
  await page.route("**/assets/entry*", (route) => void held.push(route));
  const goWithoutScript = (path: string) => page.goto(server.url + path, { waitUntil: "commit" });
  const letScriptCome = async () => {
    await expect.poll(() => held.length).toBe(1);
    await held.pop()?.fallback();
  };
  const letCome = async () => {
    await letScriptCome();
    await hydrated(page);
  };
  const query = () => new URL(page.url()).search;

  await goWithoutScript("/devices");
  await page.getByRole("searchbox").fill("bandstand");
  await letCome();
  await expect.poll(query).toBe("?q=bandstand");

  await goWithoutScript("/events");
  await page.locator("summary").click();
  await page.getByLabel("From").fill("2026-01-31");
  await letCome();
  await expect.poll(query).toBe("?from=2026-01-31");

  await goWithoutScript("/history");
  await page.getByLabel("Area").selectOption("Linden Park");
  await letCome();
  await expect.poll(query).toBe("?area=demo-area-linden");

  await goWithoutScript("/connectivity");
  await page.getByLabel("Device").selectOption("demo-light-linden-bandstand");
  await letCome();
  await press(page, "Get Status");
  await page.getByText("No tests in this session yet").waitFor({ state: "hidden" });

  await goWithoutScript("/devices");
  const department = page.getByRole("combobox", { name: "Department" });
  await department.selectOption("Sports Fields");
  await letScriptCome(); // which asks for the page again, maybe before anybody could see it hydrated
  await letCome();
  expect(await department.locator("[selected]").innerText()).toBe("Sports Fields");
  await page.context().close();
});

/** What begins so leads to a change. */
const CHANGES =
  /^(New|Add|Edit|Delete|Cancel|Skip|Copy|Close|Permit|Book|Emergency|Import|Manage|Save|Run|Check|Download)\b/;
/** ... which is an employee's, too: work orders, and how they themselves are told, and press keys. */
const EVERYBODYS = /^(New Workorder|New work order|Save messages|Save shortcuts)$/;

/** As the server sends it: what a screen offers is decided there, and no script adds to it. */
test.each(PATHS)("%s offers an employee nothing that they may not do", async (path) => {
  const html = await htmlOf(await employee, server, path);
  const names = await blank.evaluate(controlsIn, html);
  const offered = names.filter((name) => CHANGES.test(name) && !EVERYBODYS.test(name));
  expect(path === "/workorders" ? offered.filter((name) => !/^(Edit|Delete) /.test(name)) : offered).toEqual([]);
});

/** Runs in a page: the names of what can be pressed in a screen, also of what comes after it and is put there. */
function controlsIn(html: string): string[] {
  const screen = new DOMParser().parseFromString(html, "text/html");
  const [main, ...lists] = screen.querySelectorAll("main, body > div[hidden][id^='S:']");
  if (!main) throw new Error("this is no screen");
  return [main, ...lists]
    .flatMap((part) => [...part.querySelectorAll("button, a")])
    .map((one) => one.getAttribute("aria-label") ?? one.textContent?.trim() ?? "");
}

test.each(PATHS)("%s says so where nothing has the words that are searched for", async (path) => {
  const html = await htmlOf(context, server, `${path}${path.includes("?") ? "&" : "?"}q=nobody-wrote-this`);
  // A short list has no search.
  if (!html.includes('type="search"')) return;
  expect(/Nothing matches your search|No events found/i.test(html)).toBe(true);
});

/** Every address of the app; what they name there is not. */
const ADDRESSES = flatRoutes(routes).map((path) => `/${path.replaceAll(/:\w+/g, "nowhere")}`);
const NONSENSE = [
  "",
  "?page=-1&q=%00%F0%9F%92%A9&sort=zz&area=%27%22&area_id=%00&status=x&view=map&tab=over&id=..&skip=%ff&edit=%00",
  "?page=1e99&date=9999-99-99&on=2026-13-45&week=2026-W99&from=275760-09-13&to=x&area_id=nowhere&device=nowhere&ids=,x,",
  "?view=week&week=2026-W99&area=nowhere&group=nowhere&open=nowhere,%00&date=-271821-04-20&tab=zz",
  "?view=list&week=%00&area=%00&limit=-1&past=zz&hub=nowhere",
];

test("no address fails, whatever somebody has typed into it", async () => {
  const failed: string[] = [];
  const visitor = await anAdmin(browser, server); // some of them set a cookie
  for (const path of ADDRESSES.filter((path) => path !== "/sign-out"))
    for (const query of NONSENSE) {
      const answer = await visitor.request.get(server.url + path + query, { maxRedirects: 0, maxRetries: RETRIES });
      const isRefused = answer.status() >= 400 && answer.status() !== 404;
      if (isRefused || (await answer.text()).includes("Unexpected Server Error")) failed.push(path + query);
    }
  await visitor.close();
  expect(failed).toEqual([]);
});

function flatRoutes(all: typeof routes): string[] {
  return all.flatMap(({ path, children = [] }) => [...(path && path !== "*" ? [path] : []), ...flatRoutes(children)]);
}

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
