import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type TestProjectConfiguration, type TestProjectInlineConfiguration } from "vitest/config";
import { shiftSql } from "./tests/support/clock";
import { dropNoise } from "./tests/support/quiet";
import { Sequencer } from "./tests/support/sequence";
import { planted } from "./tests/planted/plugin";

dropNoise(process.stderr);
dropNoise(process.stdout);
process.env["WRANGLER_LOG"] ??= "warn";
// As a deployment has it, whatever the host's zone; the domain's tests have zones of their own.
process.env["TZ"] = "UTC";
// As if the run began at TEST_CLOCK (tests/support/clock.ts). The offset is made once, and what is started inherits it.
const { TEST_CLOCK } = process.env;
if (TEST_CLOCK) process.env["TEST_CLOCK_OFFSET_MS"] ??= String(Date.parse(TEST_CLOCK) - Date.now());
const OFFSET_MS = Number(process.env["TEST_CLOCK_OFFSET_MS"] ?? 0);
const CLOCK = "tests/support/set-clock.ts";

const CORES = Math.max(2, availableParallelism());

/** Wall-clock rules may not depend on where the machine stands: each domain test runs in all of these. */
const HOST_ZONES = ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"];

/** Remix's CommonJS does not load in workerd otherwise; the others would load as hundreds of files in each runtime. */
const BUNDLED = [
  "@remix-run/cloudflare",
  "date-fns-tz",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "hono",
  "hono/html",
  "hono/jwt",
  "hono/secure-headers",
  "hono/utils/cookie",
  "ical.js",
  "otpauth",
  "suncalc",
  "zod",
];

/** Node takes the first path that package.json has for a name, and so finds no .tsx. */
export const SCREENS = { alias: [{ find: /^#app\/(.*)$/, replacement: `${import.meta.dirname}/app/$1` }] };

// wrangler.toml names the assets' directory, and the tests in workerd need it to exist, built or not.
mkdirSync("build/client", { recursive: true });

export default defineConfig({
  test: {
    projects: [
      providers(), // first: its longest file mostly waits, and at the end nothing would run beside it
      ...HOST_ZONES.map(domainIn),
      inWorkerd("worker", ["tests/worker/**/*.test.ts", "tests/db/**/*.test.ts"]),
      inWorkerd("engine", ["tests/durable/**/*.test.ts", "tests/simulation/**/*.test.ts"]),
      browser(),
      quotedTexts(),
    ],
    maxWorkers: CORES + 1, // with each more a runtime starts, which takes as long as many files
    silent: "passed-only",
    sequence: { sequencer: Sequencer },
  },
});

function domainIn(TZ: string): TestProjectConfiguration {
  return {
    plugins: [planted()],
    resolve: SCREENS,
    test: {
      name: `domain ${TZ}`,
      include: [
        "tests/domain/**/*.test.ts",
        ...(TZ === "UTC"
          ? ["tests/*.test.ts", "tests/planted/*.test.ts", "tests/figures/*.test.ts", "tests/app/**/*.test.ts?(x)"]
          : []),
      ],
      environment: "node",
      pool: "forks", // a thread cannot have a time zone of its own
      isolate: false,
      env: { TZ },
      setupFiles: [CLOCK],
      testTimeout: 60_000,
    },
  };
}

/**
 * The real worker and its Durable Object inside workerd; the screens are not built. The files of a worker share a runtime
 * and its modules; each begins with an empty D1 and no object.
 */
export function inWorkerd(name: string, include: string[]): TestProjectInlineConfiguration {
  return {
    plugins: [
      planted(),
      cloudflareTest(async () => ({
        wrangler: { configPath: "./wrangler.toml" },
        ...(OFFSET_MS === 0 ? {} : { main: "tests/support/shifted-worker.ts" }),
        miniflare: {
          bindings: {
            DEMO: "on",
            CLIENT_ADDRESS_HEADER: "CF-Connecting-IP",
            SESSION_SECRET: "a secret that only the tests know, and long enough",
            SETTINGS_KEY: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            TWILIO_ACCOUNT_SID: "",
            TWILIO_AUTH_TOKEN: "",
            TWILIO_FROM: "",
            OPERATOR_TOKEN: "",
            DEADMAN_URL: "",
            SIMULATION: simulation(),
            // How many generated requests; `npm run hunt` sends more.
            HUNT: Number(process.env.HUNT ?? 2_500),
            TEST_MIGRATIONS: await migrations(),
            TEST_CLOCK_OFFSET_MS: String(OFFSET_MS),
          },
        },
      })),
    ],
    resolve: {
      alias: [
        {
          find: /^.*\/build\/server(\/index(\.js)?)?$/,
          replacement: import.meta.dirname + "/tests/support/unbuilt-screens.ts",
        },
        {
          find: /^.*\/build\/agent\/agent\.json$/,
          replacement: import.meta.dirname + "/tests/support/unbuilt-agent.json",
        },
      ],
    },
    test: {
      name,
      include,
      isolate: false, // starting a runtime and loading the worker takes longer than most files
      setupFiles: [CLOCK, "tests/support/said.ts", "tests/support/fresh-storage.ts"],
      testTimeout: 90_000,
      deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
    },
  };
}

async function migrations() {
  const all = await readD1Migrations("./db/migrations");
  return all.map(({ name, queries }) => ({ name, queries: queries.map((query) => shiftSql(query, OFFSET_MS)) }));
}

type Lives = { seeds: number[]; days: number; lights: number };

/** How much is lived in `npm test`, of it by parks behind an agent; `npm run simulate` asks for more. */
function simulation(): Lives & { parks: Lives } {
  const { SIMULATE } = process.env;
  if (SIMULATE) return { ...JSON.parse(SIMULATE), parks: JSON.parse(SIMULATE) };
  return { seeds: [11, 12, 13], days: 14, lights: 20, parks: { seeds: [11], days: 2, lights: 6 } };
}

/** The vendor's protocol against the simulator, over real HTTP; the on-site agent, over real sockets; the last release. */
function providers(): TestProjectConfiguration {
  return {
    plugins: [planted()],
    test: {
      name: "providers",
      include: ["tests/providers/**/*.test.ts", "tests/agent/**/*.test.ts", "tests/releases/**/*.test.ts"],
      environment: "node",
      pool: "forks",
      isolate: false,
      setupFiles: [CLOCK],
      testTimeout: 60_000,
    },
  };
}

/** The whole thing, as `npm start` runs it, in a real browser; each file has a server of its own. */
function browser(): TestProjectConfiguration {
  return {
    test: {
      name: "browser",
      include: ["tests/browser/**/*.test.ts"],
      environment: "node",
      pool: "forks",
      isolate: false, // the files of a process share its modules and its browser
      setupFiles: [CLOCK, "tests/support/tell-screens.ts"],
      globalSetup: "tests/support/browser-setup.mjs",
      sequence: { groupOrder: 1 }, // after the others, because only these are
      maxWorkers: CORES + 2, // more than there are cores: they mostly wait
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 15_000 } }, // a screen may be slow on a busy machine; as long as a locator waits
    },
  };
}

/** Last of all: it judges what the browser's files have seen. */
function quotedTexts(): TestProjectConfiguration {
  return {
    test: {
      name: "quoted-texts",
      include: ["tests/quoted-texts/*.test.ts"],
      environment: "node",
      sequence: { groupOrder: 2 },
      maxWorkers: 1,
    },
  };
}
