import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { OFFSET_MS, shiftDate } from "./clock";
import { systemChromium } from "./find-chromium";

let running: Promise<Browser> | null = null;

/** One browser for all files of a process; each file closes what it opened. */
export function aBrowser(): Promise<Browser> {
  running ??= launch().then(prepared);
  return running;
}

/** Closes every page that was opened. */
export async function leave(browser: Browser | undefined): Promise<void> {
  const contexts = browser?.contexts() ?? [];
  const pages = contexts.filter((context) => kept.has(context)).flatMap((context) => context.pages());
  const others = contexts.filter((context) => !kept.has(context));
  await Promise.all([...pages, ...others].map((each) => each.close()));
}

/** What is open now in this process's browser. */
export async function openPages(): Promise<Page[]> {
  const browser = await running;
  return browser?.contexts().flatMap((context) => context.pages()) ?? [];
}

/** Contexts without a page, and all that come back here. They have the screens' files, compiled; a new one has none. */
const free: BrowserContext[] = [];
const kept = new WeakSet<BrowserContext>();

/** A page of a browser that remembers nobody at `origin`, in a context of its own that may have been another test's. */
export async function aFreshPage(browser: Browser, origin: string): Promise<Page> {
  const used = free.pop();
  const context = used ?? (await aKeptContext(browser));
  const page = await context.newPage();
  if (used) await forget(page, origin);
  page.once("close", () => {
    if (kept.has(context) && context.pages().length === 0) free.push(context);
  });
  return page;
}

/**
 * It is kept unless a test closes it, or gives it a clock, which stays. Nothing slides in or fades in it: painting that
 * takes processor time, and no test looks at it.
 */
async function aKeptContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const forgetIt = () => {
    kept.delete(context);
    if (free.includes(context)) free.splice(free.indexOf(context), 1);
  };
  const install = context.clock.install.bind(context.clock);
  context.clock.install = (options) => {
    forgetIt();
    return install(options);
  };
  context.once("close", forgetIt);
  kept.add(context);
  return context;
}

async function forget(page: Page, origin: string): Promise<void> {
  const context = page.context();
  await context.clearCookies();
  await context.setOffline(false);
  const line = await context.newCDPSession(page);
  const storageTypes = "local_storage,indexeddb,cache_storage";
  await line.send("Storage.clearDataForOrigin", { origin, storageTypes });
  await line.detach();
}

/**
 * Sets each page's clock to the run's, and keeps it from fetching what no test asks for, and from its service worker: past
 * one, now and then, a request slips by the test that holds it back, and setOffline has waited for one without end.
 */
function prepared(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    if (OFFSET_MS !== 0) await context.addInitScript(shiftDate, OFFSET_MS);
    if (!process.env["VITEST"]) return context; // who times screens wants them as they are
    await context.addInitScript(fetchNoOtherScreen);
    if (options?.serviceWorkers !== "allow") await context.addInitScript(knowNoServiceWorker);
    return context;
  };
  return browser;
}

/** From now on the page fetches every screen's code soon after it has loaded, as it does outside of tests. */
export async function letFetchAllScreens(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.set(window, "fetchesAllScreens", true));
}

/**
 * Runs in the page. Two seconds after it has loaded, the app fetches and compiles the code of every other screen, in case
 * the server goes away. That takes as long as the page itself, and only tests of a server that is away need it.
 */
function fetchNoOtherScreen(): void {
  const append = Node.prototype.appendChild;
  Node.prototype.appendChild = function appendUnlessPreload<T extends Node>(this: Node, node: T): T {
    const isLink = this === document.head && node instanceof HTMLLinkElement && node.rel === "modulepreload";
    // Vite's own links carry crossorigin, and React's stand in the body.
    const isOfAllScreens = isLink && !node.hasAttribute("crossorigin");
    if (isOfAllScreens && !Reflect.get(window, "fetchesAllScreens")) return node;
    append.call(this, node);
    return node;
  };
}

/** Runs in the page. Playwright's own 'block' warns in the console, which some tests read. */
function knowNoServiceWorker(): void {
  Object.defineProperty(navigator, "serviceWorker", { value: undefined });
}

function launch(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage", `--disable-features=${WITHOUT.join()}`, ELSEWHERE];
  if (process.env["VITEST"]) args.push(WITHOUT_OPTIMIZING); // who times screens wants them as they are
  return chromium.launch({ executablePath: systemChromium(), args });
}

/**
 * The browser's own popups under its address bar take more processor time with each window than the page in it. With
 * RenderDocument a page that is closed in the moment in which it is loaded anew now and then stays open, and whoever waits
 * for its end does so for ever (crbug.com/536385539). The last --disable-features replaces Playwright's, whose features for
 * Chromium are the rest of the list.
 */
const WITHOUT = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "RenderDocument",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];

/** A test's page is gone before code that was compiled twice more has paid for that. */
const WITHOUT_OPTIMIZING = "--js-flags=--no-opt,--no-maglev";

/** A name other than localhost for the same server, as a city's own would be. */
const ELSEWHERE = "--host-resolver-rules=MAP lamps.example 127.0.0.1";
