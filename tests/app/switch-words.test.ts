import { expect, test } from "vitest";
import { failedWords } from "#app/routes/switch/switch-words";

const linesOf = (count: number) => Array.from({ length: count }, (_, n) => `Pole ${n + 1}: hub offline`);

test("of lights that failed together the first are named, and how many more there are, since a message covers the screen", () => {
  expect(failedWords([])).toBeNull();
  expect(failedWords(linesOf(8))).toBe(linesOf(8).join("\n"));
  expect(failedWords(linesOf(9))).toBe([...linesOf(8), "and 1 more light"].join("\n"));
  expect(failedWords(linesOf(500))?.split("\n").at(-1)).toBe("and 492 more lights");
});
