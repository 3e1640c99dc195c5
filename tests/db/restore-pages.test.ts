import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { database } from "#db/database";
import { restores } from "#db/restore";
import { anOrganization } from "../support/door";

const restore = restores(database(env.DB), "city");
const TABLE = "object.planned_lamps";

beforeAll(async () => {
  await anOrganization("city");
  await env.DB.prepare("INSERT INTO restores (org_id, id, manifest) VALUES ('city', 'backup', '{}')").run();
});

/** Puts rows of such lengths aside; the numbers of the rows in each page that is read of them. */
async function pagesOf(lengths: number[]): Promise<number[][]> {
  await restore.end();
  for (const [n, length] of lengths.entries())
    await restore.stage("backup", TABLE, n, [{ n, lamps: "x".repeat(length) }]);
  const pages: number[][] = [];
  for (let first: number | null = 0; first !== null;) {
    const { bodies, next }: Awaited<ReturnType<typeof restore.page>> = await restore.page(TABLE, first);
    pages.push(bodies.map((body) => JSON.parse(body).n));
    first = next;
  }
  return pages;
}

test("an object takes up no more of a backup at a time than it holds, and one row at least, however long", async () => {
  expect(await pagesOf([])).toEqual([[]]);
  expect(await pagesOf([5, 5])).toEqual([[0, 1]]);
  const long = 900_000;
  expect(await pagesOf([long, long, long, 5, 1_900_000, long])).toEqual([[0, 1], [2, 3], [4], [5]]);
});

test("of short rows five hundred come at a time, and all of them come", async () => {
  const pages = await pagesOf(Array.from({ length: 501 }, () => 1));
  expect(pages.map(({ length }) => length)).toEqual([500, 1]);
});
