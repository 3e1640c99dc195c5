import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ORG } from "../bench/server.mjs";
import { heapOf } from "./heap.mjs";
import { load } from "../../worker/local/typescript.mjs";

const { SQL_PATH } = await load("tests/support/worker-under-test.ts");
const EVERY_MS = 5_000;
const HEAP_EVERY = 6; // samples: collecting all garbage takes time that people would wait for
const PATIENCE_MS = 60_000;
/** What is done goes; these may not grow with what was done, only with what is under way. */
export const PASSING = ["timers", "commands", "calls", "outbox", "polls", "messages", "incidents", "reservations"];

/** Looks every few seconds at the runtime's memory and at how many rows wait in the objects. */
export class Watch {
  /** When (ms since the beginning), the runtime's resident memory, at times the product's heap (MB), and the rows of each table. */
  samples = [];

  constructor(city, begins) {
    Object.assign(this, { city, begins });
  }

  async until(isOver) {
    while (!isOver()) {
      await this.#sample();
      await sleep(EVERY_MS);
    }
  }

  async #sample() {
    const { server } = this.city;
    const status = await readFile(`/proc/${server.pid}/status`, "utf8");
    const rss = Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1_024;
    const heap = this.samples.length % HEAP_EVERY === 0 ? await heapOf(this.city.inspectorPort) : null;
    this.samples.push({ at: Date.now() - this.begins, rss, heap, rows: await this.#rows() });
  }

  async #rows() {
    const counts = PASSING.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`).join(", ");
    const rows = await Promise.all(this.#orgs().map((org_id) => this.#query(org_id, `SELECT ${counts}`)));
    return Object.fromEntries(PASSING.map((table) => [table, rows.reduce((sum, [row]) => sum + row[table], 0)]));
  }

  #orgs() {
    return [ORG, this.city.parks.org_id];
  }

  async #query(org_id, statement) {
    const body = JSON.stringify({ org_id, statements: [[statement]] });
    // Miniflare's own way to the object keeps connections, and uses them at times in the moment in which they are closed.
    const headers = { Connection: "close" };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(this.city.server.url + SQL_PATH, { method: "POST", headers, body, signal });
    return (await response.json())[0];
  }

  /** What is still under way some time after everybody has gone home; nothing, if all is well. */
  async left() {
    const open = ["commands", "calls", "outbox"];
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(1_000)) {
      const rows = await this.#rows();
      const left = open.filter((table) => rows[table] > 0).map((table) => `${rows[table]} ${table}`);
      if (left.length === 0 || Date.now() > until) return left;
    }
  }
}
