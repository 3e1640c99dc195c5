import type { TransportCall } from "#durable/providers/transport";

/** How far a call to a hub may go: until then (ms of the hub calls' clock), and a switch must not leave later. */
export function callUntil(until: number, not_after = until): TransportCall {
  const ofCity = { device_id: null, order: 0, off_after_min: null };
  return { until, not_after: Math.min(not_after, until), priority: "person", cached_since: null, ...ofCity };
}
