import { formatInTimeZone } from "date-fns-tz";

/**
 * Formats instants in a zone, with their offset: '2026-11-20T18:00:00.123-08:00' for '2026-11-21T02:00:00.123Z'. Only for
 * the server, which runs at TZ=UTC: date-fns-tz reads dates through the host's zone and is an hour off around that zone's
 * clock changes.
 */
export function zonedTimes(zone: string): (at: string) => string {
  // Log entries are in order of time; formatting fifty thousand of them one by one takes seconds.
  let minute = "";
  let wall = "";
  let offset = "";
  return (at) => {
    if (at.slice(0, 16) !== minute) {
      minute = at.slice(0, 16);
      [wall = "", offset = ""] = formatInTimeZone(`${minute}Z`, zone, "yyyy-MM-dd'T'HH:mm xxx").split(" ");
    }
    return wall + at.slice(16, -1) + offset;
  };
}
