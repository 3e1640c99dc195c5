import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What speaks to the world outside: its tests have servers to speak to, in node. */
const OUTWARD = /yolink|providers.(cloud|cloud-hubs|hybrid|local).ts|twilio\.ts/;

/** What is mutated, and which tests judge it. Those that match `slow` are left to `npm test`. */
export const SUITES = {
  domain: {
    mutate: () => filesIn("app/domain", /\.ts$/),
    tests: () => [...filesIn("tests/domain", /\.test\.ts$/), ...filesIn("tests/app", /\.test\.ts$/)],
    slow: "nothing changes before `until`", // the model test sees more, in less time
  },
  durable: {
    mutate: () => filesIn("durable", /\.ts$/).filter((file) => !OUTWARD.test(file)),
    // The agents' door keeps one real object for all of its tests, which ends when modules are loaded anew; the budget of
    // statements reads the sources as texts, which are others here.
    tests: () => filesIn("tests/durable", /(?<!agent-door|statements)\.test\.ts$/),
    slow: "forty hubs|400 lamps",
  },
  providers: {
    mutate: () => filesIn("durable", /\.ts$/).filter((file) => OUTWARD.test(file)),
    tests: () => filesIn("tests/providers", /\.test\.ts$/),
  },
};

function filesIn(folder, pattern) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => pattern.test(name))
    .toSorted();
}
