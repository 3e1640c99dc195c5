import { chromium, type Browser } from "playwright-core";
import { OFFSET_MS, shiftDate } from "./clock";
import { systemChromium } from "./find-chromium";

let running: Promise<Browser> | null = null;

/** One browser for all files of a process; each file closes what it opened. */
export function aBrowser(): Promise<Browser> {
  running ??= launch().then(withClock);
  return running;
}

/** Closes every page that was opened. */
export async function leave(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** Sets each page's clock to the run's. */
function withClock(browser: Browser): Browser {
  if (OFFSET_MS === 0) return browser;
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    await context.addInitScript(shiftDate, OFFSET_MS);
    return context;
  };
  return browser;
}

function launch(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage", `--disable-features=${WITHOUT.join()}`, ELSEWHERE];
  return chromium.launch({ executablePath: systemChromium(), args });
}

/**
 * The browser's own popups under its address bar take more processor time with each window than the page in it. The last
 * --disable-features replaces Playwright's, whose features for Chromium are the rest of the list.
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
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];

/** A name other than localhost for the same server, as a city's own would be. */
const ELSEWHERE = "--host-resolver-rules=MAP lamps.example 127.0.0.1";
