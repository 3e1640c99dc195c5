import { appendFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";

/** Where a run keeps what its browser tests have seen, a file a test file; `npm test` makes it. */
const { SEEN_DIR } = process.env;

/** Keeps that the running test file has seen the text on a screen, for the register (tests/register). */
export function seen(text: string): void {
  const file = basename(expect.getState().testPath ?? "nowhere", ".test.ts");
  if (SEEN_DIR) appendFileSync(join(SEEN_DIR, file), `${JSON.stringify(text)}\n`);
}
