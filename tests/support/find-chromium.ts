import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** A headless shell takes much less processor time than a whole Chromium, which will do as well. */
const PACKAGE = "chromium-headless-shell";
const SYSTEM = [`/usr/bin/${PACKAGE}`, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of CHROMIUM_PATH or of the system's Chromium; undefined stands for Playwright's own, which it finds itself. */
export function systemChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  if (!CHROMIUM_PATH) return SYSTEM.find((path) => existsSync(path));
  if (!existsSync(CHROMIUM_PATH)) throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not exist.`);
  return CHROMIUM_PATH;
}

/**
 * Installs a Chromium if there is none: Playwright's or, where that cannot be downloaded or lacks libraries, the system's.
 * Throws with what to do if neither works.
 */
export async function ensureChromium(): Promise<void> {
  if (systemChromium() || (await playwrightsStarts())) return;
  console.log("There is no Chromium for the browser tests. Installing Playwright's.");
  const installer = ["node_modules/playwright-core/cli.js", "install", "--only-shell", "chromium"];
  if ((await run(process.execPath, installer)) && (await playwrightsStarts())) return;
  if (process.getuid?.() === 0) {
    console.log("Playwright's cannot be used. Installing the system's.");
    await run("apt-get", ["update"]);
    for (const name of [PACKAGE, "chromium"]) {
      if ((await run("apt-get", ["install", "-y", "--no-install-recommends", name])) && systemChromium()) return;
    }
  }
  throw new Error(
    "The browser tests need Chromium, and it could not be installed. Install it, for example with " +
      `\`apt-get install ${PACKAGE}\`, or name one in CHROMIUM_PATH.`,
  );
}

async function playwrightsStarts(): Promise<boolean> {
  const browser = await chromium.launch({ args: ["--no-sandbox"] }).catch(() => null);
  await browser?.close();
  return browser !== null;
}

/** Whether the command ran and succeeded. Its output is shown: a download takes its time. */
function run(command: string, args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env });
  return new Promise((done) => {
    child.on("error", () => done(false));
    child.on("exit", (code) => done(code === 0));
  });
}
