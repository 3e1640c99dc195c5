import { setTimeout as sleep } from "node:timers/promises";

type Falsy<T> = T | null | undefined | false;

const PATIENCE_MS = 30_000;

/** Waits until there is something, however busy the machine is. */
export async function until<T>(look: () => Falsy<T> | Promise<Falsy<T>>, what: string): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}`);
    await sleep(2);
  }
}
