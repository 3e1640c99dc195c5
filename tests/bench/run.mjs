// `npm run bench -- --lights 10000`: what Devices costs the server and the browser in the demo city and with so many lights more, on
// one server in one run; in milliseconds, the median of nine, of a visit's steps of three. The ratio is what counts, the machine is
// what it is.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Miniflare } from "miniflare";
import { migrate, withDatabase } from "../../worker/local/database.mjs";
import { builtWorker, runtimeOptions } from "../../worker/local/runtime.mjs";
import { makeSecrets } from "../../worker/local/secrets.mjs";
import { load } from "../../worker/local/typescript.mjs";
import { measureScreen } from "./screen.mjs";

const { values } = parseArgs({ options: { lights: { type: "string", default: "10000" } } });
const port = Number(process.env.PORT ?? 8791);
const url = `http://localhost:${port}`;
process.env.TZ = "UTC";
const state_dir = await mkdtemp(join(tmpdir(), "lamplighter-bench-"));
const miniflare = await aServer();

try {
  const headers = await signedIn();
  const few = await measure(headers);
  await grow(Number(values.lights));
  const many = await measure(headers);
  console.table(Object.fromEntries(Object.keys(few).map((step) => [step, row(few[step], many[step])])));
} finally {
  await miniflare.dispose();
  await rm(state_dir, { recursive: true, force: true });
}

function row(few, many) {
  return { few: Math.round(few), many: Math.round(many), ratio: few > 0 ? (many / few).toFixed(2) : "" };
}

async function measure(headers) {
  const into = {};
  const ask = async (path, init) => {
    const answer = await fetch(url + path, { headers, ...init });
    await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  };
  const { data } = await (await fetch(`${url}/api/devices`, { headers })).json();
  const [{ id, ...device }] = data;
  const send = (method, body) => ({ method, body: JSON.stringify(body) });
  let rules = 0; // each time others: the engine looks at every light
  const steps = {
    "the page": () => ask("/devices"),
    "a poll": () => ask("/devices.data"),
    "the last page": () => ask("/devices.data?page=9999"),
    "a search": () => ask("/devices.data?q=car%20park"),
    "quick search": () => ask("/find.data?q=car%20park"),
    history: () => ask("/history.data"),
    "connectivity test": () => ask("/connectivity.data"),
    "new rules": () =>
      ask("/api/admin/settings/guardrails", send("POST", { MAX_ON_DURATION_MIN: 239 + (rules++ % 2) })),
    "a press behind new rules": async () => {
      const rules_told = steps["new rules"]();
      await ask(`/api/devices/${id}/toggle`, send("POST", { action: "off" }));
      return () => rules_told;
    },
    "an edit": () => ask(`/api/devices/${id}`, send("PUT", device)),
    "a press": () => ask(`/api/devices/${id}/toggle`, send("POST", { action: "off" })),
    "a press after an edit": async () => {
      await ask(`/api/devices/${id}`, send("PUT", device));
      await ask(`/api/devices/${id}/toggle`, send("POST", { action: "off" }));
    },
  };
  for (const [step, work] of Object.entries(steps)) {
    await work(); // warm; in the large city the first press waits for the engine to have read it
    const times = [];
    for (let time = 0; time < 9; time += 1) {
      const began = performance.now();
      const rest = await work();
      times.push(performance.now() - began);
      await rest?.();
    }
    into[step] = times.toSorted((a, b) => a - b)[4];
  }
  return { ...into, ...(await measureScreen(url, headers.Authorization.replace("Bearer ", ""))) };
}

/** The worker on a demo city of its own. */
async function aServer() {
  await makeSecrets();
  const worker = await builtWorker();
  await migrate(state_dir);
  const { seedIfEmpty } = await load("worker/local/seed.ts");
  await withDatabase(state_dir, (d1) => seedIfEmpty(d1));
  const log = (level, line) => void (level === "error" && console.error(line));
  const server = new Miniflare(runtimeOptions({ port, state_dir, worker, log }));
  await server.ready;
  return server;
}

async function signedIn() {
  const body = JSON.stringify({ email: "admin@parks.example", password: "lamplighter-demo" });
  const type = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", headers: type, body });
  const { access_token } = await answer.json();
  return { ...type, Authorization: `Bearer ${access_token}`, Cookie: `lamplighter_session=${access_token}` };
}

/** A hub and an area for every hundred lights, and a weekly schedule for each. */
async function grow(lights) {
  const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const places = Math.ceil(lights / 100);
  const d1 = await miniflare.getD1Database("DB");
  await d1.batch(
    [
      `${numbers(places)} INSERT INTO areas (id, org_id, name) SELECT 'a' || i, 'demo-parks', 'Area ' || i FROM n`,
      `${numbers(places)} INSERT INTO hubs (id, org_id, area_id, name) SELECT 'h' || i, 'demo-parks', 'a' || i, 'Hub' FROM n`,
      `${numbers(lights)} INSERT INTO devices (id, org_id, area_id, hub_id, name, model, current_state)
         SELECT 'd' || i, 'demo-parks', 'a' || (i % ${places} + 1), 'h' || (i % ${places} + 1),
                printf('Light %05d', i), 'LumaPole 60', iif(i % 3 = 0, 'on', 'off') FROM n`,
      `${numbers(lights)} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone)
         SELECT 's' || i, 'demo-parks', 'd' || i, 'Practice', printf('2026-01-05T%02d:%02d:00.000Z', i % 4, i % 60),
                printf('2026-01-05T%02d:%02d:00.000Z', i % 4 + 2, i % 60), 'FREQ=WEEKLY;BYDAY=MO,WE', 'UTC' FROM n`,
    ].map((sql) => d1.prepare(sql)),
  );
}
