/** A start or end by the sun. Dawn and dusk are civil. */
export const SUN_EVENTS = ["sunrise", "sunset", "dawn", "dusk"] as const;
export type SunEvent = (typeof SUN_EVENTS)[number];

/** `offset_min` after the event (before it if negative), but not before or after a time of day ('HH:MM'). */
export type SunTime = { event: SunEvent; offset_min: number; not_before: string | null; not_after: string | null };

/** Where the sun is seen from, since when (ISO): a new position does not move a window that has begun. */
export type Position = { lat: number; lon: number; since: string };

/** The first such event of the sun in [from, to) (epoch ms, at most a day apart); null if there is none, as near the poles. */
export type SunEvents = (event: SunEvent, from: number, to: number) => number | null;
