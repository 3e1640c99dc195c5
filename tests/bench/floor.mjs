import { Miniflare } from "miniflare";
import { cpuOf, workerds } from "./server.mjs";
import { spread } from "./spread.mjs";

const WAITS_MS = 2_000;
/** One measurement of some 50 ms differs by a factor of two from the next, and every row is told as a multiple of it. */
const ROUNDS = 5;
const SCRIPT = `export default { async fetch(request) {
  const count = Number(new URL(request.url).searchParams.get("count"));
  const due = Date.now() + ${WAITS_MS};
  const late = [];
  await new Promise((done) => {
    for (let i = 0; i < count; i += 1)
      setTimeout(() => { if (late.push(Date.now() - due) === count) done(); }, due - Date.now());
  });
  return Response.json(late);
} }`;

/**
 * What `count` timers of the same instant cost in the same runtime, where nothing is done but to note the time: the middle
 * of some rounds, each in a process of its own.
 */
export async function measureFloor(count) {
  const rounds = [];
  for (let n = 0; n < ROUNDS; n += 1) rounds.push(await measureOnce(count));
  const middle = (figure) => spread(rounds.map((round) => round[figure])).median;
  return { p99_ms: middle("p99_ms"), cpu_ms_each: middle("cpu_ms_each") };
}

async function measureOnce(count) {
  const before = await workerds();
  const miniflare = new Miniflare({ modules: true, script: SCRIPT, compatibilityDate: "2026-04-20", cf: false });
  await miniflare.ready;
  const pid = (await workerds()).find((each) => !before.includes(each));
  const url = `http://floor.example/?count=${count}`;
  await (await miniflare.dispatchFetch("http://floor.example/?count=1")).json();
  const cpu = await cpuOf(pid);
  const late = await (await miniflare.dispatchFetch(url)).json();
  const used = (await cpuOf(pid)) - cpu;
  await miniflare.dispose();
  return { p99_ms: spread(late).p99, cpu_ms_each: used / count };
}
