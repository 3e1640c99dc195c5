import { expect, test } from "vitest";
import { areaQuery, deviceQuery, scheduleQuery, workorderQuery } from "#domain/lists/list-query";

test("an empty query string is the first page in the default order", () => {
  expect(deviceQuery.parse({})).toEqual({ q: [], page: 1, sort: "name" });
  expect(scheduleQuery.parse({})).toEqual({ q: [], page: 1, sort: "next" });
});

test("reads known parameters and drops the rest", () => {
  const said = { q: " Elm  GATE ", page: "3", area: "park", dept: "org-wide", state: "on", sort: "state", edit: "x" };
  expect(deviceQuery.parse(said)).toEqual({ ...said, q: ["elm", "gate"], page: 3, edit: undefined });
});

test.each([
  ["page", "0"],
  ["page", "-1"],
  ["page", "1.5"],
  ["page", "ten"],
  ["page", "1e9"],
  ["status", "nonsense"],
  ["priority", ""],
  ["area", ""],
  ["area", "x".repeat(121)],
  ["sort", "constructor"],
  ["q", "x".repeat(201)],
])("ignores an outdated or mistyped %s=%s", (name, value) => {
  expect(workorderQuery.parse({ [name]: value })).toEqual(workorderQuery.parse({}));
});

test("a search has at most eight words and ignores the case of A to Z", () => {
  expect(areaQuery.parse({ q: "A b C d E f G h I j" }).q).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
  expect(areaQuery.parse({ q: "Ärger" }).q).toEqual(["Ärger"]);
});
