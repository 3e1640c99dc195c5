import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { QUOTED } from "./quoted-texts";

const { SEEN_DIR = "" } = process.env;
/** The browser's files that have run; a run of one file is not asked for what the others see. */
const ran = existsSync(SEEN_DIR) ? readdirSync(SEEN_DIR) : [];

test.skipIf(ran.length === 0)("each text that the specification has in quotes was seen where the register says", () => {
  const unseen = QUOTED.filter(([, , file]) => ran.includes(file)).filter(
    ([, text, file, pattern = patternOf(text)]) => !textsOf(file).some((seen) => pattern.test(seen)),
  );
  expect(unseen).toEqual([]);
});

test("the register names files that there are", () => {
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
