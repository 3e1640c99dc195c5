import { setTimeout as sleep } from "node:timers/promises";
import { numbers } from "./grow.mjs";
import { aServer, cpuOf, ORG, withoutLatency } from "./server.mjs";
import { spread } from "./spread.mjs";

const LEAD_MS = 20_000;
const POLL_MS = 100;
const VERSION = "SELECT config_version FROM organizations WHERE id = ?";
/** The storm's own lights, by their ids: the demo city's, whose log stays, begin with a d, as do its lamps. */
const STORM = "LIKE 'storm-%'";
/** Lights `p1` and on that the storm does not concern, for people to press. */
export const PRESSED = 64;

/**
 * So many lights due in one instant, on simulated lamps without latency: how late each is lit by the lamps' own notes, and what
 * CPU the whole process (object, lamps, D1) takes until all are lit, and until all are verified and told in D1.
 * `lights_a_hub` null: no hubs.
 */
export async function measureStorm({ lights, lights_a_hub, patience_ms }) {
  const server = await aServer();
  try {
    const { object, due } = await prepareStorm(server, lights, lights_a_hub);
    await sleep(due - Date.now());

    const cpu = await cpuOf(server.pid);
    const until = due + patience_ms;
    const lit_after = await wait(until, () => lit(object, lights));
    const lit_cpu = await cpuOf(server.pid);
    const told_after = await wait(until, () => told(server.d1, lights));
    const told_cpu = await cpuOf(server.pid);

    const late = await lateness(object, due);
    const { p99, most } = spread(late);
    const verify_ms = await verifyDelay(server.d1);
    return {
      lit: late.length,
      p99_ms: late.length > lights * 0.99 ? p99 : null,
      most_ms: late.length === lights ? most : null,
      cpu_sent_ms_each: lit_after === null ? null : (lit_cpu - cpu) / lights,
      cpu_cycle_ms_each: told_after === null ? null : (told_cpu - cpu) / lights,
      told_after_ms: told_after === null ? null : told_after - due - verify_ms,
    };
  } finally {
    await server.stop();
  }
}

/** So many lights, booked for an instant that is soon: `due`, epoch ms. */
export async function prepareStorm(server, lights, lights_a_hub) {
  await city(server.d1, lights, lights_a_hub);
  const object = await server.object();
  await withoutLatency(object);
  const due = await bookSoon(server, object);
  return { object, due };
}

/** Books the lights for an instant that is soon, and waits until the object knows it of each: `due`, epoch ms. */
async function bookSoon({ d1 }, object) {
  await object.sync(ORG);
  const due = Math.ceil((Date.now() + LEAD_MS) / 1_000) * 1_000;
  await book(d1, due);
  await object.sync(ORG);
  // Whoever asked for a pull is answered before its last page, and that leaves most lights to be looked at again.
  const isKnown = async () => {
    const [pulled] = await object.query("SELECT value FROM meta WHERE key = 'version'");
    const [left] = await object.query("SELECT COUNT(*) AS n FROM timers WHERE kind = 'recheck'");
    return left.n === 0 && Number(pulled?.value) === (await d1.prepare(VERSION).bind(ORG).first("config_version"));
  };
  if ((await wait(due - 1_000, isKnown)) === null) throw new Error(`the plan was not there after ${LEAD_MS} ms`);
  return due;
}

/** When all lights are verified and told in D1, asked every `poll_ms`, or null where they were not by `until` (epoch ms). */
export function stormIsOver(server, lights, until, poll_ms = POLL_MS) {
  return wait(until, () => told(server.d1, lights), poll_ms);
}

/** So many lights whose hour came while the process was away: how late each is lit, from the start of the next process. */
export async function measureRestart({ lights, lights_a_hub, patience_ms }) {
  const server = await aServer();
  try {
    await city(server.d1, lights, lights_a_hub);
    const before = await server.object();
    await withoutLatency(before);
    const due = await bookSoon(server, before);
    await server.again(() => sleep(due + 1_000 - Date.now()));
    const began = Date.now();
    const object = await server.object();
    await object.ensure(ORG);
    await wait(began + patience_ms, () => lit(object, lights));
    const late = await lateness(object, began);
    return { lit: late.length, p99_ms: late.length > lights * 0.99 ? spread(late).p99 : null };
  } finally {
    await server.stop();
  }
}

