// `npm start` for tests that kill it: the same file with the tests' clock and access to the object's tables.
import { load } from "../../worker/local/typescript.mjs";

const { OFFSET_MS, shiftDate } = await load("tests/support/clock.ts");
shiftDate(OFFSET_MS);
const { underTest } = await load("tests/support/worker-under-test.ts");
const { start } = await import("../../worker/local/start.mjs");
await start({ wrap: underTest });
