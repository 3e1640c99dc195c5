import { expect, test } from "vitest";
import { overlapsOf } from "#app/routes/schedules/overlaps";
import { MOST_CONFLICTS } from "#domain/forecast/preview-request";

const overlaps = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const start_at = new Date(Date.UTC(2026, 10, 20 + n, 18)).toISOString();
    return { schedule_id: "practice", title: "Practice", start_at, end_at: start_at };
  });

test("three overlaps are told, and how many more there are", () => {
  expect(overlapsOf(overlaps(3)).more).toBeNull();
  expect(overlapsOf(overlaps(5))).toMatchObject({ shown: { length: 3 }, more: "2 more overlap." });
});

test("where the engine told no more than it does of any schedule, the others are not counted as if there were none", () => {
  expect(overlapsOf(overlaps(MOST_CONFLICTS)).more).toBe("At least 17 more overlap.");
});

test("lights that each have a schedule of one title overlap once", () => {
  const [one] = overlaps(1);
  expect(overlapsOf([one, one, one, one].flatMap((each) => each ?? []))).toMatchObject({ shown: [one], more: null });
});
