import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * What is mutated, and which tests judge it. Tests that take longer than `slowest_ms` are left to `npm test`; those that
 * match `slow` are not even timed. The vendor's protocol has its tests in tests/providers, over real HTTP, and is left out.
 */
export const SUITES = {
  domain: {
    mutate: () => filesIn("app/domain", /\.ts$/),
    tests: () => [...filesIn("tests/domain", /\.test\.ts$/), ...filesIn("tests/app", /\.test\.ts$/)],
    slowest_ms: 30_000,
    slow: "nothing changes before `until`", // the model test sees more, in less time
  },
  durable: {
    mutate: () => filesIn("durable", /^(?!.*yolink).*\.ts$/),
    tests: () => filesIn("tests/durable", /\.test\.ts$/),
    slowest_ms: 8_000,
    slow: "forty hubs|400 lamps",
  },
};

function filesIn(folder, pattern) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => pattern.test(name))
    .toSorted();
}
