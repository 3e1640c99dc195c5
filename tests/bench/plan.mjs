import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { signIn } from "./api.mjs";
import { grow } from "./grow.mjs";
import { aServer, cpuOf, ORG } from "./server.mjs";

const LOOKS = 50;
const SCHEDULES_A_LIGHT = 10;
const QUIET_MS = 1_000;
const QUIET_CPU_MS = 100;

/** A plan of ten schedules a light: its first pull, what people wait for meanwhile, and a look at one light. */
export async function measure({ lights }) {
  const few = await aCity(100 / SCHEDULES_A_LIGHT, 100);
  const look = await looks(few);
  await few.stop();

  const schedules = lights * SCHEDULES_A_LIGHT;
  const many = await aCity(lights, schedules);
  try {
    const object = await many.object();
    const [memory, cpu] = [await memoryOf(many.pid), await cpuOf(many.pid)];
    const pulled = object.sync(ORG);
    const people = await meanwhile(many);
    await pulled;
    const pull_cpu = (await cpuOf(many.pid)) - cpu;
    const grown = (await memoryOf(many.pid)) - memory;
    const of = `${schedules} schedules`;
    return [
      { work: `${of}: first pull, CPU`, unit: "ms", value: pull_cpu, aim: "3,000 ms" },
      {
        work: `${of}: first pull, the process grows by`,
        unit: "MB",
        value: grown,
        aim: "heap: 100 at rest, 120 at the peak",
      },
      ...people,
      {
        work: `a look at one light, ${of}`,
        unit: "ms",
        value: await looks(many),
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
  const server = await aServer();
  await grow(server.d1, { areas: 100, lights, schedules });
  return server;
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

/** What a person waits for while the plan is pulled. */
async function meanwhile({ url }) {
  const headers = { Authorization: `Bearer ${await signIn(url)}`, "Content-Type": "application/json" };
  const ask = async (path, method, body) => {
    const began = performance.now();
    const answer = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return { ms: performance.now() - began, json };
  };
  const listed = await ask("/devices", "GET");
  const { id, ...device } = listed.json.data[0];
  const press = ask(`/devices/${id}/toggle`, "POST", { action: "off" });
  const edit = ask(`/devices/${id}`, "PUT", device);
  const rules = ask("/admin/settings/guardrails", "POST", { MAX_ON_DURATION_MIN: 239 });
  const row = async (work, asked, aim) => ({ work: `meanwhile: ${work}`, unit: "ms", value: (await asked).ms, aim });
  return Promise.all([
    row("a press", press, "200 ms"),
    row("an edit", edit, "200 ms"),
    row("guardrails", rules, "500 ms"),
  ]);
}

/** The memory that a process holds, in MB. */
async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1_024;
}
