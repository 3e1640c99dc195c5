import { expect, test } from "vitest";
import { auditView, cursorOf, eventView, historyView } from "#domain/log-query";

const AT = "2026-11-20T10:00:00.000Z";

test("a log is read from its newest entry, unless something else is said", () => {
  expect(eventView.parse({})).toEqual({ q: [], sort: "newest" });
});

test("a view of a log is read from the query string", () => {
  const said = { q: "Gate", from: "2026-11-01", to: "2026-11-20", sort: "oldest", source: "manual", result: "fail" };
  expect(eventView.parse(said)).toEqual({ ...said, q: ["gate"] });
  expect(historyView.parse({ area: "park", device: "gate", action: "test" })).toMatchObject({
    area: "park",
    device: "gate",
    action: "test",
  });
});

test("a place is found again by its cursor, whatever its id is", () => {
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
])("an old or mistyped %s=%s counts as not said", (name, value) => {
  expect(eventView.parse({ [name]: value })).toEqual(eventView.parse({}));
});
