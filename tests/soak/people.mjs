import { setTimeout as sleep } from "node:timers/promises";
import { openSocket } from "../bench/socket.mjs";
import { load } from "../../worker/local/typescript.mjs";

const { Chance } = await load("tests/simulation/world/prng.ts");

/** What people look at; pages as a browser loads them after the first. */
const READS = [
  ["page", "/dashboard.data"],
  ["page", "/tonight.data"],
  ["page", "/devices.data"],
  ["page", "/schedules.data"],
  ["page", "/history.data"],
  ["api", "/api/dashboard"],
  ["api", "/api/history/events?limit=50"],
  ["api", "/api/scheduler/events?limit=50"],
  ["api", "/api/alarms"],
  ["api", "/api/forecast?area_id=a1"],
];
/** What touches nothing that could grow: how slow the machine is just now. */
export const CONTROL = "control";
const READERS = 6;
const SWITCHERS = 3;
const BOOKERS = 2;
const BROWSERS = 20;
const SWEEP_MS = 60_000;
const SWEEP_PATIENCE_MS = 30_000;
const CUT_EVERY_MS = 90_000;
const CUT_MS = 20_000;
/** Of all lights one in five is booked and never pressed, so that each booking has an outcome of its own. */
const BOOKED = 5;

/** Everybody who uses the city; each does one thing at a time, so that a slow city is asked less. */
export class People {
  /** Each request: when it was sent and how long it took (ms), what it was, and its status. */
  requests = [];
  failures = [];
  toggles = [];
  bookings = [];
  /** What each browser has heard. */
  heard = Array.from({ length: BROWSERS }, () => 0);
  closed = 0;
  cuts = 0;
  lastEnd = 0;

  constructor(city, seed, { begins, ends, isOver }) {
    Object.assign(this, { city, seed, begins, ends, isOver });
  }

  async live() {
    const { staff } = this.city;
    const sockets = await this.#listen();
    const some = (count, live) =>
      Array.from({ length: count }, (_, n) => live.call(this, this.#chance(live.name, n), staff[n % staff.length], n));
    await Promise.all([
      ...some(READERS, this.#read),
      ...some(SWITCHERS, this.#switch),
      ...some(BOOKERS, this.#book),
      this.#useAgents(this.#chance("agents", 0)),
      this.#cutLines(this.#chance("lines", 0)),
      this.#sweep(),
      this.#control(staff[0]),
    ]);
    for (const socket of sockets) {
      socket.removeAllListeners("close");
      socket.destroy();
    }
  }

  #chance(name, n) {
    return new Chance([...`${name}${n}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, this.seed));
  }

  async #listen() {
    const { server, staff } = this.city;
    return Promise.all(
      this.heard.map(async (_, n) => {
        const headers = { Cookie: staff[n % staff.length].cookie, Origin: server.url };
        const socket = await openSocket(`${server.url}/live?age=0`, headers, () => (this.heard[n] += 1));
        socket.on("close", () => (this.closed += 1));
        return socket;
      }),
    );
  }

  async #read(chance, who) {
    while (!this.isOver()) {
      const [kind, path] = chance.pick(READS);
      await this.#ask(`read ${kind}`, who, "GET", path);
      await sleep(chance.int(200, 900));
    }
  }

  async #control(who) {
    while (!this.isOver()) {
      await this.#ask(CONTROL, who, "GET", "/api/auth/me");
      await sleep(500);
    }
  }

  async #switch(chance, who, n) {
    while (!this.isOver()) {
      const light = chance.int(1, this.city.lights);
      if (light % BOOKED !== 0 && light % SWITCHERS === n)
        await this.#toggle(who, `d${light}`, chance.pick(["on", "off", "auto"]));
      else continue;
      await sleep(chance.int(300, 1_500));
    }
  }

  async #toggle(who, device_id, action, kind = "switch") {
    const at = Date.now();
    const answer = await this.#ask(kind, who, "POST", `/api/devices/${device_id}/toggle`, { action });
    if (answer) this.toggles.push({ at, answered_at: Date.now(), device_id, action, ...answer });
    return answer;
  }

  /** A window of half a minute or more, each of a light that has no other. */
  async #book(chance, who, n) {
    let light = BOOKED * (1 + n);
    while (!this.isOver()) {
      const start = Math.ceil((Date.now() + chance.int(15_000, 40_000)) / 1_000) * 1_000;
      const end = start + chance.int(30, 60) * 1_000;
      const device_id = `d${light}`;
      const area_id = `a${(light % Math.ceil(this.city.lights / 40)) + 1}`;
      const [start_at, end_at] = [start, end].map((at) => new Date(at).toISOString());
      const body = { title: "Soak", device_id, area_id, start_at, end_at, rrule: null };
      const made = await this.#ask("book", who, "POST", "/api/schedules", body);
      if (made?.data) this.bookings.push({ id: made.data.id, device_id, start, end });
      this.lastEnd = Math.max(this.lastEnd, end);
      light = light + BOOKED * BOOKERS > this.city.lights ? BOOKED * (1 + n) : light + BOOKED * BOOKERS;
      await sleep(chance.int(1_500, 4_000));
    }
  }

  async #useAgents(chance) {
    const { parks, technician } = this.city;
    while (!this.isOver()) {
      await this.#toggle(technician, chance.pick(parks.lights), chance.pick(["on", "off"]), "switch by agent");
      await sleep(chance.int(2_000, 5_000));
    }
  }

  async #cutLines(chance) {
    for (let next = this.begins + CUT_EVERY_MS / 3; next < this.ends - CUT_MS; next += CUT_EVERY_MS) {
      while (Date.now() < next) {
        if (this.isOver()) return;
        await sleep(Math.min(1_000, Math.max(1, next - Date.now())));
      }
      this.cuts += 1;
      await this.city.parks.cut(chance.int(0, 2), CUT_MS);
    }
  }

  /** As the platform's cron does. */
  async #sweep() {
    for (let next = this.begins + SWEEP_MS; !this.isOver(); await sleep(1_000)) {
      if (Date.now() < next) continue;
      next += SWEEP_MS;
      // One whose answer is lost is waited for no longer: the next one comes in a minute.
      const swept = this.city.server.ring("*/5 * * * *").catch(() => undefined);
      await Promise.race([swept, sleep(SWEEP_PATIENCE_MS)]);
    }
  }

  /** The answer's JSON; null, and a failure noted, where there is none. */
  async #ask(kind, who, method, path, body) {
    const headers = {
      Connection: "close", // one that is kept is at times used in the moment in which the runtime closes it
      ...(path.startsWith("/api/") ? { Authorization: `Bearer ${who.bearer}` } : { Cookie: who.cookie }),
      ...(body ? { "Content-Type": "application/json" } : {}),
    };
    const at = Date.now();
    const began = performance.now();
    try {
      const signal = AbortSignal.timeout(30_000);
      const init = { method, headers, signal, redirect: "manual", body: body && JSON.stringify(body) };
      const response = await fetch(this.city.server.url + path, init);
      const text = await response.text();
      this.requests.push({ at, ms: performance.now() - began, kind });
      if (response.ok) return path.startsWith("/api/") ? JSON.parse(text) : {};
      this.failures.push(`${response.status} ${method} ${path} ${text.slice(0, 200)}`);
    } catch (error) {
      this.failures.push(`${method} ${path} ${error.cause ?? error}`);
    }
    return null;
  }
}
