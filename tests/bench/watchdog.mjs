import { setTimeout as sleep } from "node:timers/promises";
import { aServer, ORG } from "./server.mjs";
import { city } from "./storm.mjs";

/** The shortest that the settings allow. */
const INTERVAL_SEC = 15;
const TURNS = 3;

/** How long a round of the watchdog takes, by what its turns read on the clock of the machine; a whole one is a quarter of an hour. */
export async function measure({ lights }) {
  const server = await aServer();
  try {
    await city(server.d1, lights, 5);
    await server.d1.batch(
      Object.entries({ WATCHDOG_ENABLED: true, WATCHDOG_INTERVAL_SEC: INTERVAL_SEC }).map(([key, value]) =>
        server.d1
          .prepare("INSERT OR REPLACE INTO settings (org_id, key, value) VALUES (?, ?, ?)")
          .bind(ORG, key, JSON.stringify(value)),
      ),
    );
    const object = await server.object();
    await object.sync(ORG);
    await sleep((TURNS + 0.9) * INTERVAL_SEC * 1_000);
    const turns = await object.query(
      "SELECT asked_at AS at, COUNT(*) AS n FROM reads GROUP BY asked_at ORDER BY asked_at",
    );
    const [{ left }] = await object.query("SELECT COUNT(*) AS left FROM polls");
    const [first, last] = [turns[0], turns.at(-1)];
    const asked = turns.slice(0, -1).reduce((sum, { n }) => sum + n, 0);
    const minutes = asked === 0 ? null : (lights * (last.at - first.at)) / asked / 60_000;
    return [
      {
        work: `watchdog: one round of ${lights} lights where no vendor limits calls`,
        unit: "min",
        value: minutes,
        aim: "15 min",
        note: `by ${turns.length} turns; ${left} readings of the last are not back`,
      },
    ];
  } finally {
    await server.stop();
  }
}
