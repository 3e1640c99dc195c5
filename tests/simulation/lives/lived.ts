import { inWorld } from "#tests/support/engine";
import { Lamps } from "#tests/simulation/world/lamps";
import { VendorLamps } from "#tests/simulation/world/vendor";
import { Life } from "./life";

export type Plan = { seed: number; days: number; lights: number };

/** What a life was; the same for the same seed, and `digest` of all that was noted of it. */
export type Lived = { steps: number; calls: number; events: number; digest: number; reasons: string };

/** Both changes of the clock are lived through: half of the lives begin before the one, half before the other. */
const BEGINNINGS = ["2026-10-30T08:00:00.000Z", "2026-03-06T09:00:00.000Z"];

const MODES = ["cloud", "local", "hybrid"] as const;

/** Every fourth life is lived on the vendor's hardware, by each way to reach it. */
function lampsOf(seed: number): Lamps {
  const mode = MODES[(seed / 4) % MODES.length];
  return mode === undefined ? new Lamps() : new VendorLamps(mode);
}

/** Lives one life in an organization of that name; throws the oracle's first objection. */
export async function lived(name: string, { seed, days, lights }: Plan): Promise<Lived> {
  const lamps = lampsOf(seed);
  let told: Lived | null = null;
  await inWorld(
    name,
    BEGINNINGS[seed % 2] ?? "",
    async (world) => {
      // In a big city the readings of one wake-up would add up to more than a change may wait.
      if (lights <= 40) world.reading_ms = seed % 3;
      const life = new Life(world, lamps, seed, lights);
      await life.begin();
      await life.live(days);
      const { oracle, steps } = life.town;
      const { calls, trace, reasons } = oracle.desk;
      told = { steps, calls, events: oracle.ledger.told.count, digest: trace.digest, reasons: `${reasons}` };
    },
    (...ports) => lamps.equip(...ports),
    { journal: true },
  );
  if (told === null) throw new Error("nothing was lived");
  return told;
}

export function sentenceOf({ seed, days, lights }: Plan, { steps, calls, events, digest, reasons }: Lived): string {
  return `seed ${seed}: ${days} days of ${lights} lights, ${steps} steps, ${calls} calls, ${events} events, digest ${digest}; ${reasons}`;
}
