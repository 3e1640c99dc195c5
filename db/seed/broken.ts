/**
 * What stays broken in the demo city, so that there is something to see: an unreachable hub and a lamp that does not
 * answer. The simulated hardware recognizes them by these ids, which only the demo has.
 */
export const DEAD_HUB = "demo-hub-orchard-1";
export const DEAD_LAMP = "d88b4c01deadbeef";

/** How long the hub has been away when the demo begins. */
export const DEAD_SINCE_MS = 26 * 3_600_000;
