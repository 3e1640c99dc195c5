import { cpuOf, freePort } from "./server.mjs";

const PEERS = [
  ["pg-boss", async () => (await import("./peers/pg-boss.mjs")).measurePgBoss],
  ["BullMQ", async () => (await import("./peers/bullmq.mjs")).measureBullmq],
];

/** The peers that can run here, measured; and a sentence for each that can't. */
export async function measurePeers(count) {
  const found = [];
  for (const [name, load] of PEERS) {
    try {
      const measurePeer = await load();
      found.push({ name, ...(await measurePeer({ count, port: await freePort(), cpuOf })) });
    } catch (error) {
      const isMissing = error.code === "ERR_MODULE_NOT_FOUND";
      console.error(`${name} is left out: ${isMissing ? "npm ci --prefix tests/bench/peers" : error.message}`);
    }
  }
  return found;
}

/** Of the peers the best in one figure, as a table's cell. */
export function best(peers, figure) {
  const [first] = peers.filter((peer) => typeof peer[figure] === "number").toSorted((a, b) => a[figure] - b[figure]);
  return first && { name: first.name, value: first[figure] };
}
