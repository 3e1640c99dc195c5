import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { Miniflare } from "miniflare";
import { readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { build } from "vite";
import { z } from "zod";
import { OFFSET_MS } from "#tests/support/clock";

const COMPATIBILITY_DATE = "2026-04-20";

const counted = z.object({ built: z.number(), opened: z.number() });

/** The object and the agents' door, in the runtime that runs them, which puts an idle object to sleep. */
export type RealCity = {
  url: string;
  /** Runs SQL on D1. */
  run: (statement: string, ...values: (string | number | null)[]) => Promise<void>;
  sync: (org_id: string) => Promise<void>;
  /** How often the object was built, and how often an agent has come. */
  counted: () => Promise<z.infer<typeof counted>>;
  close: () => Promise<void>;
};

export async function aRealCity(): Promise<RealCity> {
  const runtime = new Miniflare({
    cf: false,
    host: "127.0.0.1",
    handleStructuredLogs: () => undefined,
    modules: [{ type: "ESModule", path: "index.js", contents: await bundled("tests/agent/city-worker.ts") }],
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: ["nodejs_compat"],
    d1Databases: { DB: "city" },
    durableObjects: {
      SCHEDULER: { className: "OrgScheduler", useSQLite: true },
      RUNNER: { className: "Runner", useSQLite: true },
    },
    ratelimits: { AGENT_TRIES: { simple: { limit: 100, period: 60 } } },
    bindings: {
      DEMO: "off",
      DIRECT_HUBS: "off",
      CONNECTIONS: "6",
      CLIENT_ADDRESS_HEADER: "none",
      SETTINGS_KEY: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    },
  });
  const url = (await runtime.ready).origin;
  const d1 = await runtime.getD1Database("DB");
  const migrations = await readD1Migrations("db/migrations");
  await d1.batch(migrations.flatMap(({ queries }) => queries.map((query) => d1.prepare(query))));
  return {
    url,
    run: async (statement, ...values) => {
      await d1
        .prepare(statement)
        .bind(...values)
        .run();
    },
    sync: async (org_id) => {
      await fetch(`${url}/sync/${org_id}`, { method: "POST" });
    },
    counted: async () => counted.parse(await (await fetch(`${url}/counted`)).json()),
    close: () => runtime.dispose(),
  };
}

/** An organization with one hub that has an agent, and one lamp on it; nothing is switched but what a test asks for. */
export async function aParkInD1({ run }: RealCity, hub: { port: number; lamp: string }, secret: string): Promise<void> {
  const hash = createHash("sha256").update(secret).digest("hex");
  await run("INSERT INTO organizations (id, name) VALUES ('city', 'City')");
  await run("INSERT INTO areas (id, org_id, name, type) VALUES ('park', 'city', 'Park', 'park')");
  await run(
    "INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES ('a1', 'city', 'Riverside', ?, 'abcd')",
    hash,
  );
  await run(
    `INSERT INTO hubs (id, org_id, area_id, name, ip_address, port, connection_mode, agent_id)
     VALUES ('h1', 'city', 'park', 'North hub', '127.0.0.1', ?, 'local', 'a1')`,
    hub.port,
  );
  await run(
    "INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id) VALUES ('d1', 'city', 'park', 'h1', 'Pole', ?)",
    hub.lamp,
  );
  const settings = {
    PROVIDER_MODE: "local",
    APP_TIMEZONE: "UTC",
    HARD_CURFEW_OFF: "",
    BLACKOUT_WINDOW: "",
    WATCHDOG_ENABLED: false,
    HUB_CHECK_INTERVAL_SEC: 86_400,
  };
  for (const [key, value] of Object.entries(settings))
    await run("INSERT INTO settings (org_id, key, value) VALUES ('city', ?, ?)", key, JSON.stringify(value));
}

async function bundled(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "error",
    define: { "process.env.TEST_CLOCK_OFFSET_MS": JSON.stringify(String(OFFSET_MS)) },
    ssr: { noExternal: true, target: "webworker" },
    // What is built for downloading is not part of it.
    resolve: {
      alias: [{ find: /^.*\/build\/agent\/agent\.json$/, replacement: resolve("tests/support/unbuilt-agent.json") }],
    },
    build: {
      ssr: entry,
      write: false,
      minify: false,
      copyPublicDir: false,
      rollupOptions: { external: [/^cloudflare:/, /^node:/], output: { format: "es", inlineDynamicImports: true } },
    },
  });
  const { output } = z
    .object({ output: z.array(z.looseObject({ type: z.string() })) })
    .parse(Array.isArray(made) ? made[0] : made);
  return z.object({ code: z.string() }).parse(output.find(({ type }) => type === "chunk")).code;
}
