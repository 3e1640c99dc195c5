import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** The browser that is there: named by CHROMIUM_PATH, the system's, or the one that Playwright installed. */
export function aBrowser(): Promise<Browser> {
  const installed = [process.env.CHROMIUM_PATH, ...SYSTEM, chromium.executablePath()];
  const executablePath = installed.find((path) => path && existsSync(path));
  if (!executablePath) {
    throw new Error(
      "No Chromium for the browser tests. Install one with `apt-get install chromium` or " +
        "`npx playwright-core install chromium`, or name it in CHROMIUM_PATH.",
    );
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

const SYSTEM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
