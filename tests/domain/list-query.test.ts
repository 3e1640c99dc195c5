import { expect, test } from "vitest";
import { areaQuery, deviceQuery, scheduleQuery, workorderQuery } from "#domain/list-query";

test("an empty query string is the first page, in the list's own order", () => {
  expect(deviceQuery.parse({})).toEqual({ q: [], page: 1, sort: "name" });
  expect(scheduleQuery.parse({})).toEqual({ q: [], page: 1, sort: "next" });
});

test("what is known is read, what is said besides is left out", () => {
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
])("an old or mistyped %s=%s counts as not said", (name, value) => {
  expect(workorderQuery.parse({ [name]: value })).toEqual(workorderQuery.parse({}));
});

test("a search has at most eight words, of which A to Z count the same in both cases", () => {
  expect(areaQuery.parse({ q: "A b C d E f G h I j" }).q).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
  expect(areaQuery.parse({ q: "Ärger" }).q).toEqual(["Ärger"]);
});
