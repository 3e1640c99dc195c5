import type { Browser, BrowserContext, Locator, Page, Request, Route } from "playwright-core";
import { expect, onTestFinished, TestRunner } from "vitest";
import { aFreshPage } from "./chromium";
import { seen } from "./seen";
import type { Server } from "./server";
import { step } from "./steps";

export type Visit = {
  page: Page;
  /** Waits until an element with exactly this text is visible, and records it for tests/quoted-texts. */
  sees: (text: string | RegExp, within?: Locator) => Promise<void>;
  press: (button: string) => Promise<void>;
  /** The names of the visible buttons that match. */
  buttons: (fitting: RegExp) => Promise<string[]>;
  go: (path: string) => Promise<void>;
  /** Loads the page again. */
  reload: () => Promise<void>;
  /** How many answers with a screen's data are under way. Their lists come last, after the screen itself. */
  loading: () => number;
};

/** A page signed in as a demo account. */
export async function visitAs(
  browser: Browser | BrowserContext,
  server: Pick<Server, "url">,
  name: "admin" | "manager" | "employee" | "auditor" | "regional",
): Promise<Visit> {
  const visit = await aVisit(browser, server);
  await signIn(visit.page, server, `${name}@parks.example`);
  return visit;
}

/** Signs a page, and all of its context, in as a demo account; throws if that is refused. */
export async function signIn(
  { request }: Page | BrowserContext,
  { url }: Pick<Server, "url">,
  email: string,
): Promise<void> {
  const data = { email, password: "lamplighter-demo" };
  await request.post(`${url}/api/auth/login`, { data, failOnStatusCode: true, maxRetries: RETRIES });
}

/** The HTML of a screen as its server sends it. */
export async function htmlOf(
  { request }: Page | BrowserContext,
  { url }: Pick<Server, "url">,
  path: string,
): Promise<string> {
  return (await request.get(url + path, { maxRetries: RETRIES })).text();
}

/** The HTML of screens as their server sends them to a demo account, without a page that would show them. */
export async function htmlFor(
  browser: Browser,
  server: Pick<Server, "url">,
  name: "admin" | "manager" | "employee" | "auditor" | "regional",
  ...paths: string[]
): Promise<string[]> {
  const context = await browser.newContext();
  await signIn(context, server, `${name}@parks.example`);
  const screens = await Promise.all(paths.map((path) => htmlOf(context, server, path)));
  await context.close();
  return screens;
}

/** What a screen's HTML, or a part of it, says: its texts without tags and scripts. What stands in an attribute is none. */
export function wordsOf(html = ""): string {
  const bare = html.replaceAll(/<script[^]*?<\/script>|<!--.*?-->/g, "").replaceAll(/<[^>]+>|\s+/g, " ");
  return bare.replaceAll(/ +/g, " ").replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
}

/** The HTML of a card of that name, or undefined. */
export function cardIn(html: string, name: string): string | undefined {
  return html
    .split("<article ")
    .find((card) => card.startsWith(`aria-label="${name}"`))
    ?.split("</article>")[0];
}

/** A server closes a line after some idle seconds, also while a request is on its way. */
export const RETRIES = 2;

/** Headers of a call of Node's: a line that it keeps would be taken for the next call, in the moment in which it is closed. */
export const ONE_CALL = { Connection: "close" };

/**
 * A page that is not signed in; with a context, another tab of it. One that a test opens is closed when it ends: an open
 * page reads its lists anew at every change that the next tests make.
 */
export async function aVisit(browser: Browser | BrowserContext, server: Pick<Server, "url">): Promise<Visit> {
  const page = await ("newContext" in browser ? aFreshPage(browser, server.url) : browser.newPage());
  if (TestRunner.getCurrentTest()) onTestFinished(() => page.close());
  page.setDefaultTimeout(15_000);
  const loading = countLoading(page);
  return {
    page,
    loading,
    sees: async (text, within) => {
      step(`sees ${text}`);
      const found = (within ?? page).getByText(text, { exact: true }).filter({ visible: true }).first();
      await found.waitFor();
      seen(typeof text === "string" ? text : await found.innerText());
    },
    press: async (button) => {
      step(`presses ${button}`);
      await page.getByRole("button", { name: button, exact: true }).last().click();
    },
    buttons: (fitting) =>
      page
        .getByRole("main")
        .getByRole("button", { name: fitting })
        .evaluateAll((all) => all.map((button) => button.ariaLabel ?? button.textContent ?? "")),
    go: async (path) => {
      step(`goes to ${path}`);
      await page.goto(server.url + path);
      await hydrated(page);
    },
    reload: async () => {
      step("reloads");
      await page.reload();
      await hydrated(page);
    },
  };
}

