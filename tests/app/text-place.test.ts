import { expect, test } from "vitest";
import { textPlace } from "#app/components/night/text-place";

const hour = (of: number) => Date.UTC(2026, 10, 20, of);
const frame = { from: hour(12), to: hour(36) };
const placeOf = (from: number, to: number, known_from = 12) =>
  textPlace([{ from: hour(from), to: hour(to) }], frame, hour(known_from));

test("a row's words stand behind its bars, or before them where those end late", () => {
  expect(placeOf(18, 24)).toEqual({ left: 50, right: 0, isBefore: false });
  expect(placeOf(24, 33)).toEqual({ left: 0, right: 50, isBefore: true });
  expect(placeOf(15, 33)).toBeNull();
});

test("they do not stand over hours of which nothing is known", () => {
  expect(placeOf(26.5, 30.5, 26.5)).toBeNull();
  expect(placeOf(27, 33, 18)).toEqual({ left: 25, right: 37.5, isBefore: true });
});
