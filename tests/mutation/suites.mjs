import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * What is mutated, and which tests judge it. Those that match `slow` are left to `npm test`. The vendor's protocol has its tests in tests/providers, over real HTTP, and is left out.
 */
export const SUITES = {
  domain: {
    mutate: () => filesIn("app/domain", /\.ts$/),
    tests: () => [...filesIn("tests/domain", /\.test\.ts$/), ...filesIn("tests/app", /\.test\.ts$/)],
    slow: "nothing changes before `until`", // the model test sees more, in less time
  },
  durable: {
    mutate: () => filesIn("durable", /^(?!.*yolink).*\.ts$/),
    tests: () => filesIn("tests/durable", /\.test\.ts$/),
    slow: "forty hubs|400 lamps",
  },
};

function filesIn(folder, pattern) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => pattern.test(name))
    .toSorted();
}
