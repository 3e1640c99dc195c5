// npm run simulate -- --seeds 1-40,77 --days 30 --lights 20 --ledger lives.jsonl
// npm run simulate -- --story forecast --seeds 7-106     whether lights switch where their forecast said
// npm run simulate -- --story agent --seeds 1-20 --days 365 --lights 50       a park behind an agent whose line is cut
// npm run simulate -- --story rollback                   a city whose release is taken back again and again
// npm run simulate -- --story upgrade                    a park that is cut off while the city is upgraded
// npm run simulate -- --story restore                    a city that is lost, and begins again with yesterday's backup
// npm run simulate -- --story surfaces --seeds 1-300     whether screens, API and agents tell of the nights what the engine does
// npm run simulate -- --sum lives.jsonl others.jsonl     what was lived of the engine as it is here, in several ledgers
// Lives of the real engine under a virtual clock, one after the other; a life that fails prints its trace. With a ledger
// each life that is over is written down, one that was lived before is not lived again, and what was lived is summed up.
// A city's life, and a park's, needs no test runner, and is lived without one; the other stories are tests.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { commandLine, requireWritable } from "../support/command-line.mjs";
import { startRuntime } from "./alone/runtime.mjs";
import { isSame, Ledger, seedsIn, sourcesNow } from "./ledger.mjs";

/** A process forgets the cities that it has lived in. */
const LIVES_A_PROCESS = 20;
/** Each by the titles of its tests; null: it is lived alone. */
const STORIES = {
  life: null,
  agent: null,
  forecast: "it switches|a life switches",
  rollback: "a city whose release",
  upgrade: "a park that is cut off",
  restore: "a city that is lost",
  surfaces: "all screens tell",
};

const { values, positionals } = commandLine({
  options: {
    seeds: { type: "string", default: "1" },
    days: { type: "string", default: "30" },
    lights: { type: "string", default: "20" },
    story: { type: "string", default: "life" },
    ledger: { type: "string" },
    sum: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
if (values.sum) {
  const missing = positionals.filter((file) => !existsSync(file));
  if (positionals.length === 0) refuse("--sum takes the ledgers to be summed up.");
  if (missing.length > 0) refuse(`There is no ledger ${missing.join(", ")}.`);
  console.log(new Ledger(positionals, sources()).sum());
  process.exit(0);
}
const asked = seedsIn(values.seeds);
const [days, lights] = [values.days, values.lights].map(Number);
if (asked === null) refuse("--seeds is numbers and ranges above 0, such as 1-40,77.");
if (!(days > 0 && lights > 0)) refuse("--days and --lights are numbers above 0.");
if (!Object.hasOwn(STORIES, values.story)) refuse(`--story is one of: ${Object.keys(STORIES).join(", ")}.`);
if (values.ledger !== undefined) requireWritable(values.ledger);
const ledger = values.ledger === undefined ? null : new Ledger([values.ledger], sources());
const { story } = values;
const seeds = asked.filter((seed) => !ledger?.has({ story, seed, days, lights }));
if (seeds.length < asked.length) console.log(`${asked.length - seeds.length} of these lives were lived before.`);

let running = null;
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    // What is left is lived another time.
    isStopped = true;
    running?.kill(signal);
  });
let code = 0;
for (let n = 0; n < seeds.length && !isStopped; n += LIVES_A_PROCESS) {
  const some = seeds.slice(n, n + LIVES_A_PROCESS);
  const titles = STORIES[values.story];
  const ended = await (titles === null ? liveAlone(some) : test(some, titles));
  if (ended !== 0) code = ended;
}
if (ledger) console.log(ledger.sum());
process.exitCode = code ?? 1;

function sources() {
  try {
    return sourcesNow();
  } catch (error) {
    return refuse(error.message);
  }
}

function refuse(why) {
  console.error(why);
  process.exit(2);
}

/** Lives some lives in a runtime of their own; answers 1 if one has met an objection. */
async function liveAlone(some) {
  const runtime = await startRuntime();
  running = { kill: () => runtime.end() };
  if (isOtherThanNoted()) return runtime.end().then(() => 1);
  let code = 0;
  for (const seed of some) {
    const life = { story, seed, days, lights };
    try {
      const told = await runtime.live(life);
      console.log(told);
      ledger?.note({ ...life, isWell: true, digest: Number(/digest (-?\d+)/.exec(told)?.[1]) });
    } catch (error) {
      if (isStopped) break;
      // The runtime has broken down, which says nothing of the life.
      if (!error.isObjection) throw error;
      console.log(`seed ${seed} objects: ${error.message}`);
      ledger?.note({ ...life, isWell: false });
      code = 1;
    }
  }
  if (!isStopped) await runtime.end();
  return code;
}

/** Whether somebody has changed the sources since the ledger was opened: what is lived from now on is no proof of those. */
function isOtherThanNoted() {
  if (!ledger || isSame(ledger.sources)) return false;
  console.error("The sources are other than when this began: begin again.");
  isStopped = true;
  return true;
}

/** Runs the tests of a story in a process of their own; answers how that ended. */
function test(seeds, titles) {
  const SIMULATE = JSON.stringify({ seeds, days, lights });
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--silent=false", "--project", "engine", "tests/simulation"];
  const child = spawn(process.execPath, [...vitest, "-t", titles], {
    stdio: ["inherit", "pipe", "inherit"],
    env: { ...process.env, SIMULATE },
  });
  running = child;
  createInterface({ input: child.stdout }).on("line", (line) => {
    console.log(line);
    const [, seed, end] = /seed (\d+)(:| objects:) /.exec(line) ?? [];
    const isLife = end !== ":" || / days of .* steps/.test(line);
    if (seed !== undefined && isLife && !isOtherThanNoted())
      ledger?.note({ story, seed: Number(seed), days, lights, isWell: end === ":" });
  });
  return new Promise((done) => child.on("close", done));
}
