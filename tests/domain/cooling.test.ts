import { expect, test } from "vitest";
import { acceptedOff, coolUntil, readFor, type Cooling } from "#domain/resolve/cooling";

const MIN = 60_000;
const UNSEEN: Cooling = { seen_lit: 0, dark_since: null };

test("a lamp cools from the later of our OFF and the first reading that said off", () => {
  const lit = readFor(UNSEEN, "on", 0);
  const taken = acceptedOff(lit, 2 * MIN);
  expect(coolUntil(taken, 15, 3 * MIN)).toBe(17 * MIN);
  const read = readFor(taken, "off", 3 * MIN);
  expect(coolUntil(read, 15, 4 * MIN)).toBe(18 * MIN);
  expect(coolUntil(readFor(read, "off", 10 * MIN), 15, 11 * MIN)).toBe(18 * MIN);
  expect(coolUntil(acceptedOff(read, 10 * MIN), 15, 11 * MIN)).toBe(18 * MIN);
});

test("a lamp has cooled at the instant, half-open, and without minutes at once", () => {
  const dark = readFor(readFor(UNSEEN, "on", 0), "off", 0);
  expect(coolUntil(dark, 15, 15 * MIN - 1)).toBe(15 * MIN);
  expect(coolUntil(dark, 15, 15 * MIN)).toBeNull();
  expect(coolUntil(dark, 0, 0)).toBeNull();
});

test("a lamp that no reading has seen lit has nothing to cool from", () => {
  expect(coolUntil(acceptedOff(UNSEEN, 0), 15, 1)).toBeNull();
  expect(coolUntil(readFor(UNSEEN, "off", 0), 15, 1)).toBeNull();
  expect(coolUntil(readFor(readFor(UNSEEN, "unknown", 0), "off", 0), 15, 1)).toBeNull();
});

test("a reading that says nothing leaves a lamp that was seen lit as it was", () => {
  const lit = readFor(UNSEEN, "on", 0);
  expect(readFor(lit, "unknown", MIN)).toEqual(lit);
  const taken = acceptedOff(lit, MIN);
  expect(readFor(taken, "unknown", 2 * MIN)).toEqual(taken);
});

test("a lamp that is read lit after an OFF is not cooling", () => {
  const taken = acceptedOff(readFor(UNSEEN, "on", 0), MIN);
  expect(coolUntil(readFor(taken, "on", 2 * MIN), 15, 3 * MIN)).toBeNull();
});
