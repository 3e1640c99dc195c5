import fc from "fast-check";
import { expect, test } from "vitest";
import { attempt, transact, type EngineContext } from "#durable/state/context";
import { insertRows, replaceOne } from "#durable/state/insert-rows";
import { keptStore } from "#durable/state/kept";
import { keptTable, type Rows, type Table } from "#durable/state/kept-table";
import { inWorld, type World } from "#tests/support/engine";

/** What a story does to the rows of one table; a part may fail, and hold parts of its own. */
type Act =
  | { do: "put"; key: string; row: string }
  /** Writes a row by a statement of its own, and says so. */
  | { do: "know"; key: string; row: string }
  | { do: "drop" | "get"; key: string }
  | { do: "load"; keys: string[] }
  | { do: "write" }
  /** Changes all rows by a statement of its own. */
  | { do: "statement"; row: string }
  | { do: "part"; acts: Act[]; fails: boolean };
type Part = { acts: Act[]; fails: boolean };

const key = fc.constantFrom("a", "b", "c", "d");
const row = fc.constantFrom("1", "2", "3");
const { acts } = fc.letrec<{ act: Act; acts: Act[] }>((tie) => ({
  act: fc.oneof<fc.Arbitrary<Act>[]>(
    fc.record({ do: fc.constant("put"), key, row }),
    fc.record({ do: fc.constant("know"), key, row }),
    fc.record({ do: fc.constant("drop"), key }),
    fc.record({ do: fc.constant("get"), key }),
    fc.record({ do: fc.constant("load"), keys: fc.array(key) }),
    fc.record({ do: fc.constant("write") }),
    fc.record({ do: fc.constant("statement"), row }),
    fc.record({ do: fc.constant("part"), acts: tie("acts"), fails: fc.boolean() }),
  ),
  acts: fc.array(tie("act"), { maxLength: 8 }),
}));
const transactions = fc.array(fc.record({ acts, fails: fc.boolean() }), { maxLength: 4 });

/** What is read, in its order, and the rows that are left. */
type Outcome = { read: (string | null)[]; rows: [key: string, row: string][] };

/** As it is where nothing is kept, and a part that fails takes back all rows. */
function plainly(story: Part[]): Outcome {
  let rows = new Map<string, string>();
  let read: (string | null)[] = [];
  const play = (act: Act) => {
    if (act.do === "put" || act.do === "know") rows.set(act.key, act.row);
    if (act.do === "drop") rows.delete(act.key);
    if (act.do === "get") read.push(rows.get(act.key) ?? null);
    if (act.do === "statement") for (const key of rows.keys()) rows.set(key, act.row);
    if (act.do === "part") playPart(act);
  };
  const playPart = ({ acts, fails }: Part) => {
    const before = { rows: new Map(rows), read: [...read] };
    acts.forEach(play);
    if (fails) ({ rows, read } = before);
  };
  story.forEach(playPart);
  return { read, rows: [...rows].toSorted() };
}

function keptly(world: World, story: Part[], table: (sql: EngineContext["sql"]) => Rows<string>): Outcome {
  const { context, storage } = world;
  storage.sql.exec("DELETE FROM kept_rows");
  context.sql = keptStore(storage.sql);
  const rows = table(context.sql);
  let read: (string | null)[] = [];
  const play = (act: Act) => {
    if (act.do === "put") rows.put(act.key, act.row);
    if (act.do === "drop") rows.drop(act.key);
    if (act.do === "get") read.push(rows.get(act.key));
    if (act.do === "load") rows.load?.(act.keys);
    if (act.do === "know") {
      context.sql.exec("INSERT OR REPLACE INTO kept_rows (key, row) VALUES (?, ?)", act.key, act.row);
      rows.know(act.key, act.row);
    }
    if (act.do === "write") context.sql.kept?.write();
    if (act.do === "statement") {
      context.sql.kept?.write();
      context.sql.exec("UPDATE kept_rows SET row = ?", act.row);
      rows.forget?.();
    }
    if (act.do === "part") tried(act, (part) => attempt(context, part, () => undefined));
  };
  const tried = ({ acts, fails }: Part, change: (part: () => void) => void) => {
    const before = [...read];
    change(() => {
      read = [...before]; // a part that writes to the tables begins anew
      acts.forEach(play);
      if (fails) {
        read = before;
        throw new Error("fails");
      }
    });
  };
  for (const part of story)
    tried(part, (change) => {
      try {
        transact(context, change);
      } catch (error) {
        if (!part.fails) throw error;
      }
    });
  const left = storage.sql.exec<{ key: string; row: string }>("SELECT key, row FROM kept_rows ORDER BY key").toArray();
  return { read, rows: left.map(({ key, row }) => [key, row]) };
}

const ROW_BY_ROW: Table<string> = {
  most: 2,
  read: (sql, key) =>
    sql.exec<{ row: string }>("SELECT row FROM kept_rows WHERE key = ?", key).toArray()[0]?.row ?? null,
  write: (sql, rows) => {
    for (const { key, row, stored } of rows)
      if (stored === null) sql.exec("INSERT OR REPLACE INTO kept_rows (key, row) VALUES (?, ?)", key, row);
      else sql.exec("UPDATE kept_rows SET row = ? WHERE key = ? AND row = ?", row, key, stored);
  },
  drop: (sql, key) => void sql.exec("DELETE FROM kept_rows WHERE key = ?", key),
};

const IN_SETS: Table<string> = {
  ...ROW_BY_ROW,
  readMany: (sql, keys) =>
    sql
      .exec<{ key: string; row: string }>(
        "SELECT key, row FROM kept_rows WHERE key IN (SELECT value FROM json_each(?))",
        keys,
      )
      .toArray()
      .map(({ key, row }) => [key, row]),
  write: (sql, rows) =>
    insertRows(
      sql,
      replaceOne("kept_rows", ["key", "row"]),
      rows.map(({ key, row }) => [key, row]),
    ),
  dropMany: (sql, keys) => void sql.exec("DELETE FROM kept_rows WHERE key IN (SELECT value FROM json_each(?))", keys),
  isSame: (before, after) => before === after,
};

const WHOLE: Table<string> = {
  ...ROW_BY_ROW,
  readAll: (sql) =>
    sql
      .exec<{ key: string; row: string }>("SELECT key, row FROM kept_rows")
      .toArray()
      .map(({ key, row }) => [key, row]),
};

test.each([
  ["row by row", ROW_BY_ROW],
  ["in sets", IN_SETS],
  ["with all of the table at hand", WHOLE],
])("whatever fails, rows kept and written %s are those that a plain table would have", async (how, table) => {
  await inWorld(`kept ${how}`, "2026-06-10T12:00:00Z", async (world) => {
    world.storage.sql.exec("CREATE TABLE kept_rows (key TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID");
    fc.assert(
      fc.property(transactions, (story) => {
        expect(keptly(world, story, keptTable(table))).toEqual(plainly(story));
      }),
      { numRuns: 3_000 },
    );
  });
});
