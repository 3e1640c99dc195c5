import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { backups, type BackupPage } from "#db/backup";
import { IN_BACKUPS } from "#db/backup-tables";
import { database } from "#db/database";
import { calendars, organizations } from "#db/schema";

const db = database(env.DB);
const backup = backups(db, "city");
const CALENDARS = IN_BACKUPS.find(({ table }) => table === "calendars");

/** Makes calendars with names so long; those in each page of a backup, by their numbers. */
async function pagesOf(lengths: number[]): Promise<unknown[][]> {
  if (!CALENDARS) throw new Error("Calendars are in backups");
  const created_at = "2026-08-01T10:00:00.000Z";
  await db.delete(calendars);
  for (const org_id of ["city", "town"]) {
    await db.insert(organizations).values({ id: org_id, name: org_id, created_at }).onConflictDoNothing();
    for (const [n, length] of lengths.entries())
      await db.insert(calendars).values({
        id: `${org_id} ${n}`,
        org_id,
        name: "x".repeat(length),
        dates: [],
        created_at,
        updated_at: created_at,
      });
  }
  const pages: unknown[][] = [];
  for (let after: number | null = 0; after !== null;) {
    const { rows, next }: BackupPage = await backup.page(CALENDARS, after);
    pages.push(rows.map(({ id }) => Number(String(id).replace("city ", ""))));
    after = next;
  }
  return pages;
}

test("a backup reads no more at a time than a worker holds, and one row at least, however long", async () => {
  expect(await pagesOf([])).toEqual([[]]);
  expect(await pagesOf([5, 5])).toEqual([[0, 1]]);
  const long = 900_000;
  expect(await pagesOf([long, long, long, 5, 1_900_000, long])).toEqual([[0, 1], [2, 3], [4], [5]]);
});
