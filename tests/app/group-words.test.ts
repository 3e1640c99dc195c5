import { expect, test } from "vitest";
import { groupWords, noGroupWords } from "#app/routes/area/around";

const [on, off] = [{ current_state: "on" as const }, { current_state: "off" as const }];

test("a group says how many of its lights are on", () => {
  expect(groupWords([on, off, on], 3)).toBe("3 lights, 2 on");
  expect(groupWords([off], 1)).toBe("1 light, 0 on");
});

test("of a group whose lights are not all on the area's page nobody counts those that are on", () => {
  expect(groupWords([], 12)).toBe("12 lights");
  expect(groupWords([on, off], 3)).toBe("3 lights");
});

test("that an area has no group is said only where no light of it is hidden", () => {
  expect(noGroupWords(0)).toMatch(/^No group yet\. /);
  expect(noGroupWords(3)).toMatch(/^No group of the lights that you see\. /);
});
