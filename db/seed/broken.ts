/**
 * What stays broken in the demo city, so that there is something to see: a hub that nobody reaches and a lamp that does
 * not answer. The simulated hardware knows the two by these ids, which nothing but the demo has.
 */
export const DEAD_HUB = "demo-hub-orchard-1";
export const DEAD_LAMP = "d88b4c01deadbeef";

/** The hub has been away so long when the demo begins. */
export const DEAD_SINCE_MS = 26 * 3_600_000;
