import { expect, test } from "vitest";
import { transact } from "#durable/state/context";
import { insertRows, replaceOne } from "#durable/state/insert-rows";
import { keptStore } from "#durable/state/kept";
import { enqueue } from "#durable/state/outbox";
import { updateRows, updatesOf } from "#durable/state/update-rows";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, aScheduleEach, deviceRow, events, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

const SOURCES = import.meta.glob<string>("/durable/**/*.ts", { query: "?raw", import: "default", eager: true });
const STATEMENT = /(["`])(\s*(?:SELECT|INSERT|UPDATE|DELETE)\b[\s\S]*?)\1/g;

/** Every statement on the object's tables, as the sources hold it; a list of placeholders has one. */
function statements(): string[] {
  return Object.entries(SOURCES)
    .filter(([file]) => !file.includes("/migrations/"))
    .flatMap(([, text]) => [...text.matchAll(STATEMENT)].map(([, , statement = ""]) => statement))
    .map((statement) =>
      statement
        .replace(/\$\{keys[^}]*\}/, "?")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((statement) => !statement.includes("(${due})")) // what it selects is a statement of its own
    .filter((statement) => !statement.startsWith("UPDATE ${table}")) // by a primary key, which a test of its own asks
    .filter((statement) => !statement.includes(" ${table} ")); // whole rows by their keys, also in a backup
}

/** What may read a whole table, and why that does not grow with what is asked. */
const MAY_SCAN: [statement: RegExp, why: string][] = [
  [/^SELECT of, body FROM faults$/, "simulated lamps that are broken, once an instant"],
  [/FROM sqlite_master/, "once, when a process starts"],
  [/FROM pragma_table_info/, "for each page of what a restored object takes up"],
  [/^SELECT id FROM plan WHERE kind = /, "asked for everything of a kind"],
  [/^SELECT id, owner, body FROM plan WHERE kind = /, "all policies, permits and closures, until the plan is written"],
  [/^UPDATE plan SET body = /, "once, when a clock that was ahead by ten minutes or more is set right"],
  [/^SELECT device_id FROM device_memory WHERE lit_since/, "asked for every lit light"],
  [/^SELECT id, device_id, hub FROM calls$/, "asked for every call under way, where a test or a poll waits"],
  [/^SELECT 1 FROM polls LIMIT 1$/, "one row of an index"],
  [/^SELECT kind, id FROM polls ORDER BY/, "in the order of an index, and read as far as needed"],
  [/^SELECT id, kind, body FROM outbox/, "in the order of its key, up to the limit"],
  [/^SELECT 1 FROM outbox WHERE set_aside IS NULL LIMIT/, "up to the first rows that are not set aside"],
  [/^SELECT COUNT\(\*\) AS n FROM outbox WHERE set_aside/, "rows that D1 refused, only after it has refused one"],
  [/^UPDATE outbox SET set_aside = \? WHERE set_aside IS NULL/, "what is not told yet, once, when a process starts"],
  [/^UPDATE outbox SET set_aside = NULL WHERE/, "what was set aside, once, when a process starts"],
  [
    /^SELECT COUNT\(\*\) AS n, MIN\(body/,
    "messages that wait for an address, where over five came at once, once in five minutes",
  ],
  [/^SELECT \* FROM incidents$/, "what is wrong now, once for a process; mostly it is asked for what is well"],
  [/^SELECT hub, failures, paused_until, lamp FROM hub_trouble$/, "hubs that fail right now, once for a process"],
  [/^SELECT \* FROM incidents WHERE alarm/, "after D1 was restored, or when an object begins anew"],
  [/held_since/, "while the cloud's limit is reached, at most a hundred times in five minutes"],
  [/^UPDATE commands SET due_at = \?1 WHERE \(\?2/, "when a hub or the cloud comes back"],
  [/ROW_NUMBER\(\)/, "the watchdog's turn, once a minute"],
  [/^DELETE FROM calls_made WHERE at <= /, "at most a few hundred calls of the last minutes"],
  [/^DELETE FROM reservations WHERE at < /, "at most one for each device that waits for the cloud"],
  [/^UPDATE incidents SET since = /, "once, when a clock that was ahead by ten minutes or more is set right"],
  [/^UPDATE timers SET lease = NULL WHERE lease IS NOT NULL$/, "once, when a process starts"],
  [/^DELETE FROM claims WHERE start > \?1 OR \(end > \?1 AND /, "once, after a clock that was hours ahead"],
];

/** A whole table, a sort on the fly, or all of a kind of the plan. */
const COSTLY = /^SCAN (?!CONSTANT ROW|json_each|\(subquery)|TEMP B-TREE|^SEARCH plan USING PRIMARY KEY \(kind=\?\)$/;

test("no statement of the engine reads a whole table or sorts, but those that say why", async () => {
  await aField("plans");
  await inWorld("plans", at("12:00:00"), async (world) => {
    const all = statements();
    expect(all.length).toBeGreaterThan(60);
    const costly = all.flatMap((statement) => {
      const values = Array.from({ length: placeholders(statement) }, () => null);
      const steps = world.storage.sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...values).toArray();
      const bad = steps.filter(({ detail }) => COSTLY.test(detail));
      const isExplained = MAY_SCAN.some(([listed]) => listed.test(statement));
      return bad.length === 0 || isExplained ? [] : `${statement}: ${bad.map(({ detail }) => detail).join(", ")}`;
    });
    expect(costly).toEqual([]);
    const unused = MAY_SCAN.filter(([listed]) => !all.some((statement) => listed.test(statement)));
    expect(unused.map(String)).toEqual([]);
  });
});

function placeholders(statement: string): number {
  const numbered = [...statement.matchAll(/\?(\d)/g)].map(([, n]) => Number(n));
  return Math.max(0, ...numbered, [...statement.matchAll(/\?(?!\d)/g)].length);
}

type Cost = { statements: number; rows: number };

/** What the engine asks of its tables from now on. */
function count(world: World): Cost {
  const cost = { statements: 0, rows: 0 };
  const { sql: real } = world.storage;
  const exec = (statement: string, ...values: SqlStorageValue[]) => {
    const cursor = real.exec(statement, ...values);
    const rows = cursor.toArray();
    cost.statements += 1;
    cost.rows += cursor.rowsRead;
    return {
      toArray: () => rows,
      one: () => rows[0],
      rowsWritten: cursor.rowsWritten,
      [Symbol.iterator]: () => rows.values(),
    };
  };
  world.context.sql = keptStore(Object.create(real, { exec: { value: exec } }));
  return cost;
}

/** What one light costs from its window's beginning to its verification, then a toggle, in a city of so many schedules. */
async function costsIn(org_id: string, schedules: number): Promise<{ window: Cost; press: Cost }> {
  await aField(org_id);
  await aSchedule(org_id, `${org_id}1`, at("18:00:00"), at("20:00:00"));
  const numbers = (n: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n})`;
  const lamps = schedules / 10;
  await sql(
    `${numbers(lamps)} INSERT INTO devices (id, org_id, area_id, name) SELECT ?1 || '-' || i, ?1, ?1 || '-area', 'Lamp' FROM n`,
    org_id,
  ).run();
  await sql(
    `${numbers(schedules)} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone)
     SELECT ?1 || '-s' || i, ?1, ?1 || '-' || (i % ${lamps} + 1), 'Later', '2027-01-01T18:00:00.000Z',
       '2027-01-01T19:00:00.000Z', 'UTC' FROM n`,
    org_id,
  ).run();
  let costs: { window: Cost; press: Cost } | null = null;
  await inWorld(org_id, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:59:50"));
    const cost = count(world);
    const window = await during(cost, () => world.to(at("18:00:30")));
    expect(world.lamp(`${org_id}-lamp`)).toBe("on");
    const press = await during(cost, async () => void (await world.toggle(`${org_id}-lamp`, "off")));
    costs = { window, press };
  });
  if (!costs) throw new Error("the world has ended");
  return costs;
}

/** What the story costs, of all that is counted in `cost`. */
async function during(cost: Cost, story: () => Promise<void>): Promise<Cost> {
  const before = { ...cost };
  await story();
  return { statements: cost.statements - before.statements, rows: cost.rows - before.rows };
}

test("a light costs the same in a city of a hundred schedules as in one of ten thousand", async () => {
  const few = await costsIn("few", 100);
  const many = await costsIn("many", 10_000);
  expect(many.window.statements).toBe(few.window.statements);
  expect(many.window.rows).toBeLessThanOrEqual(few.window.rows + 5);
  expect(many.press.statements).toBe(few.press.statements);
  expect(many.press.rows).toBeLessThanOrEqual(few.press.rows + 5);
  expect(few.window.statements).toBeLessThan(200);
});

test("an edit of a schedule reads the policies of a city once", async () => {
  const policies = 300;
  await aField("ruled");
  await sql(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO policies (org_id, scope, scope_id, BLACKOUT_WINDOW, updated_at)
     SELECT 'ruled', 'group', i, '03:00-04:00', '2026-01-01T00:00:00.000Z' FROM n`,
    policies,
  ).run();
  await inWorld("ruled", at("17:00:00"), async (world) => {
    await world.sync();
    await aSchedule("ruled", "ruled1", at("18:00:00"), at("20:00:00"));
    const edit = await during(count(world), () => world.sync());
    expect(edit.rows).toBeLessThan(policies + 100);
  });
});

test("lights that are due together share what a transaction costs", async () => {
  const lamps = Array.from({ length: 60 }, (_, n) => `crowd-${n}`);
  await aField("crowd", lamps);
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = 'crowd'").run();
  await aScheduleEach("crowd", lamps, at("18:00:00"), at("20:00:00"));
  await inWorld("crowd", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:59:50"));
    const cost = count(world);
    const sent = await during(cost, () => world.to(at("18:00:04")));
    expect(lamps.every((lamp) => world.lamp(lamp) === "on")).toBe(true);
    expect(sent.statements / lamps.length).toBeLessThan(8);
    // Nothing is at hand, as in a city of more lights than are kept.
    const verified = await during(count(world), () => world.to(at("18:00:20")));
    expect(await events("crowd")).toHaveLength(lamps.length);
    expect(verified.statements / lamps.length).toBeLessThan(5);
  });
});

