import { expect, test } from "vitest";
import { rowsOf, wordsPlace } from "#app/week/rows";
import type { WeekSchedule, WeekWindow } from "#app/week/week";
import { weekFrame } from "#app/week/week-frame";
import { maxOnReached } from "#domain/resolve/reason-sentence";
import { blockWords, limitWords, pieceSentence, shownWords, weekWords } from "#app/week/week-words";

const zone = "America/Los_Angeles";
const now = Date.parse("2026-11-18T12:00:00Z");
const at = (text: string) => Date.parse(`2026-11-${text}:00-08:00`);
const league: WeekSchedule = {
  id: "league",
  title: "City league",
  target: { type: "group", id: "pitch", name: "Pitch" },
  lights: 4,
  start_sun: null,
  end_sun: null,
  repeats: true,
  is_open: true,
  may_write: true,
  words: "",
  who: null,
};
const window: WeekWindow = {
  schedule_id: "league",
  date: "2026-11-17",
  start: at("17T18:00"),
  end: at("17T22:30"),
  skipped: null,
  dark: [],
  limits: [],
};

function aPiece(more: Partial<WeekWindow> = {}, schedule: Partial<WeekSchedule> = {}) {
  const frame = weekFrame("2026-11-16", zone, now);
  const rows = rowsOf({ frame, windows: [{ ...window, ...more }], schedules: [{ ...league, ...schedule }] });
  const piece = rows.flatMap(({ pieces }) => pieces)[0];
  if (!piece) throw new Error("the window is in the week");
  return piece;
}

test("a week is told by its days, and by its year where that is another one", () => {
  const words = (date: string) => weekWords({ frame: weekFrame(date, zone, now), now, zone });
  expect(words("2026-11-16")).toBe("Nov 16 - 22");
  expect(words("2026-11-30")).toBe("Nov 30 - Dec 6");
  expect(words("2027-03-01")).toBe("Mar 1 - 7, 2027");
});

test("the week of New Year is told by the year of its last day, before it and within it", () => {
  const words = (day: string) => {
    const seen = Date.parse(`${day}T12:00:00Z`);
    return weekWords({ frame: weekFrame("2026-12-28", zone, seen), now: seen, zone });
  };
  expect(words("2026-12-20")).toBe("Dec 28 - Jan 3, 2027");
  expect(words("2027-01-02")).toBe("Dec 28 - Jan 3");
});

test("a block's name begins with what stands on it, and ends with its day and what limits take", () => {
  const piece = aPiece({
    dark: [{ from: at("17T22:00"), to: at("17T22:30") }],
    limits: [{ from: at("17T22:00"), to: at("17T22:30"), words: "curfew until 6:00 AM", lights: 4 }],
  });
  expect(shownWords(piece, zone)).toBe("City league 6:00 PM - 10:30 PM, Pitch, 4 lights, cut");
  expect(pieceSentence(piece, zone)).toBe(
    "City league 6:00 PM - 10:30 PM, Pitch, 4 lights, cut; Tue, Nov 17; Dark 10:00 PM to 10:30 PM: curfew until 6:00 AM",
  );
  const skipped = aPiece({ skipped: { by: "person", reason: "rain" } });
  expect(pieceSentence(skipped, zone)).toBe(
    "City league 6:00 PM - 10:30 PM, Pitch, 4 lights, Skipped: rain; Tue, Nov 17",
  );
  const sun = aPiece({}, { start_sun: "sunset", lights: 1, target: { type: "area", id: "park", name: "All lights" } });
  expect(pieceSentence(sun, zone)).toBe("City league 6:00 PM - 10:30 PM; Tue, Nov 17; starts by sunset");
});

test("a limit says how many of the lights it takes, where it is not all", () => {
  const limit = { from: at("17T21:00"), to: at("17T22:00"), words: "closed: wet ground", lights: 2 };
  expect(limitWords(limit, 4, zone)).toBe("2 of 4 lights dark 9:00 PM to 10:00 PM: closed: wet ground");
  for (const [minutes, told] of [
    [1, "1 minute"],
    [240, "240 minutes"],
    [1_440, "1,440 minutes"],
  ] as const)
    expect(limitWords({ ...limit, words: maxOnReached(minutes) }, 2, zone)).toBe(
      `Dark 9:00 PM to 10:00 PM: the limit of ${told} is reached`,
    );
  expect(blockWords(aPiece({ limits: [limit] }), zone)).toBe("6:00 PM - 10:30 PM, Pitch, 4 lights, some dark");
});

test("words stand in a block that has room for them, and else behind it, never on what is hatched", () => {
  expect(wordsPlace(aPiece(), 20).isInside).toBe(true);
  expect(wordsPlace(aPiece(), 40)).toEqual({ isInside: false, room: 13.5 });
  expect(wordsPlace(aPiece({ dark: [{ from: at("17T19:00"), to: at("17T22:30") }] }), 20).isInside).toBe(false);
  expect(wordsPlace(aPiece({ start: at("17T13:00"), end: at("18T11:00") }), 400)).toEqual({ isInside: true, room: 22 });
});
