import { formatInTimeZone, getTimezoneOffset } from "date-fns-tz";
import { afterEach, expect, test, vi } from "vitest";
import { formatInstant } from "#domain/time/display";
import { offsetAt } from "#domain/time/wall-clock";

const QUARTER_MS = 15 * 60_000;
const [YEAR, NEXT] = [Date.UTC(2026, 0), Date.UTC(2027, 0)];
const HOSTS = ["UTC", "America/Los_Angeles", "Pacific/Kiritimati", "Europe/Berlin"];

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The quarter hours of a year at which two functions of a zone's time differ, on a host in the zone `host`. */
function differences(host: string, tell: (at: number) => unknown, told: (at: number) => unknown): string[] {
  vi.stubEnv("TZ", host);
  const differing: string[] = [];
  for (let at = YEAR; at < NEXT; at += QUARTER_MS)
    if (tell(at) !== told(at)) differing.push(new Date(at).toISOString().slice(0, 16));
  return differing;
}

const byLibrary = (zone: string) => (at: number) => formatInTimeZone(at, zone, "MMM d, h:mm a");
const byOurs = (zone: string) => (at: number) => formatInstant(at, zone);

test.each(HOSTS)(
  "date-fns-tz agrees with the screens on every quarter hour of a year in %s, on a host at UTC",
  (zone) => {
    expect(differences("UTC", byLibrary(zone), byOurs(zone))).toEqual([]);
  },
);

test.each([
  ["UTC", []],
  ["America/Los_Angeles", ["2026-03-08T01:00", "2026-03-08T01:15", "2026-03-08T01:30", "2026-03-08T01:45"]],
  ["Pacific/Kiritimati", []],
  ["Europe/Berlin", []],
])("on a host in %s it formats these times of Berlin wrong: %j", (host, wrong) => {
  expect(differences(host, byLibrary("Europe/Berlin"), byOurs("Europe/Berlin"))).toEqual(wrong);
});

test("on a host in Los Angeles it shows 2:30 in UTC as 3:30, so the server formats every time", () => {
  vi.stubEnv("TZ", "America/Los_Angeles");
  expect(formatInTimeZone("2026-03-08T02:30Z", "UTC", "h:mm a")).toBe("3:30 AM");
  expect(formatInstant("2026-03-08T02:30Z", "UTC")).toBe("Mar 8, 2:30 AM");
});

test("the engine's offsets are Intl's; those of date-fns-tz are wrong for 15 or 16 hours of Los Angeles' year", () => {
  const hours = (host: string) =>
    differences(
      host,
      (at) => getTimezoneOffset("America/Los_Angeles", new Date(at)),
      (at) => offsetAt("America/Los_Angeles", at),
    ).length / 4;
  expect(Object.fromEntries(HOSTS.map((host) => [host, hours(host)]))).toEqual({
    UTC: 15,
    "America/Los_Angeles": 15,
    "Pacific/Kiritimati": 16,
    "Europe/Berlin": 15,
  });
});