test("what a transaction has to tell is written by a few statements, and told in its order", async () => {
  await aField("posts");
  await inWorld("posts", at("12:00:00"), async (world) => {
    await world.sync();
    const ids = Array.from({ length: 70 }, (_, n) => `${(n * 37) % 70}`);
    const cost = count(world);
    transact(world.context, () => {
      for (const id of ids)
        enqueue(world.context, "hub_health", id, {
          hub_id: id,
          status: "online",
          last_seen: null,
          rtt_ms: null,
          seq: 1,
        });
    });
    expect(cost.statements).toBeLessThan(10);
    const told = world.storage.sql.exec<{ key: string }>("SELECT key FROM outbox ORDER BY id").toArray();
    expect(told.map(({ key }) => key)).toEqual(ids.map((id) => `hub_health:${id}`));
  });
});

test("rows that differ in the same columns are changed by one statement, each found by its key", async () => {
  await inWorld("rows", at("12:00:00"), async ({ storage }) => {
    const { sql: tables } = storage;
    tables.exec("CREATE TABLE lights (id TEXT PRIMARY KEY, park TEXT, state TEXT, note TEXT) WITHOUT ROWID");
    tables.exec("CREATE INDEX lights_park ON lights (park, id)");
    const ids = Array.from({ length: 60 }, (_, n) => `light ${n}`);
    const rowOf = (id: string) => ({ id, park: "north", state: "off", note: "was off" });
    const columns = ["park", "state", "note"];
    insertRows(
      tables,
      replaceOne("lights", ["id", ...columns]),
      ids.map((id) => Object.values(rowOf(id))),
    );

    const ran: string[] = [];
    const exec = (statement: string, ...values: SqlStorageValue[]) => {
      const steps = tables.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...values).toArray();
      ran.push(steps.map(({ detail }) => detail).join(", "));
      return tables.exec(statement, ...values);
    };
    const changes = ids.map((id, n) => ({
      stored: rowOf(id),
      row: { ...rowOf(id), ...(n === 0 ? { park: "south" } : { state: "on", note: n % 2 === 0 ? "was off" : `${n}` }) },
    }));
    updateRows(Object.create(tables, { exec: { value: exec } }), updatesOf("lights", ["id"], columns), changes);

    const stored = tables.exec("SELECT * FROM lights").toArray();
    expect(stored).toEqual(changes.map(({ row }) => row).toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    expect(ran).toHaveLength(3); // one light by itself, and two sets of thirty
    expect(ran.filter((plan) => !/SEARCH lights USING PRIMARY KEY/.test(plan) || /SCAN lights/.test(plan))).toEqual([]);
  });
});

test("a toggle while a city is switched does not read what the city has to tell", async () => {
  const lamps = Array.from({ length: 30 }, (_, n) => `told-${n}`);
  await aField("told", lamps);
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = 'told'").run();
  await aScheduleEach("told", lamps, at("18:00:00"), at("20:00:00"));
  await inWorld("told", at("17:00:00"), async (world) => {
    await world.sync();
    for (const lamp of lamps.slice(1)) world.fault(`lamp:${lamp}`, { kind: "slow", ms: 5_000 });
    await world.to(at("18:00:01"));
    const { context } = world;
    transact(context, () => {
      for (let n = 0; n < 2_000; n += 1)
        enqueue(context, "hub_health", `${n}`, {
          hub_id: "none",
          status: "online",
          last_seen: null,
          rtt_ms: null,
          seq: 1,
        });
    });
    const press = await during(count(world), async () => void (await world.toggle("told-0", "off")));
    expect((await deviceRow("told-0")).current_state).toBe("off");
    expect(press.rows).toBeLessThan(500);
  });
});
