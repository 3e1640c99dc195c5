import { expect, test } from "vitest";
import { auditView, cursorOf, eventView, historyView } from "#domain/lists/log-query";

const AT = "2026-11-20T10:00:00.000Z";

test("an empty query reads a log from its newest entry", () => {
  expect(eventView.parse({})).toEqual({ q: [], sort: "newest" });
});

test("reads a log's filters from the query string", () => {
  const said = { q: "Gate", from: "2026-11-01", to: "2026-11-20", sort: "oldest", source: "manual", result: "fail" };
  expect(eventView.parse(said)).toEqual({ ...said, q: ["gate"] });
  expect(historyView.parse({ area: "park", device: "gate", action: "test" })).toMatchObject({
    area: "park",
    device: "gate",
    action: "test",
  });
});

test("a cursor leads back to its place, whatever characters the id has", () => {
  for (const id of ["1", "a~b~c", "ünï"]) {
    expect(auditView.parse({ cursor: cursorOf({ at: AT, id }) }).cursor).toEqual({ at: AT, id });
  }
});

test.each([
  ["cursor", ""],
  ["cursor", AT],
  ["cursor", `${AT}~`],
  ["cursor", "yesterday~1"],
  ["cursor", `${AT}~${"x".repeat(200)}`],
  ["from", "2026-02-30"],
  ["to", "tomorrow"],
  ["sort", "name"],
  ["source", "nobody"],
])("ignores an outdated or mistyped %s=%s", (name, value) => {
  expect(eventView.parse({ [name]: value })).toEqual(eventView.parse({}));
});
