import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { QUOTED } from "./quoted-texts";

const { SEEN_DIR = "" } = process.env;
/** The browser tests that ran; a partial run is checked for its own texts only. */
const ran = existsSync(SEEN_DIR) ? readdirSync(SEEN_DIR) : [];

test.skipIf(ran.length === 0)("the browser tests saw every text that the specification quotes", () => {
  const unseen = QUOTED.filter(([, , file]) => ran.includes(file)).filter(
    ([, text, file, pattern = patternOf(text)]) => !textsOf(file).some((seen) => pattern.test(seen)),
  );
  expect(unseen).toEqual([]);
});

test("the list names files that exist", () => {
  const files = new Set(QUOTED.map(([, , file]) => `tests/browser/${file}.test.ts`));
  expect([...files].filter((file) => !existsSync(file))).toEqual([]);
});

function textsOf(file: string): string[] {
  const lines = readFileSync(join(SEEN_DIR, file), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The whole text; a {name} is any value. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\{[^}]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`);
}
