import { cookieOf, signIn } from "./api.mjs";
import { grow } from "./grow.mjs";
import { aServer, cpuOf } from "./server.mjs";

const RUNS = 20;

/** What the pages of a large city cost the server: CPU, and how long their HTML is. */
export async function measure({ lights }) {
  return [...(await pagesOf(Math.round(lights / 100))), ...(await pagesOf(Math.round(lights / 10), lights))];
}

async function pagesOf(areas, lights = areas * 5) {
  const server = await aServer();
  try {
    await grow(server.d1, { areas, lights, schedules: lights * 2 });
    const headers = { Authorization: `Bearer ${await signIn(server.url)}` };
    const cookie = { Cookie: await cookieOf(server.url) };
    const page = await cost(server, "/dashboard", cookie);
    const api = await cost(server, "/api/dashboard", headers);
    const devices = await cost(server, "/devices", cookie);
    const city = `${areas} areas, ${lights} lights`;
    return [
      { work: `dashboard page, ${city}: CPU`, unit: "ms", value: page.cpu_ms, aim: areas > 100 ? "40 ms" : "5 ms" },
      { work: `dashboard page, ${city}: HTML`, unit: "kB", value: page.kb, aim: areas > 100 ? "600 kB" : undefined },
      { work: `/api/dashboard, ${city}: time`, unit: "ms", value: api.ms, aim: areas > 100 ? "60 ms" : undefined },
      { work: `/devices, ${city}: HTML`, unit: "kB", value: devices.kb, aim: "150 kB" },
    ];
  } finally {
    await server.stop();
  }
}

/** The mean of some visits after as many: a page's code is slow in its first ones. */
async function cost({ url, pid }, path, headers) {
  const visit = async () => {
    const answer = await fetch(url + path, { headers, redirect: "manual" });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return text.length / 1_000;
  };
  for (let run = 0; run < RUNS; run += 1) await visit();
  const [cpu, began] = [await cpuOf(pid), performance.now()];
  let kb = 0;
  for (let run = 0; run < RUNS; run += 1) kb = await visit();
  return { kb, ms: (performance.now() - began) / RUNS, cpu_ms: ((await cpuOf(pid)) - cpu) / RUNS };
}
