import { expect, test } from "vitest";
import { counted } from "#domain/counted";

test.each([
  [0, "light", "0 lights"],
  [1, "light", "1 light"],
  [2, "more night", "2 more nights"],
  [10_000, "light", "10,000 lights"],
])("%i of '%s' is told as '%s'", (count, noun, words) => {
  expect(counted(count, noun)).toBe(words);
});
