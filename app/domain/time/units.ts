export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** A day of UTC; one of a zone may be an hour shorter or longer. */
export const DAY_MS = 24 * HOUR_MS;
