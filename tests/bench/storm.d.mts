/** Lights without a window yet, instead of the demo city's. */
export function city(d1: D1Database, lights: number, lights_a_hub: number | null): Promise<void>;
/** When all lights are verified and told in D1 (epoch ms), or null where they were not by `until` (epoch ms). */
export function stormIsOver(
  server: { d1: D1Database },
  lights: number,
  until: number,
  poll_ms?: number,
): Promise<number | null>;
