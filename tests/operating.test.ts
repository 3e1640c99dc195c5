import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const guide = readFileSync("OPERATING.md", "utf8");

test("OPERATING.md says of every warning and fault in the log what to do", () => {
  const events = ["worker", "durable", "app/router"].flatMap(eventsOf);
  expect(events.length).toBeGreaterThan(60);
  expect(events.filter((event) => !guide.includes(`\`${event}\``))).toEqual([]);
});

/** The commands and the agent's program have no line in the platform's log. */
function eventsOf(root: string): string[] {
  const named =
    /(?:level: "(?:warn|error)", event: |log\("(?:warn|error)", |quietly\(context, |later\(org_id, )"([a-z_.]+)"/g;
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !(root === "worker" && /^(?:agent|local)\//.test(path)))
    .flatMap((path) => [...readFileSync(`${root}/${path}`, "utf8").matchAll(named)].map(([, event = ""]) => event));
}
