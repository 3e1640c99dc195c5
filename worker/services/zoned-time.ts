import { formatInTimeZone } from "date-fns-tz";

/**
 * Tells instants by the clocks of a zone, with their offset: '2026-11-20T18:00:00.123-08:00' for
 * '2026-11-21T02:00:00.123Z'. Only for the server, which runs at TZ=UTC: date-fns-tz reads its dates through the host's own
 * zone, and where that one changes its clocks it is an hour off as it does.
 */
export function zonedTimes(zone: string): (at: string) => string {
  // A log is in its order of time, and fifty thousand times cost seconds one by one.
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
