import { expect, test } from "vitest";
import { barHours } from "#app/components/night/bar-hours";

const hour = (of: number) => Date.UTC(2026, 10, 20, of);
const frame = { from: hour(12), to: hour(36) };

test("a bar's hours leave open what lies beyond the night", () => {
  const words = (from: number, to: number) => barHours({ from: hour(from), to: hour(to) }, frame, "UTC");
  expect(words(17, 22)).toBe("5:00 PM - 10:00 PM");
  expect(words(12, 22)).toBe("Until 10:00 PM");
  expect(words(30, 36)).toBe("From 6:00 AM");
  expect(words(12, 36)).toBe("From noon to noon");
});
