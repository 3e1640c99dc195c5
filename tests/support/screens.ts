import type { Browser, BrowserContext, Page } from "playwright-core";
import { complaintsOf } from "./complaints";
import type { Server } from "./server";
import { hydrated, signIn } from "./visit";

/** Each screen's path and its heading. */
export const SCREENS = {
  "/dashboard": "Dashboard",
  "/tonight": "Tonight",
  "/alarms": "Alarms",
  "/areas": "Area Management",
  "/closures": "Closures",
  "/permits": "Permits",
  "/hubs": "Hub Management",
  "/devices": "Device Management",
  "/schedules": "Schedule Management",
  "/schedules?view=week": "Schedule Management",
  "/workorders": "Workorders",
  "/history": "History",
  "/events": "Events Log",
  "/connectivity": "Connectivity Test",
  "/settings": "Settings",
  "/settings/agents": "On-site Agents",
  "/settings/messages": "Messages",
  "/guardrails": "Guardrail Settings",
  "/departments": "Departments",
  "/import": "Import",
  "/import/hub-account": "Add from the hub account",
  "/account": "Account",
  "/devices/demo-light-viaduct-underpass": "Underpass",
  "/areas/demo-area-viaduct": "Viaduct Path",
};
export const PATHS = Object.keys(SCREENS);

/** What can be scrolled down by a few pixels only: browsers other than the tests' draw a bar for that. */
export function hardlyScrolled(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight && scrollHeight < clientHeight + 12)
      .map((element) => `${element.tagName} ${element.ariaLabel ?? ""} ${element.className}`),
  );
}

/** An admin with animations switched off. */
export function anAdmin(browser: Browser, server: Server): Promise<BrowserContext> {
  return signedIn(browser, server, "admin@parks.example");
}

/** Somebody with animations switched off. What moves by itself is a complaint: a press in that moment is lost. */
export async function signedIn(browser: Browser, server: Server, email: string): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await context.addInitScript(warnOfShifts);
  await signIn(context, server, email);
  return context;
}

/**
 * Runs in the page. What stands right below a screen's heading moves only with that; further below, what the engine has
 * just told may come.
 */
function warnOfShifts(): void {
  const warn = ({ sources = [] }: Shift) => {
    for (const { node, previousRect: before, currentRect: now } of sources) {
      const isFirst = node instanceof Element && node.matches("main header + *");
      if (isFirst && before.y !== now.y) console.warn(`Moved by itself: ${node.nodeName} ${before.y} to ${now.y}`);
    }
  };
  new PerformanceObserver((list) => list.getEntries().forEach(warn)).observe({ type: "layout-shift", buffered: true });
}

/** A 'layout-shift', of which only Chromium tells. */
type Shift = PerformanceEntry & { sources?: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] };

/**
 * A screen in a window of that size, ready for use, and the browser's complaints from then on. It takes the place of the
 * one before in the same page: a new page takes the browser as long as many a screen.
 */
export async function openScreen(
  { context, server }: { context: BrowserContext; server: Server },
  path: string,
  viewport: { width: number; height: number },
): Promise<{ page: Page; complaints: string[] }> {
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: "light" });
  let complaints: string[] = [];
  // Only then: the screen before may complain of what its end has cut short.
  page.once("framenavigated", () => void (complaints = complaintsOf(page)));
  await page.goto(server.url + path);
  const heading = Object.entries(SCREENS).find(([known]) => known === path.split("?")[0])?.[1] ?? "";
  // An open dialog hides the page from a reader, at once or only when it is hydrated.
  await page.getByRole("heading", { level: 1, name: heading, includeHidden: true }).waitFor();
  await hydrated(page);
  return { page, complaints };
}

export async function press(page: Page, button: string) {
  await page.getByRole("button", { name: button, exact: true }).last().click();
}
