// npm run simulate -- --seed 7 --lives 10 --years 0.5 --lights 20
// npm run simulate -- --story forecast --seed 7 --lives 100     whether lights switch where their forecast said
// Lives of the real engine under a virtual clock, from `seed` on, one after the other; a life that fails prints its trace.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    lives: { type: "string", default: "1" },
    years: { type: "string", default: "0.1" },
    lights: { type: "string", default: "20" },
    story: { type: "string", default: "life" },
  },
});
const [seed, lives, years, lights] = [values.seed, values.lives, values.years, values.lights].map(Number);
if (![seed, lives, years, lights].every((n) => n > 0)) {
  console.error("--seed, --lives, --years and --lights are numbers above 0.");
  process.exit(2);
}
const STORIES = { life: "a city's life", forecast: "it switches|a life switches" };
if (!Object.hasOwn(STORIES, values.story)) {
  console.error(`--story is one of: ${Object.keys(STORIES).join(", ")}.`);
  process.exit(2);
}
const seeds = Array.from({ length: lives }, (_, i) => seed + i);
const SIMULATE = JSON.stringify({ seeds, days: Math.ceil(years * 365), lights });
const vitest = spawn(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--silent=false",
    "--project",
    "engine",
    "tests/simulation",
    "-t",
    STORIES[values.story],
  ],
  { stdio: "inherit", env: { ...process.env, SIMULATE } },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => vitest.kill(signal));
vitest.on("exit", (code) => process.exit(code ?? 1));
