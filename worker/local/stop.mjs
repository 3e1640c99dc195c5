const WITHIN_MS = 3_000;
let stopping = false;

/** Whether a signal has asked this process to stop. */
export const isStopping = () => stopping;

/**
 * At SIGINT or SIGTERM, does `end`, waits for it, and exits with 0: who stops a server and starts the next one finds nothing
 * of the first. Call it when wrangler and Miniflare are there: each exits at a signal of its own accord, in whoever loads it,
 * and would do so before `end` is done.
 */
export function stopOnSignal(end) {
  const stop = async () => {
    if (stopping) return; // npm passes on the signal that a terminal has sent to all
    stopping = true;
    setTimeout(() => process.exit(0), WITHIN_MS).unref();
    await Promise.resolve(end()).catch(() => undefined);
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal).on(signal, stop);
}