function countLoading(page: Page): () => number {
  const underWay = new Set<Request>();
  const end = (request: Request) => void underWay.delete(request);
  page.on("request", (request) => new URL(request.url()).pathname.endsWith(".data") && underWay.add(request));
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return () => underWay.size;
}

/**
 * Waits until React has hydrated the page: it replays earlier clicks, but not earlier input. Not by `waitForFunction`: for
 * that Playwright loads all of its code for selectors into each new document.
 */
export async function hydrated(page: Page): Promise<void> {
  const look = page.evaluate(async (patience_ms) => {
    const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith("__reactProps"));
    const all = () => [...document.querySelectorAll("a, button, input, select, textarea")];
    const frame = () => new Promise(requestAnimationFrame);
    const until = performance.now() + patience_ms;
    while (!all().every(isHydrated)) {
      if (performance.now() > until) throw new Error("The page is not hydrated");
      await frame();
    }
    // React listens to the window, and to what is typed, only after the next frame.
    await frame();
    await frame();
  }, 15_000);
  await look.catch((error: unknown) => {
    // It has gone on to another one meanwhile.
    if (String(error).includes("Execution context was destroyed")) return hydrated(page);
    throw error;
  });
}

/** Chooses an organization or a department in the bar, unless it is chosen; the page is loaded anew then. */
export async function switchTo({ page }: Visit, what: "Organization" | "Department", name: string): Promise<void> {
  step(`switches to ${name}`);
  const choice = page.getByRole("banner").getByLabel(what, { exact: true });
  if ((await choice.locator("option:checked").innerText()) === name) return;
  const loaded = page.waitForEvent("load");
  await choice.selectOption({ label: name });
  await loaded;
  await hydrated(page);
}

/** Waits until code has come that is fetched after the page. */
export async function arrived({ page }: Pick<Visit, "page">, name: string): Promise<void> {
  const files = () => page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name));
  await expect.poll(files, { timeout: 15_000 }).toContainEqual(expect.stringContaining(name));
}

/** The text of a card as it is shown. A card that has just come may not be laid out yet (content-visibility), and has none. */
export async function shownText(card: Locator): Promise<string> {
  const read = () => card.innerText();
  await expect.poll(read, { timeout: 15_000 }).not.toBe("");
  return read();
}

/** The place of what slides into the page, once it has come to rest. */
export async function placeOf(sliding: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  let place = await sliding.boundingBox();
  const isAtRest = async () => {
    const before = JSON.stringify(place);
    place = await sliding.boundingBox();
    return place !== null && JSON.stringify(place) === before;
  };
  await expect.poll(isAtRest, { timeout: 15_000 }).toBe(true);
  return place ?? { x: 0, y: 0, width: 0, height: 0 };
}

/** Hides the page like a background tab, so that its lists do not poll. What it had begun to load has come then. */
export async function hide({ page, loading }: Visit, hidden = true): Promise<void> {
  step(hidden ? "hides" : "is seen again");
  await page.evaluate((value) => Object.defineProperty(document, "hidden", { value, configurable: true }), hidden);
  if (hidden) await expect.poll(loading, { timeout: 15_000 }).toBe(0);
}

/**
 * Keeps a list that failed as it is, until `tryAgain`: told of a change, or by the clock, it would load by itself once it
 * can, and nothing would be left to press.
 */
export async function keepFailure(visit: Visit): Promise<void> {
  // A reload that began before must have failed too. The button is ready again before the list of a reload arrives.
  await hide(visit);
  await visit.page.getByRole("button", { name: "Try again", exact: true, disabled: false }).last().waitFor();
}

/** Presses the button of a list that failed, which `keepFailure` has kept. */
export async function tryAgain(visit: Visit): Promise<void> {
  await visit.press("Try again");
  await hide(visit, false);
}

