import { expect, test } from "vitest";
import { narrowings, shapeIn } from "./widening";

const TABLE =
  "CREATE TABLE lamps (lamp TEXT PRIMARY KEY, -- its number, with the vendor\n  state TEXT NOT NULL DEFAULT 'a, b', CHECK (state IN ('on', 'off')))";

test.each([
  ["a column that may be empty", ", watts INTEGER"],
  ["a column with a default", ", watts INTEGER NOT NULL DEFAULT 0"],
  ["a reference", ", hub TEXT REFERENCES hubs(id)"],
])("%s widens a table", (_, more) => {
  const after = shapeIn([TABLE.replace(", CHECK", `${more}, CHECK`), "CREATE TABLE other (id TEXT NOT NULL)"]);
  expect(narrowings(shapeIn([TABLE]), after)).toEqual([]);
});

test.each([
  [
    "a column that has to be given",
    TABLE.replace(", CHECK", ", watts INTEGER NOT NULL, CHECK"),
    "lamps asks for watts INTEGER NOT NULL",
  ],
  [
    "a column that is gone",
    "CREATE TABLE lamps (lamp TEXT PRIMARY KEY, CHECK (state IN ('on', 'off')))",
    "lamps lacks state TEXT NOT NULL DEFAULT 'a, b'",
  ],
  ["a rule that is stricter", TABLE.replace("'on', 'off'", "'on'"), "lamps lacks CHECK (state IN ('on', 'off'))"],
  ["a table under another name", TABLE.replace("lamps", "lights"), "lamps is gone"],
])("%s narrows it", (_, after, told) => {
  expect(narrowings(shapeIn([TABLE]), shapeIn([after]))).toContain(told);
});

test("an index or a trigger that refuses rows narrows a table, and one that only helps does not", () => {
  const before = shapeIn([TABLE]);
  expect(narrowings(before, shapeIn([TABLE, "CREATE INDEX by_state ON lamps (state)"]))).toEqual([]);
  expect(narrowings(before, shapeIn([TABLE, "CREATE UNIQUE INDEX one ON lamps (state)"]))).toEqual([
    "one refuses rows of lamps",
  ]);
  const trigger = "CREATE TRIGGER never BEFORE DELETE ON lamps BEGIN SELECT RAISE(ABORT, 'no'); END";
  expect(narrowings(before, shapeIn([TABLE, trigger]))).toEqual(["never refuses rows of lamps"]);
  expect(narrowings(shapeIn([TABLE, trigger]), before)).toEqual(["the trigger never is gone"]);
});
