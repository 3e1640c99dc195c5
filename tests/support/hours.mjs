// `npm run test:hours` runs the whole suite, or a part (`npm run test:hours -- --project engine`), as if at eight hours of
// the day, at both changes of the clocks and on December 31.
import { spawn } from "node:child_process";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ZONE = "America/Los_Angeles";

const outcomes = {};
let isStopped = false;
for (const [name, begins] of Object.entries(clocks(Date.now()))) {
  if (isStopped) break;
  console.log(`\n${name}: as if the run began at ${begins}\n`);
  outcomes[name] = await run(begins);
}
console.table(outcomes);
process.exitCode = Object.values(outcomes).every((outcome) => outcome === "passed") ? 0 : 1;

/** When each run begins (ISO 8601): ahead of now and 14 minutes before the hour, so that the hour turns during the run. */
function clocks(now) {
  const today = now - (now % (24 * HOUR_MS));
  const hours = [0, 3, 6, 9, 12, 15, 18, 21].map((hour) => [
    `${hour}:00 UTC`,
    new Date(today + (24 + hour) * HOUR_MS - 14 * MINUTE_MS).toISOString(),
  ]);
  const changes = [nextChange(now), nextChange(nextChange(now))].map((at) => [
    `the night of ${new Date(at).toISOString().slice(0, 10)}, in which the clocks change`,
    new Date(at - 14 * MINUTE_MS).toISOString(),
  ]);
  const [year, last_day] = [new Date(now).getUTCFullYear(), (y) => Date.UTC(y, 11, 31, 23, 46)];
  const eve = new Date(last_day(year) > now ? last_day(year) : last_day(year + 1)).toISOString();
  return Object.fromEntries([...hours, ...changes, ["December 31", eve]]);
}

/** The next full hour at which the zone's clocks change. */
function nextChange(after) {
  let at = after - (after % HOUR_MS) + HOUR_MS;
  while (offsetAt(at) === offsetAt(at + HOUR_MS)) at += HOUR_MS;
  return at + HOUR_MS;
}

function offsetAt(at) {
  return new Date(at).toLocaleString("en-US", { timeZone: ZONE, timeZoneName: "longOffset" }).split(" ").at(-1);
}

function run(TEST_CLOCK) {
  const child = spawn(process.execPath, ["tests/support/run.mjs", ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, TEST_CLOCK },
  });
  const stop = (signal) => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
  return new Promise((resolve) => child.on("exit", (code) => resolve(code === 0 ? "passed" : "failed")));
}
