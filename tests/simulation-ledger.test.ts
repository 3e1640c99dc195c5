import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Ledger } from "./simulation/ledger.mjs";

const SOURCES = { commit: "c1", durable: "d1", "app/domain": "a1", "tests/simulation": "t1" };
const LIFE = { story: "life", seed: 1, days: 365, lights: 20 };

const aFile = () => join(mkdtempSync(join(tmpdir(), "lamplighter-ledger-")), "lives.jsonl");

test("a life that is over is not lived again by the same sources, and is by others, and by another story", () => {
  const file = aFile();
  new Ledger([file], SOURCES).note({ ...LIFE, isWell: true });
  const again = new Ledger([file], SOURCES);
  expect(again.has(LIFE)).toBe(true);
  expect(again.has({ ...LIFE, story: "agent" })).toBe(false);
  expect(again.has({ ...LIFE, seed: 2 })).toBe(false);
  expect(new Ledger([file], { ...SOURCES, "tests/simulation": "t2" }).has(LIFE)).toBe(false);
});

test("lives of another engine are not counted, each other one once, by its story and over several files", () => {
  const [one, two] = [aFile(), aFile()];
  new Ledger([one], SOURCES).note({ ...LIFE, isWell: false });
  new Ledger([one], { ...SOURCES, durable: "d0" }).note({ ...LIFE, seed: 9, isWell: true });
  new Ledger([two], { ...SOURCES, "tests/simulation": "t2" }).note({ ...LIFE, isWell: true, at: "2999-01-01" });
  new Ledger([two], SOURCES).note({ ...LIFE, seed: 2, isWell: true });
  new Ledger([two], SOURCES).note({ ...LIFE, story: "agent", seed: 3, isWell: false });
  expect(new Ledger([one, two], SOURCES).sum().split("\n")).toEqual([
    "Lived at durable d1, app/domain a1:",
    "agent: 1 lives: 0 days (0.00 years) of 20 lights, 0.0 light-years; objections: seeds 3",
    "life: 2 lives: 730 days (2.00 years) of 20 lights, 40.0 light-years",
    "1 lives of other sources are not counted.",
  ]);
});

test("a line that was cut off takes no other with it, and two may write to one file", () => {
  const file = aFile();
  writeFileSync(file, '{"story":"life","se');
  const [one, two] = [new Ledger([file], SOURCES), new Ledger([file], SOURCES)];
  one.note({ ...LIFE, isWell: true });
  two.note({ ...LIFE, seed: 2, isWell: true });
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(4);
  expect(new Ledger([file], SOURCES).sum()).toContain("2 lives: 730 days");
  expect(new Ledger([file], SOURCES).sum()).toContain("1 lines could not be read");
});
