import { expect, test } from "vitest";
import { barHours } from "#app/components/night/bar-hours";

const hour = (of: number) => Date.UTC(2026, 10, 20, of);

test("a bar's hours leave open what lies beyond the night, and no more", () => {
  const words = (from: number, to: number, beyond = {}) =>
    barHours({ from: hour(from), to: hour(to), ...beyond }, "UTC");
  expect(words(17, 22)).toBe("5:00 PM - 10:00 PM");
  expect(words(12, 22, { isFromBefore: true })).toBe("Until 10:00 PM");
  expect(words(12, 22)).toBe("12:00 PM - 10:00 PM");
  expect(words(30, 36, { goesOn: true })).toBe("From 6:00 AM");
  expect(words(30, 36)).toBe("6:00 AM - 12:00 PM");
  expect(words(12, 36, { isFromBefore: true, goesOn: true })).toBe("From noon to noon");
});
