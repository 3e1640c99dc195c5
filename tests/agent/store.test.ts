import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppendLog } from "#worker/agent/store/append-log";
import { LogRing } from "#worker/agent/store/log-ring";
import { Orders } from "#worker/agent/store/orders";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplighter-store-"));
  path = join(folder, "log.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

test("what a power cut left half written is dropped, and the rest kept", async () => {
  await writeFile(path, '{"n":1}\n{"n":2}\n{"n":');
  const { log, kept } = await AppendLog.open(path);
  expect(kept).toEqual([{ n: 1 }, { n: 2 }]);
  await log.append({ n: 3 });
  await log.close();
  expect(await readFile(path, "utf8")).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
});

test("appends and replacements at the same time lose nothing", async () => {
  const { log } = await AppendLog.open(path);
  const first = [log.append({ n: 1 }), log.append({ n: 2 })];
  const replaced = log.replace([{ n: 0 }]);
  const second = [log.append({ n: 3 }), log.append({ n: 4 })];
  await Promise.all([...first, replaced, ...second]);
  await log.close();
  const again = await AppendLog.open(path);
  expect(again.kept).toEqual([{ n: 0 }, { n: 3 }, { n: 4 }]);
  await again.log.close();
});

test("what is kept is for its owner's eyes only", async () => {
  const { log } = await AppendLog.open(path);
  await log.close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("orders outlive the program, and damaged lines do not matter", async () => {
  const orders = await Orders.open(path);
  await Promise.all([orders.take("d1", 5), orders.take("d2", 9)]);
  await orders.close();
  await appendFile(path, '\0\0\0\n{"device":"d1","order":"x"}\n');
  const again = await Orders.open(path);
  expect([again.isStale("d1", 5), again.isStale("d1", 6), again.isStale("d2", 9), again.isStale("d3", 0)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  await again.close();
});

test("the file of orders stays short", async () => {
  const orders = await Orders.open(path);
  for (let order = 0; order < 300; order += 1) await orders.take("d1", order);
  await orders.close();
  expect((await readFile(path, "utf8")).split("\n").length).toBeLessThan(110);
});

test("a card that was written anew from an older copy uses no number of the log again", async () => {
  const entry = {
    device: "d1",
    kind: "edge",
    action: "on",
    state: "on",
    ok: true,
    attempts: 1,
    note: "",
    rev: 1,
  } as const;
  const hour = 3_600_000;
  const first = await LogRing.open(path, hour);
  await first.add({ ...entry, at: hour });
  const copy = await readFile(path);
  const known = await first.add({ ...entry, at: hour });
  await first.acknowledge(known.n);
  await first.close();
  await writeFile(path, copy);
  const again = await LogRing.open(path, 2 * hour);
  expect((await again.add({ ...entry, at: 2 * hour })).n).toBeGreaterThan(known.n);
  await again.close();
});
