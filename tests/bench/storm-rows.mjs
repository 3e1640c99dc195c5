import { measureFloor } from "./floor.mjs";
import { best, measurePeers } from "./peers.mjs";
import { measureRestart, measureStorm } from "./storm.mjs";

/** All lights due in one instant, on simulated lamps without latency. */
export async function measure({ lights, patience_ms }) {
  const floor = await measureFloor(lights);
  const peers = await measurePeers(lights);
  const of = (more) => measureStorm({ lights, lights_a_hub: 5, patience_ms, ...more });
  const hubs = await of({});
  const hubless = await of({ lights_a_hub: null });
  const restarted = await measureRestart({ lights, lights_a_hub: 5, patience_ms });
  const ms = (work, value, more = {}) => ({ work, unit: "ms", value, ...more });
  return [
    ms(`${lights} due at once, five a hub: p99 lateness`, hubs.p99_ms, {
      floor: floor.p99_ms,
      peer: best(peers, "p99_ms"),
      aim: "24x the floor",
      note: litNote(hubs, lights, patience_ms),
    }),
    ms(`${lights} due at once, no hubs: p99 lateness`, hubless.p99_ms, {
      floor: floor.p99_ms,
      peer: best(peers, "p99_ms"),
      aim: "15x the floor",
      note: litNote(hubless, lights, patience_ms),
    }),
    ms(`${lights} overdue at a restart, five a hub: p99 after the start`, restarted.p99_ms, {
      floor: floor.p99_ms,
      aim: "24x the floor",
      note: litNote(restarted, lights, patience_ms),
    }),
    ms("CPU a light: sent", hubs.cpu_sent_ms_each, {
      floor: floor.cpu_ms_each,
      peer: best(peers, "cpu_ms_each"),
      aim: "0.20 ms",
    }),
    ms("CPU a light: whole cycle", hubs.cpu_cycle_ms_each, { floor: floor.cpu_ms_each, aim: "0.40 ms" }),
    ms("CPU a light without a hub: sent", hubless.cpu_sent_ms_each, { floor: floor.cpu_ms_each }),
    ms("CPU a light without a hub: whole cycle", hubless.cpu_cycle_ms_each, { floor: floor.cpu_ms_each }),
    ms(`all ${lights} verified and told, after due and the verification's delay`, hubs.told_after_ms, {
      aim: "20,000 ms",
    }),
  ];
}

function litNote({ lit }, lights, patience_ms) {
  return lit === lights ? "" : `${lit} lit after ${patience_ms / 1_000} s`;
}
