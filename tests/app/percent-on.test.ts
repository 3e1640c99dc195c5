import { expect, test } from "vitest";
import { percentOn } from "#app/routes/dashboard/percent-on";

test("an area is 100% on only where all of its lights are, and 0% only where none is", () => {
  expect([percentOn(0, 0), percentOn(0, 9), percentOn(9, 9)]).toEqual([0, 0, 100]);
  expect([percentOn(1, 3), percentOn(2, 3)]).toEqual([33, 67]);
  expect([percentOn(249, 250), percentOn(1, 250)]).toEqual([99, 1]);
});