/** Lights without a window yet, instead of the demo city's; nothing but the storm shall stir them. */
export async function city(d1, lights, lights_a_hub) {
  const hubs = lights_a_hub === null ? 0 : Math.ceil(lights / lights_a_hub);
  const set = (key, value) =>
    d1
      .prepare("INSERT INTO settings (org_id, key, value) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET value = ?3")
      .bind(ORG, key, JSON.stringify(value));
  await d1.batch([
    ...["schedules", "devices", "hubs"].map((table) => d1.prepare(`DELETE FROM ${table} WHERE org_id = ?`).bind(ORG)),
    set("WATCHDOG_ENABLED", false),
    set("HUB_CHECK_INTERVAL_SEC", 86_400),
    set("HARD_CURFEW_OFF", ""),
    set("BLACKOUT_WINDOW", ""),
    d1
      .prepare(`${numbers(100)} INSERT INTO areas (id, org_id, name) SELECT 'a' || i, ?, 'Area ' || i FROM n`)
      .bind(ORG),
    d1
      .prepare(
        `${numbers(hubs)} INSERT INTO hubs (id, org_id, area_id, name)
           SELECT 'h' || i, ?, 'a' || (i % 100 + 1), 'Hub ' || i FROM n WHERE i <= ${hubs}`,
      )
      .bind(ORG),
    d1
      .prepare(
        `${numbers(lights)} INSERT INTO devices (id, org_id, area_id, hub_id, name)
           SELECT 'storm-' || i, ?, 'a' || (i % 100 + 1), ${hubs > 0 ? `'h' || (i % ${hubs} + 1)` : "NULL"}, 'Light ' || i FROM n`,
      )
      .bind(ORG),
    d1
      .prepare(
        `${numbers(PRESSED)} INSERT INTO devices (id, org_id, area_id, name) SELECT 'p' || i, ?, 'a1', 'Pressed ' || i FROM n`,
      )
      .bind(ORG),
  ]);
}

async function book(d1, due) {
  const [from, to] = [due, due + 3_600_000].map((at) => new Date(at).toISOString());
  await d1
    .prepare(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone)
         SELECT 's' || id, org_id, id, 'Practice', ?, ?, 'UTC' FROM devices WHERE org_id = ? AND id ${STORM}`,
    )
    .bind(from, to, ORG)
    .run();
}

async function lit(object, lights) {
  const [{ n }] = await object.query(`SELECT COUNT(*) AS n FROM lamps WHERE state = 'on' AND lamp ${STORM}`);
  return n >= lights;
}

async function lateness(object, due) {
  const rows = await object.query(`SELECT switched_at AS at FROM lamps WHERE state = 'on' AND lamp ${STORM}`);
  return rows.map(({ at }) => at - due);
}

/** Verified, in the engine's log and in the devices'. */
async function told(d1, lights) {
  const count = (sql) => d1.prepare(sql).bind(ORG).first("n");
  const ok = `SELECT COUNT(*) AS n FROM scheduler_events WHERE org_id = ? AND result = 'ok' AND device_id ${STORM}`;
  if ((await count(ok)) < lights) return false;
  return (
    (await count(
      `SELECT COUNT(*) AS n FROM device_events WHERE org_id = ? AND action = 'on' AND device_id ${STORM}`,
    )) >= lights
  );
}

async function verifyDelay(d1) {
  const key = "YOLINK_VERIFY_DELAY_SEC";
  const stored = await d1
    .prepare("SELECT value FROM settings WHERE org_id = ? AND key = ?")
    .bind(ORG, key)
    .first("value");
  return Number(stored ?? 8) * 1_000;
}

/** When it was so, or null where it was not by `until`. A busy process may drop the connection of a question. */
async function wait(until, isSo, poll_ms = POLL_MS) {
  while (Date.now() < until) {
    if (await isSo().catch(() => false)) return Date.now();
    await sleep(poll_ms);
  }
  return null;
}
