import { HOUR_MS, MINUTE_MS } from "#domain/time/units";
import { toInstant, toWall } from "#domain/time/wall-clock";

const HALF_DAY_MS = 12 * HOUR_MS;

/**
 * Calls `listener` a minute after each midnight and noon of the zone: what was to happen 'tomorrow' is today's then, and
 * Tonight another night, without anything that the server could tell. A minute, because the device's clock may be ahead.
 * Returns a function that ends that.
 */
export function onNewDay(zone: string, listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  function wait() {
    const since = Date.now() - MINUTE_MS;
    const next = toInstant(zone, (Math.floor(toWall(zone, since) / HALF_DAY_MS) + 1) * HALF_DAY_MS);
    timer = setTimeout(ring, Math.max(next - since, MINUTE_MS));
  }
  function ring() {
    listener();
    wait();
  }
  wait();
  return () => clearTimeout(timer);
}
