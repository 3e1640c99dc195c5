import { setTimeout as sleep } from "node:timers/promises";
import { signIn } from "./api.mjs";
import { aServer } from "./server.mjs";
import { spread } from "./spread.mjs";
import { PRESSED, prepareStorm, stormIsOver } from "./storm.mjs";

/** Several people together; whoever waits for an answer keeps nobody else from pressing. */
const PRESSES_A_SECOND = 20;
const WARM_UP_MS = 3_000;
const IDLE_MS = 10_000;
/** What asks whether the storm is over reads a whole log, and presses would wait for it. */
const POLL_MS = 1_000;

/** A press of a light that the storm does not concern, all through a storm that is measured elsewhere, and after it. */
export async function measure({ lights, patience_ms }) {
  const server = await aServer();
  try {
    const { due } = await prepareStorm(server, lights, 5);
    const token = await signIn(server.url);
    const warm = Math.min(Date.now() + WARM_UP_MS, due - 1_000);
    await pressAll(server.url, token, () => Date.now() > warm);
    await sleep(due - Date.now());
    let isOver = false;
    const pressing = pressAll(server.url, token, () => isOver);
    const over_at = await stormIsOver(server, lights, due + patience_ms, POLL_MS);
    isOver = true;
    const storm = await pressing;
    const idle_until = Date.now() + IDLE_MS;
    const idle = await pressAll(server.url, token, () => Date.now() > idle_until);
    return rows(lights, storm, idle, over_at === null ? `; not over after ${patience_ms / 1_000} s` : "");
  } finally {
    await server.stop();
  }
}

function rows(lights, storm, idle, note) {
  const [during, quiet] = [spread(storm.times), spread(idle.times)];
  const row = (figure, more) => ({
    work: `a press while ${lights} lights are switched: ${figure}`,
    unit: "ms",
    value: during[figure],
    floor: quiet[figure],
    ...more,
  });
  return [
    row("median", { note: `floor: ${idle.times.length} presses once all is told` }),
    row("p99", { aim: "100 ms", note: `${storm.times.length} presses, ${storm.lost} more got no answer${note}` }),
    row("most", { aim: "200 ms" }),
  ];
}

/** One press after the other, until it is over: how long each took, and how many got no answer or another than 'done'. */
async function pressAll(url, token, isOver) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const pressed = { times: [], lost: 0 };
  const under_way = [];
  for (let n = 0; !isOver(); n += 1) {
    const body = JSON.stringify({ action: Math.floor(n / PRESSED) % 2 === 0 ? "on" : "off" });
    const began = performance.now();
    const answered = fetch(`${url}/api/devices/p${(n % PRESSED) + 1}/toggle`, { method: "POST", headers, body })
      .then((answer) => answer.json())
      .then(
        ({ success }) => (success ? pressed.times.push(performance.now() - began) : (pressed.lost += 1)),
        () => (pressed.lost += 1),
      );
    under_way.push(answered);
    await sleep(1_000 / PRESSES_A_SECOND);
  }
  await Promise.all(under_way);
  return pressed;
}
