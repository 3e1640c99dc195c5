import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { signIn } from "./api.mjs";
import { grow } from "./grow.mjs";
import { heapOf } from "../soak/heap.mjs";
import { aServer, cpuOf, freePort, ORG, withoutLatency } from "./server.mjs";

const LOOKS = 50;
const SCHEDULES_A_LIGHT = 10;
const POLL_MS = 100;
const QUIET_MS = 1_000;
const QUIET_CPU_MS = 100;

/** A plan of ten schedules a light: its first pull, what people wait for meanwhile, and a look at one light. */
export async function measure({ lights }) {
  const few = await aCity(100 / SCHEDULES_A_LIGHT, 100);
  const cold = await pullMeanwhile(few, 100);
  const look = await looks(few);
  await few.stop();

  const schedules = lights * SCHEDULES_A_LIGHT;
  const many = await aCity(lights, schedules);
  try {
    const [memory, cpu] = [await memoryOf(many.pid), await cpuOf(many.pid)];
    const people = await pullMeanwhile(many, schedules);
    const pull_cpu = (await cpuOf(many.pid)) - cpu;
    const grown = (await memoryOf(many.pid)) - memory;
    const of = `${schedules} schedules`;
    const look_at_many = await looks(many);
    return [
      { work: `${of}: first pull, CPU`, unit: "ms", value: pull_cpu, aim: "3,000 ms" },
      {
        work: `${of}: first pull, the process grows by`,
        unit: "MB",
        value: grown,
        note: "with the runtime, the simulated D1 and SQLite",
      },
      {
        work: `${of}: heap of the object's isolate at rest`,
        unit: "MB",
        value: await heapOf(many.inspectorPort),
        aim: "100 MB",
      },
      ...people.map((row, n) => ({ ...row, floor: cold[n].value, note: `${row.note}; floor: 100 schedules` })),
      {
        work: `a look at one light, ${of}`,
        unit: "ms",
        value: look_at_many,
        floor: look,
        aim: "1.2x",
        note: "floor: 100 schedules",
      },
    ];
  } finally {
    await many.stop();
  }
}

async function aCity(lights, schedules) {
  const inspectorPort = await freePort();
  const server = await aServer(undefined, { inspectorPort });
  await grow(server.d1, { areas: 100, lights, schedules });
  await withoutLatency(await server.object());
  return { ...server, inspectorPort };
}

/**
 * The mean time in which the object explains a light; asking D1 for a newer plan is in it. What a pull stirs up, all lights
 * of a city, is over before.
 */
async function looks(server) {
  const object = await server.object();
  const ask = () => object.explain({ org_id: ORG, device_ids: ["d1"] });
  await object.sync(ORG);
  await untilQuiet(server.pid);
  await ask();
  const began = performance.now();
  for (let n = 0; n < LOOKS; n += 1) await ask();
  return (performance.now() - began) / LOOKS;
}

/** Waits until the process does next to nothing. */
async function untilQuiet(pid) {
  for (;;) {
    const before = await cpuOf(pid);
    await sleep(QUIET_MS);
    if ((await cpuOf(pid)) - before < QUIET_CPU_MS) return;
  }
}

/**
 * The first pull of a process that has just begun, and what people wait for meanwhile, one after the other: all that they
 * ask for is new to it. Each row notes how far the pull was.
 */
async function pullMeanwhile({ url, object: objectOf }, schedules) {
  const token = await signIn(url);
  // A busy process closes a kept connection in the moment in which it is used.
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Connection: "close" };
  const ask = async (path, method, body) => {
    const answer = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return json;
  };
  const [{ id, ...device }] = (await ask("/devices", "GET")).data;
  const object = await objectOf();
  const copied = async () => (await object.query("SELECT COUNT(*) AS n FROM plan WHERE kind = 'schedule'"))[0].n;
  const hinted = object.sync(ORG);
  const row = async (work, aim, asked) => {
    const began = performance.now();
    await asked();
    const value = performance.now() - began;
    return { work: `meanwhile: ${work}`, unit: "ms", value, aim, note: `${await copied()} schedules are in by then` };
  };
  const rows = [
    await row("a press", "200 ms", () => ask(`/devices/${id}/toggle`, "POST", { action: "off" })),
    await row("an edit", "200 ms", () => ask(`/devices/${id}`, "PUT", device)),
    await row("guardrails", "500 ms", () => ask("/admin/settings/guardrails", "POST", { MAX_ON_DURATION_MIN: 239 })),
  ];
  await hinted;
  while ((await copied()) < schedules) await sleep(POLL_MS);
  return rows;
}

/** The memory that a process holds, in MB. */
async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1_024;
}
