import { expect, test } from "vitest";
import { changed, draftOf, touchedIn, type Draft } from "#app/routes/schedules/draft";

const UNTOUCHED = { end_date: false, days: false };

test("the end date follows the start date as it is typed, and never to the year 2", () => {
  const typed = ["0002-11-24", "0020-11-24", "0202-11-24", "2026-11-24"];
  const ends = typed.map((start_date) => changed(aDraft(), { start_date }, UNTOUCHED).end_date);
  expect(ends).toEqual(["", "", "", "2026-11-24"]);
});

test("an end time at or before the start time is on the next day, also at the end of a month or year", () => {
  const evening = aDraft({ start_date: "2026-12-31", start_time: "20:00" });
  expect(changed(evening, { end_time: "22:00" }, UNTOUCHED).end_date).toBe("2026-12-31");
  expect(changed(evening, { end_time: "01:00" }, UNTOUCHED).end_date).toBe("2027-01-01");
  expect(changed(evening, { end_time: "20:00" }, UNTOUCHED).end_date).toBe("2027-01-01");
});

test("keeps an end date that was chosen by hand", () => {
  const chosen = aDraft({ end_date: "2026-11-26", start_time: "20:00", end_time: "22:00" });
  expect(changed(chosen, { start_date: "2026-11-24" }, { ...UNTOUCHED, end_date: true }).end_date).toBe("2026-11-26");
});

test("Weekly chooses the weekday of the start, until days are chosen by hand", () => {
  const tuesday = aDraft({ start_date: "2026-11-24" });
  const weekly = changed(tuesday, { repeat: "weekly" }, UNTOUCHED);
  expect(weekly.days).toEqual(["TU"]);
  expect(changed(weekly, { start_date: "2026-11-29" }, UNTOUCHED).days).toEqual(["SU"]);
  expect(changed(weekly, { start_date: "2026-11-29" }, { ...UNTOUCHED, days: true }).days).toEqual(["TU"]);
});

test("the end of a schedule that goes past midnight moves with its start", () => {
  const late = aDraft({ start_date: "2026-11-24", start_time: "22:00", end_date: "2026-11-25", end_time: "02:00" });
  expect(touchedIn(late)).toEqual(UNTOUCHED);
  expect(changed(late, { start_date: "2026-12-01" }, touchedIn(late)).end_date).toBe("2026-12-02");
});

test("weekdays other than the start's count as chosen by hand", () => {
  expect(touchedIn(aDraft({ start_date: "2026-11-24", repeat: "weekly", days: ["TU", "TH"] })).days).toBe(true);
  expect(touchedIn(aDraft({ start_date: "2026-11-24", repeat: "weekly", days: ["TU"] })).days).toBe(false);
});

function aDraft(more: Partial<Draft> = {}): Draft {
  return { ...draftOf(null, "America/Los_Angeles"), ...more };
}