/** Records every text of an element, or value of its attribute, from now on, also those shown for a moment only. */
export async function momentsOf(element: Locator, attribute?: string): Promise<() => Promise<(string | null)[]>> {
  const seen = await element.evaluateHandle((node, name) => {
    const read = () => (name === undefined ? node.textContent : node.getAttribute(name));
    const values = [read()];
    const look = () => void (read() !== values.at(-1) && values.push(read()));
    new MutationObserver(look).observe(node, { attributes: true, characterData: true, childList: true, subtree: true });
    return values;
  }, attribute);
  return () => seen.jsonValue();
}

type Hold = {
  /** Waits for the first that is held, and lets it go alone. */
  letOneGo: () => Promise<void>;
  /** Lets go what is held, and holds no more. */
  letGo: () => Promise<void>;
};

/**
 * Holds what a page sends (POST) or asks for (GET): what a screen shows meanwhile can be looked at for as long as a busy
 * machine takes.
 */
export async function hold({ page }: Pick<Visit, "page">, method: "GET" | "POST"): Promise<Hold> {
  const held: Route[] = [];
  let isHolding = true;
  const keep = async (route: Route) => {
    if (!isHolding || route.request().method() !== method) return route.fallback();
    held.push(route);
  };
  await page.route("**/*.data*", keep);
  // What was given up meanwhile goes nowhere.
  const send = (route: Route | undefined) => route?.fallback().catch(() => undefined);
  return {
    letOneGo: async () => {
      // A screen may say that something is under way before it has left.
      await expect.poll(() => held.length, { timeout: 15_000 }).toBeGreaterThan(0);
      await send(held.shift());
    },
    letGo: async () => {
      // Only then is the route taken away: with the last one the browser stops asking, and forgets what it asked.
      isHolding = false;
      await Promise.all(held.map(send));
      await page.unroute("**/*.data*", keep);
    },
  };
}

/** Holds back what every page fetches after it, until the returned function is called. */
export async function holdLateCode({ page }: Pick<Visit, "page">): Promise<() => void> {
  let letGo = () => {};
  const isLetGo = new Promise<void>((done) => (letGo = done));
  await page.route("**/assets/{connect,idle-watch,leave-question,offline-bar,wayfinding}-*.js", async (route) => {
    await isLetGo;
    await route.fallback();
  });
  return letGo;
}

/** Lets the page's next form arrive, and not its answer. */
export async function loseNextAnswer({ page }: Pick<Visit, "page">): Promise<void> {
  let isLost = false;
  await page.route("**/*.data*", async (route) => {
    if (route.request().method() !== "POST" || isLost) return route.fallback();
    isLost = true;
    await route.fetch({ maxRetries: RETRIES });
    await route.abort();
  });
}

/** Makes a table, or 'table.column', fail during the work, to test the message for a real failure. */
export async function without(server: Server, what: string, work: () => Promise<void>): Promise<void> {
  const [table = "", column] = what.split(".");
  const rename = (from: string, to: string) =>
    column ? `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}` : `ALTER TABLE ${from} RENAME TO ${to}`;
  const name = column ?? table;
  await meanwhile(server, rename(name, `${name}_away`), work, rename(`${name}_away`, name));
}

/** Makes the departments' names unreadable; the table itself is needed for signing in. */
export function withoutDepartmentNames(server: Server, work: () => Promise<void>): Promise<void> {
  return meanwhile(
    server,
    `ALTER TABLE departments RENAME TO departments_away
     CREATE VIEW departments AS SELECT id, org_id, version, created_at, json('{') AS name FROM departments_away`,
    work,
    `DROP VIEW departments
     ALTER TABLE departments_away RENAME TO departments`,
  );
}

/** Runs statements, one a line, on the running server's database, for states that no screen or call can reach. */
export async function exec(server: Server, statements: string): Promise<void> {
  await server.batch(statements.split("\n").map((statement) => [statement]));
}

/** Runs the work between two groups of statements on the running server's database. */
export async function meanwhile(
  server: Server,
  before: string,
  work: () => Promise<void>,
  after: string,
): Promise<void> {
  step("makes it fail");
  await exec(server, before);
  try {
    await work();
  } finally {
    step("mends it");
    await exec(server, after);
  }
}
