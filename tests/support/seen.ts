import { appendFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";

/** Where a run records the texts that its browser tests saw, one file per test file; `npm test` creates it. */
const { SEEN_DIR } = process.env;

/** Records that the running test file saw the text on a screen, for tests/quoted-texts. */
export function seen(text: string): void {
  const file = basename(expect.getState().testPath ?? "nowhere", ".test.ts");
  if (SEEN_DIR) appendFileSync(join(SEEN_DIR, file), `${JSON.stringify(text)}\n`);
}
