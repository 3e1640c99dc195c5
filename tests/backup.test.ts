import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { backup } from "../worker/local/backup.mjs";

let to = "";
let broken: string[] = [];
let said: string[] = [];
const print = (line: string) => void said.push(line);

beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), "lamplighter-backup-all-"));
  broken = [];
  said = [];
});
afterEach(() => rm(to, { recursive: true }));

/** An operator's door with three organizations, each with one area; those of `broken` fail half-way. */
async function call(_: string, path: string) {
  if (path === "/organizations") return { data: [{ id: "east" }, { id: "mid" }, { id: "west" }] };
  const [, , id = "", , table] = path.split("/");
  const manifest = { organization: { id, name: `City ${id}` }, taken_at: "2026-06-10T12:00:00.000Z" };
  if (table === undefined) return { ...manifest, at: { version: 1, epoch: 1 }, tables: ["areas"], logs: [] };
  if (broken.includes(id)) throw Object.assign(new Error(`${id} is ill`), { isServers: true });
  return { rows: [{ id: `${id}-park` }], next: null };
}

test("of every organization the rest is backed up though one fails, and the same command makes what is missing", async () => {
  broken = ["mid"];
  const told = "1 of 3 have no backup: mid. Run the same again.";
  await expect(backup(call, { to }, { print })).rejects.toThrow(told);
  expect(said).toEqual([
    `City east (east): 1 rows in 1 files, ${join(to, "east")}`,
    "mid: mid is ill",
    `City west (west): 1 rows in 1 files, ${join(to, "west")}`,
  ]);
  const before = await readFile(join(to, "east/manifest.json"), "utf8");

  [broken, said] = [[], []];
  await backup(call, { to }, { print });
  expect(said).toEqual([
    `City mid (mid): 1 rows in 1 files, ${join(to, "mid")}`,
    "east, west: backed up before, left as it is.",
  ]);
  expect(await readFile(join(to, "east/manifest.json"), "utf8")).toBe(before);
  await expect(backup(call, { to }, { print })).rejects.toThrow(
    "has a backup of each already. Name another directory.",
  );
});

test("a folder that cannot be made is told in a line for each organization", async () => {
  const file = join(to, "a-file");
  await writeFile(file, "");
  await expect(backup(call, { to: file }, { print })).rejects.toThrow("3 of 3 have no backup: east, mid, west.");
  expect(said).toEqual(
    ["east", "mid", "west"].map(
      (id) => `${id}: This machine refused: ENOTDIR: not a directory, mkdir '${join(file, id)}'`,
    ),
  );
});

test("one organization is refused where it has a backup", async () => {
  await backup(call, { org: "west", to }, { print });
  await expect(backup(call, { org: "west", to }, { print })).rejects.toThrow("has a backup already");
  expect(said).toHaveLength(1);
});
