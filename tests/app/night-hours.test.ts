import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import NightHours from "#app/routes/tonight/night-hours";
import type { Night } from "#app/routes/tonight/night";
import type { NightBar } from "#domain/tonight/tonight";

const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 20, hour, minute);
const night: Omit<Night, "known" | "now"> = {
  frame: {
    from: at(12),
    to: at(36),
    date: "2026-11-20",
    kind: "running",
    sunset: at(16, 45),
    sunrise: at(31),
    previous: "2026-11-19",
    next: null,
  },
  known_from: at(12),
  zone: "UTC",
  sentence: "",
  isForeseen: true,
  attention: null,
  totals: { on: 0, wrong: 0, unknown: 0, all: 0 },
  rows: [],
  page: 1,
  pages: 1,
  total: 0,
  all: 0,
};

const park: Night["rows"][number] = {
  id: "park",
  name: "Elm Park",
  type: "park",
  active: true,
  hidden: 2,
  shade: [],
  lights: [],
  on: 0,
  wrong: 0,
  unknown: 0,
  all: 0,
};

test("of an area whose lights are hidden nobody says that nothing is planned", () => {
  const shown = { night: { ...night, rows: [park], known: at(17), now: at(17) }, onOpen: () => undefined };
  const html = renderToStaticMarkup(createElement(NightHours, shown));
  expect(html).toContain("2 lights of other departments are not shown.");
  expect(html).not.toContain("Nothing is planned");
});

/** What the line says that folds what was, of a night that was loaded before `known` and is looked at `now`. */
function earlier(known: number, now: number): string {
  const shown = { night: { ...night, known, now }, onOpen: () => undefined };
  const html = renderToStaticMarkup(createElement(NightHours, shown));
  return /Earlier:[^<]*/.exec(html)?.[0] ?? "";
}

test("a sunset that comes while the night is on screen is told as soon as it is over", () => {
  expect(earlier(at(16, 44), at(16, 44))).toBe("");
  expect(earlier(at(16, 44), at(16, 46))).toBe("Earlier: sunset 4:45 PM");
  expect(earlier(at(17), at(17))).toBe("Earlier: sunset 4:45 PM");
});

const bar = (why: NightBar["why"], text: string): NightBar => ({
  from: at(17),
  to: at(20),
  why,
  reason: "hold_on",
  text,
  sentence: "",
  schedule_ids: ["league"],
  group: null,
  series: null,
  who: null,
});

/** What stands beside 8:00 PM, when the first of the bars ends. */
function ends(...bars: NightBar[]) {
  const rest = { area_id: "park", problem: null, hold: null, may_toggle: true, seen: [] };
  const light = { id: "gate", name: "Gate", state: "on" as const, bars, ...rest };
  const shown = { ...night, rows: [{ ...park, lights: [light] }], known: at(18), now: at(18) };
  const html = renderToStaticMarkup(createElement(NightHours, { night: shown, onOpen: () => undefined }));
  return /8:00 PM<\/p>.*?text-ink-soft block">([^<]*)</.exec(html)?.[1];
}

test("what a person lights is told to end as that, and not by its reason", () => {
  expect(ends(bar("booked", "City league"))).toBe("City league ends");
  expect(ends(bar("hand", "Switched on by hand"))).toBe("No longer on by hand");
  expect(ends(bar("emergency", "flood"))).toBe("The emergency ends");
});

test("what nobody asked for is not told to end", () => {
  expect(ends(bar("unasked", "Nobody asked for it"))).toBe("Nobody asked for it");
});

test("a booking that a limit cuts does not end where it is cut", () => {
  const cut: NightBar = { ...bar("cut", "City league"), reason: "curfew", from: at(20), to: at(21, 30) };
  expect(ends(bar("booked", "City league"), cut)).toBe("City league, cut 1 h 30 min");
});
