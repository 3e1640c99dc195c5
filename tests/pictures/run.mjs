// npm run pictures   takes the README's two pictures again: the demo city as it begins, on a Friday evening.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { load } from "../../worker/local/typescript.mjs";
import { commandLine } from "../support/command-line.mjs";
import { aDemoServer, nextMoment } from "../support/demo-server.mjs";

commandLine({});
const WHERE = ".github/pictures";
/** On Friday: fields, paths and the market are lit, and a hub and a lamp are in trouble. */
const EVENING = { zone: "America/Los_Angeles", weekday: 5, minutes: 18 * 60 + 52 };
const PICTURES = [
  { name: "dashboard", path: "/dashboard", width: 1180, height: 800, colorScheme: "light" },
  { name: "device", path: "/devices/demo-light-viaduct-underpass", width: 390, height: 800, colorScheme: "dark" },
];
/** The first commands are sent, verified and written by then. */
const SETTLED_MS = 25_000;

const offset_ms = (await nextMoment(EVENING)) - Date.now();
process.env.TEST_CLOCK_OFFSET_MS = String(offset_ms); // of the browser, too
const { aBrowser } = await load("tests/support/chromium.ts");
const state_dir = await mkdtemp(join(tmpdir(), "lamplighter-pictures-"));
const server = await aDemoServer({ state_dir, offset_ms });
const browser = await aBrowser();
try {
  await sleep(SETTLED_MS);
  await mkdir(WHERE, { recursive: true });
  for (const picture of PICTURES) await take(picture);
} finally {
  await browser.close();
  await server.stop();
}

async function take({ name, path, width, height, colorScheme }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  const { url } = server;
  const credentials = { email: "manager@parks.example", password: "lamplighter-demo" };
  await context.request.post(`${url}/api/auth/login`, { data: credentials });
  const page = await context.newPage();
  await page.goto(url + path, { waitUntil: "networkidle" });
  const file = `${WHERE}/${name}.webp`;
  const picture = await webp(context, await page.screenshot());
  await writeFile(file, picture);
  console.log(`${file}: ${Math.round(picture.length / 1000)} kB`);
  await context.close();
}

/** A third of the size of Playwright's PNG; the browser itself converts it. */
async function webp(context, png) {
  const page = await context.newPage();
  const base64 = await page.evaluate(
    async (source) => {
      const image = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext("2d").drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  return Buffer.from(base64, "base64");
}
