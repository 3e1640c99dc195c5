// npm run soak -- --minutes 60 --lights 2000 --seed 7
// The built product on a city of its own, on loopback: people read, switch and book, browsers listen, agents come and go, all
// by one seed. A table at the end says whether anything failed, grew, slowed down or was lost; the exit code is 1 if so.
import { setTimeout as sleep } from "node:timers/promises";
import { commandLine } from "../support/command-line.mjs";
import { lostOf } from "./accounts.mjs";
import { aSoakCity } from "./city.mjs";
import { People } from "./people.mjs";
import { judge, print } from "./verdict.mjs";
import { Watch } from "./watch.mjs";

/** Whoever asked for something gets it, and the last bookings end, before the accounts are made up. */
const QUIET_MS = 30_000;
/** Nobody is waited for longer than that after the end. */
const PATIENCE_MS = 120_000;

const { values } = commandLine({
  options: {
    minutes: { type: "string", default: "60" },
    lights: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
  },
});
const [minutes, lights, seed] = [values.minutes, values.lights, values.seed].map(Number);
if (!(minutes > 0 && minutes <= 1_440 && lights >= 100 && lights <= 20_000 && Number.isInteger(seed))) {
  console.error("--minutes is above 0 and at most 1440, --lights 100 to 20000, --seed a whole number.");
  process.exit(2);
}

let isStopped = false;
const city = await aSoakCity({ lights, minutes });
// Miniflare is there by now: left alone it ends this process at a signal, and nobody is told what was found until then.
for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal).on(signal, () => (isStopped = true));
let failed = true;
try {
  const begins = Date.now();
  const ends = begins + minutes * 60_000;
  const isOver = () => isStopped || Date.now() >= ends;
  console.error(`${lights} lights until ${new Date(ends).toISOString()}; seed ${seed}`);
  const watch = new Watch(city, begins);
  const people = new People(city, seed, { begins, ends, isOver });
  const watching = watch.until(isOver);
  const lived = Promise.all([people.live(), watching]).then(() => true);
  const isHome = await Promise.race([lived, sleep(minutes * 60_000 + PATIENCE_MS, false)]);
  if (!isHome) people.failures.push("somebody waits for an answer that never comes");
  await sleep(people.lastEnd + QUIET_MS - Date.now());
  const left = await watch.left();
  const lost = await lostOf(city, people);
  const rows = judge({ people, watch, city, left, lost });
  print(rows, { minutes: (Math.min(Date.now(), ends) - begins) / 60_000, lights, seed });
  failed = rows.some(({ isWell }) => !isWell);
} finally {
  await city.stop();
}
process.exit(failed ? 1 : 0);
