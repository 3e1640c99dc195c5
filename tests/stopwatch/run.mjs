// npm run stopwatch   counts the clicks and keys of six everyday jobs in the demo city, and fails if one takes too many.
// Each job begins on the dashboard and is proved by the API. A select counts two clicks; scrolling and looking count none.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "../../worker/local/typescript.mjs";
import { commandLine } from "../support/command-line.mjs";
import { aDemoServer, nextMoment } from "../support/demo-server.mjs";

commandLine({});
const ZONE = "America/Los_Angeles";
const FRIDAY = 5;
/** Somebody switches a light on at night; the jobs are done on the evening after. */
const [NIGHT, EVENING] = [1 * 60 + 58, 17 * 60];
const PARK = "Linden Park";

const state_dir = await mkdtemp(join(tmpdir(), "lamplighter-stopwatch-"));
const night = await nextMoment({ zone: ZONE, weekday: FRIDAY, minutes: NIGHT });
await during(night, switchAtNight);
const evening = await nextMoment({ zone: ZONE, weekday: FRIDAY, minutes: EVENING });
process.env.TEST_CLOCK_OFFSET_MS = String(evening - Date.now()); // of the browser
const rows = await during(evening, (server) => timed(server, evening));
print(rows);
if (rows.some(({ job, quick }) => quick.clicks + quick.keys > job.most)) process.exitCode = 1;

async function during(now, work) {
  const server = await aDemoServer({ state_dir, offset_ms: now - Date.now() });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function switchAtNight(server) {
  const [{ signedInAs }, { NIGHT: light }] = await all("tests/support/staff.ts", "tests/stopwatch/jobs.ts");
  const manager = await signedInAs(server, "manager");
  const until = new Date((await nextMoment({ zone: ZONE, weekday: FRIDAY, minutes: NIGHT })) + 30 * 60_000);
  const press = { action: "on", emergency: true, until: until.toISOString(), reason: light.why };
  await manager.call("POST", `/devices/${light.id}/toggle`, press);
  // The facts of the switch are written beside the answer.
  for (let events = []; !events.some(({ note }) => note.includes(light.why));) {
    ({ events } = await manager.call("GET", `/scheduler/events?device_id=${light.id}&limit=20`));
  }
}

async function timed(server, now) {
  const [{ aBrowser }, { signedInAs }, { jobsAt }] = await all(
    "tests/support/chromium.ts",
    "tests/support/staff.ts",
    "tests/stopwatch/jobs.ts",
  );
  const staff = await signedInAs(server, "manager");
  const browser = await aBrowser();
  const rows = [];
  try {
    for (const job of jobsAt(now)) {
      const counts = [];
      for (const way of [job.menu, job.quick]) {
        await lightPark(staff);
        counts.push(await countOf(browser, server, staff, way, job.name));
      }
      const [menu, quick] = counts;
      rows.push({ job, menu, quick });
    }
  } finally {
    await browser.close();
  }
  return rows;
}

/** Some lights of the park are on, so that there is something to turn off. */
async function lightPark(staff) {
  const { data } = await staff.call("GET", "/areas");
  const { id } = data.find(({ name }) => name === PARK);
  await staff.call("POST", `/areas/${id}/toggle`, { action: "on" });
}

async function countOf(browser, server, staff, way, name) {
  const { aHand } = await load("tests/stopwatch/hand.ts");
  const { signIn, hydrated } = await load("tests/support/visit.ts");
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    locale: "en-US",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await signIn(page, server, "manager@parks.example");
  await page.goto(`${server.url}/dashboard`);
  await hydrated(page);
  const hand = aHand(page);
  try {
    await way.work(hand, staff);
    await way.proof(staff, page);
  } catch (error) {
    await page.screenshot({ path: join(tmpdir(), "lamplighter-stopwatch.png") });
    throw new Error(`${name}, by ${way.by}: not done. ${error.message}`, { cause: error });
  } finally {
    await context.close();
  }
  return hand.count;
}

function all(...paths) {
  return Promise.all(paths.map(load));
}

function print(rows) {
  const cells = rows.map(({ job, menu, quick }) => [
    job.name,
    job.quick.by,
    `${job.most}`,
    `${quick.clicks}`,
    `${quick.keys}`,
    `${quick.typed}`,
    quick.clicks + quick.keys > job.most ? "MISSED" : "met",
    `${menu.clicks + menu.keys}`,
  ]);
  const head = ["job", "by", "at most", "clicks", "keys", "typed", "goal", "by the menu"];
  const widths = head.map((_, n) => Math.max(...[head, ...cells].map((row) => row[n].length)));
  for (const row of [head, ...cells]) console.log(row.map((cell, n) => cell.padEnd(widths[n])).join("  "));
}
