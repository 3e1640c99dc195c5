import { expect, test } from "vitest";
import { edgeBetween, offAfterMin, plannedUntil } from "#domain/agent/wanted";

const lamp = {
  on: [
    [100, 200],
    [200, 300],
    [500, 600],
  ] satisfies [number, number][],
  dark: [[550, 700]] satisfies [number, number][],
  max_on_ms: null,
};

test("a lamp is lit up to the end of spans that touch, to the dark, or to the plan's end", () => {
  expect(plannedUntil(lamp, 1_000, 99)).toBeNull();
  expect(plannedUntil(lamp, 1_000, 100)).toBe(300);
  expect(plannedUntil(lamp, 1_000, 300)).toBeNull();
  expect(plannedUntil(lamp, 1_000, 520)).toBe(550);
  expect(plannedUntil(lamp, 1_000, 560)).toBeNull();
  expect(plannedUntil(lamp, 250, 220)).toBe(250);
  expect(plannedUntil(lamp, 250, 250)).toBeNull();
});

test("of several edges the last one counts", () => {
  expect(edgeBetween(lamp, 1_000, 0, 99)).toBeNull();
  expect(edgeBetween(lamp, 1_000, 99, 100)).toBe("on");
  expect(edgeBetween(lamp, 1_000, 100, 199)).toBeNull();
  expect(edgeBetween(lamp, 1_000, 199, 200)).toBe("on");
  expect(edgeBetween(lamp, 1_000, 0, 400)).toBe("off");
  expect(edgeBetween(lamp, 1_000, 299, 300)).toBe("off");
  expect(edgeBetween(lamp, 1_000, 300, 301)).toBeNull();
  expect(edgeBetween(lamp, 1_000, 540, 560)).toBe("off");
  expect(edgeBetween(lamp, 1_000, 590, 600)).toBe("off");
  expect(edgeBetween({ ...lamp, on: [] }, 1_000, 540, 560)).toBe("dark");
  expect(edgeBetween(lamp, 250, 240, 260)).toBe("off");
  expect(edgeBetween(lamp, 250, 260, 270)).toBeNull();
  expect(edgeBetween(lamp, 250, 400, 520)).toBeNull();
});

test("the lamp's own timer runs five minutes longer than it should burn", () => {
  expect(offAfterMin(60 * 60_000, null, 0)).toBe(65);
  expect(offAfterMin(60 * 60_000, 30 * 60_000, 0)).toBe(35);
  expect(offAfterMin(null, 30 * 60_000, 0)).toBe(35);
  expect(offAfterMin(null, null, 0)).toBeNull();
  expect(offAfterMin(90_001, null, 0)).toBe(7);
});
