/** Where a browser opens its socket. */
export const LIVE_PATH = "/live";

/** A browser sends the first now and then, and hears the second: nothing else keeps a line alive that nobody uses. */
export const PING = "ping";
export const PONG = "pong";

/** What a browser may have to load again, by the screen's word for it. */
export const LIVE_LISTS = [
  "alarms",
  "areas",
  "agents",
  "hubs",
  "groups",
  "devices",
  "schedules",
  "calendars",
  "policies",
  "permits",
  "closures",
  "settings",
  "workorders",
  "departments",
  "users",
  "imports",
  "events",
  "history",
  "nights",
  "connectivity",
  "notifications",
] as const;
export type LiveList = (typeof LIVE_LISTS)[number];

/** Why the server has closed a socket. After `changed` the browser opens another at once, after the others it waits. */
export const LIVE_CLOSE = { signed_out: 4401, changed: 4403, too_many: 4429, unexpected: 4400 } as const;
