import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { directoryOf, linesOf, newBackup, wholeBackup } from "../worker/local/backup-files.mjs";

const SAID = {
  format: 1,
  version: "1.0.0",
  organization: { id: "city", name: "City Parks" },
  taken_at: "2026-06-10T12:00:00.000Z",
  migrations: { database: 1, object: 1 },
  key_check: "ab",
};
const LINES = ['{"id":"a"}', '{"id":"ä\\n"}', `{"id":"${"x".repeat(300_000)}"}`];

let dir = "";

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "lamplighter-backup-"));
});
afterAll(() => rm(dir, { recursive: true }));

async function aBackup(name: string): Promise<string> {
  const at = join(dir, name);
  const backup = await newBackup(at);
  for (const table of ["areas", "areas"]) {
    await backup.begin(table); // the second time, since somebody edited the city meanwhile
    for (const line of LINES) await backup.write(line);
  }
  await backup.begin("hubs");
  await backup.finish(SAID);
  return at;
}

async function read(at: string): Promise<string[]> {
  const { files } = await wholeBackup(at, "city");
  const lines: string[] = [];
  for (const file of files) for await (const line of linesOf(at, file)) lines.push(line);
  return lines;
}

test("what was written is read back, by whoever made it only", async () => {
  const at = await aBackup("whole");
  expect(await read(at)).toEqual(LINES);
  for (const name of ["manifest.json", "areas.jsonl.gz"]) expect((await stat(join(at, name))).mode & 0o777).toBe(0o600);
  await expect(newBackup(at)).rejects.toThrow("has a backup already");
});

test("a second backup into a directory in which one is being made is refused, until that one has ended", async () => {
  const at = join(dir, "twice");
  const first = await newBackup(at);
  await first.begin("areas");
  await expect(newBackup(at)).rejects.toThrow(`Another backup is being made in ${at}.`);
  await first.abandon();
  const second = await newBackup(at);
  await second.begin("areas");
  await second.finish(SAID);
  await expect(newBackup(at)).rejects.toThrow("has a backup already");
  expect(await read(at)).toEqual([]);
});

test("of a backup that was refused before its first row no empty folder is left", async () => {
  const at = join(dir, "refused");
  await (await newBackup(at)).abandon();
  expect(existsSync(at)).toBe(false);
});

test.runIf(existsSync("/proc/self"))("a backup in a folder where nothing can be made ends with a reason", async () => {
  await expect(newBackup("/proc/city")).rejects.toThrow("no such file or directory, mkdir '/proc/city'");
});

test("half a backup, a changed file and nonsense are each told in a sentence", async () => {
  const at = await aBackup("half");
  const areas = join(at, "areas.jsonl.gz");
  const manifest = join(at, "manifest.json");
  const text = await readFile(manifest, "utf8");
  await expect(wholeBackup(at, "harbor")).rejects.toThrow("is a backup of City Parks (city), not of harbor.");
  await truncate(areas, 100);
  await expect(wholeBackup(at, "city")).rejects.toThrow("was changed or cut short since the backup was made.");
  await rm(areas);
  await expect(wholeBackup(at, "city")).rejects.toThrow("is missing: the backup is not whole.");
  for (const nonsense of [
    "",
    "{",
    "[]",
    '{"organization":{"id":1},"files":[]}',
    text.replace("areas", "../../etc/passwd"),
  ]) {
    await writeFile(manifest, nonsense);
    await expect(wholeBackup(at, "city")).rejects.toThrow("is not the manifest of a backup.");
  }
  await rm(manifest);
  await expect(wholeBackup(at, "city")).rejects.toThrow(
    "has no manifest.json: there is no backup, or it was broken off",
  );
});

test("a file with more or less in it than its manifest says is stopped at, however small it is", async () => {
  const at = await aBackup("bomb");
  const file = (content: Buffer, rows: number, bytes: number) => ({
    table: "areas",
    rows,
    bytes,
    sha256: createHash("sha256").update(content).digest("hex"),
    content,
  });
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const cases: [ReturnType<typeof file>, string][] = [
    [file(bomb, 1, 1_000), "There is more in"],
    [file(bomb, 1, 50_000_000), "is too long."],
    [file(gzipSync("a\nb\n"), 1, 4), "There is more in"],
    [file(gzipSync("a\n"), 2, 4), "There is less in"],
    [file(Buffer.from("no gzip"), 1, 2), "can't be read"],
    [file(gzipSync("a\nb\n").subarray(0, 15), 2, 4), "can't be read"],
  ];
  for (const [{ content, ...said }, sentence] of cases) {
    await writeFile(join(at, "areas.jsonl.gz"), content);
    const reading = async () => {
      for await (const line of linesOf(at, said)) expect(line.length).toBeLessThan(10);
    };
    await expect(reading()).rejects.toThrow(sentence);
  }
});

test("an organization's id names no other directory", () => {
  expect(directoryOf("backups", "city-1")).toBe(join("backups", "city-1"));
  for (const id of ["../city", "", "a/b", "a b", "..", "x".repeat(121)])
    expect(() => directoryOf("backups", id)).toThrow("is no id of an organization.");
});
