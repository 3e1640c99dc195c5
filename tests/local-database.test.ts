import { strict as assert } from "node:assert";
import { existsSync } from "node:fs";
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { despiteAssertions, withDatabase, withTables } from "../worker/local/database.mjs";
import { requireStateFolder } from "../worker/local/state-folder.mjs";

/** Fails the first `times` times; counts how often it was asked. */
function failing(times: number, fail: () => never) {
  let asked = 0;
  const work = async () => {
    asked += 1;
    if (asked <= times) fail();
    return asked;
  };
  return { work, asked: () => asked };
}

function broken(): never {
  assert.fail("false == true");
}

test("a start goes on after an assertion of the local runtime has broken once, and not twice", async () => {
  expect(await despiteAssertions(failing(1, broken).work)).toBe(2);
  const told = (): never => {
    throw new Error("The database could not be brought up to date", { cause: { code: "ERR_ASSERTION" } });
  };
  expect(await despiteAssertions(failing(1, told).work)).toBe(2);
  await expect(despiteAssertions(failing(2, broken).work)).rejects.toThrow("false == true");
});

test("what the database itself refuses is not tried again", async () => {
  const { work, asked } = failing(1, () => {
    throw new Error("0001.sql: no such table: areas");
  });
  await expect(despiteAssertions(work)).rejects.toThrow("no such table");
  expect(asked()).toBe(1);
});

test("a folder in which the state cannot be kept is told in a sentence, and one that is missing is made", async () => {
  const scratch = await mkdtemp(join(tmpdir(), "lamplighter-state-folder-"));
  try {
    const file = join(scratch, "file");
    await writeFile(file, "");
    for (const folder of [file, join(file, "state")])
      await expect(requireStateFolder(folder)).rejects.toThrow(`The state cannot be kept in ${folder}: `);
    await requireStateFolder(join(scratch, "new/state"));
    await access(join(scratch, "new/state"));
  } finally {
    await rm(scratch, { recursive: true });
  }
});

test.runIf(existsSync("/proc/self"))(
  "a state in a folder where nothing can be made is refused, and not waited for",
  async () => {
    for (const folder of ["/proc/lamplighter", "/proc/lamplighter/state"])
      await expect(requireStateFolder(folder)).rejects.toThrow(`The state cannot be kept in ${folder}: `);
  },
);

test("who writes beside a running server waits until it has written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lamplighter-busy-"));
  try {
    await withDatabase(folder, async (server) => {
      await server.prepare("CREATE TABLE written (n)").run();
      const many = "WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 3000000)";
      const writing = server.prepare(`INSERT INTO written ${many} SELECT n FROM many`).run();
      const written = withTables(folder, async (d1) => {
        await d1.prepare("INSERT INTO written VALUES (0)").run();
        return d1.prepare("SELECT count(*) AS n FROM written WHERE n = 0").first("n");
      });
      expect((await Promise.all([written, writing]))[0]).toBe(1);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}, 120_000);

test("a state that the runtime cannot use is told in a sentence", async () => {
  const scratch = await mkdtemp(join(tmpdir(), "lamplighter-state-folder-"));
  const failed = `The database in ${scratch} could not be brought up to date:\n\n`;
  const opened = () => withTables(scratch, async () => "opened");
  try {
    await mkdir(join(scratch, "v3"));
    await writeFile(join(scratch, "v3/d1"), "");
    await expect(opened()).rejects.toThrow(`${failed}EEXIST: file already exists`);
    await rm(join(scratch, "v3"), { recursive: true });
    expect(await opened()).toBe("opened");
    const folder = join(scratch, "v3/d1/miniflare-D1DatabaseObject");
    const files = (await readdir(folder)).filter((name) => !name.startsWith("metadata."));
    for (const name of files) await writeFile(join(folder, name), "no database");
    await expect(opened()).rejects.toThrow(`${failed}A file there is damaged`);
  } finally {
    await rm(scratch, { recursive: true });
  }
});
