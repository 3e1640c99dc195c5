import { expect, test } from "vitest";
import { cityNeedsPosition } from "#domain/schedule/sun-needs";

test.each([
  [["A"], "in A."],
  [["A", "B"], "in A and B."],
  [["A", "B", "C"], "in A, B and C."],
  [["A", "B", "C", "D"], "in A, B, C and 1 more area."],
  [["A", "B", "C", "D", "E"], "in A, B, C and 2 more areas."],
])("of the areas %j that need the city's position, three are named", (names, where) => {
  const areas = names.map((area_name) => ({ area_name, schedules: 2 }));
  expect(cityNeedsPosition(areas)).toContain(where);
  expect(cityNeedsPosition(areas)).toMatch(new RegExp(`^${2 * names.length} schedules go by the sun and need `));
});
