import { and, eq, gte, inArray, lt, lte, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Manifest } from "#domain/operations/backup";
import type { BackupRow } from "./backup";
import { IN_BACKUPS, type BackedUp } from "./backup-tables";
import type { Database } from "./database";
import { parts } from "./parts";
import { keepShutOut, keepStates, keepVersions, samePerson, WRITTEN, type SamePerson } from "./restore-kept";
import { insertRows } from "./restore-rows";
import { restore_rows as staged, restores as table, users } from "./schema";

/** The most rows that the object takes up at a time, and their characters: 500 parts of agents' plans are more than it holds. */
const [MOST_AHEAD, MOST_CHARACTERS] = [500, 2_000_000];

/** Rows of the backup as JSON, and the number of the one after them; null: there is none. */
export type StagedPage = { bodies: string[]; next: number | null };

/** A backup on its way back into an organization. */
export function restores(db: Database, org_id: string) {
  const ownRows = eq(staged.org_id, org_id);

  return {
    find: () => db.select().from(table).where(eq(table.org_id, org_id)).get(),

    /** Begins one, in the place of any that was broken off. */
    begin: (id: string, manifest: Manifest) =>
      db.batch([
        db.delete(staged).where(ownRows),
        db.delete(table).where(eq(table.org_id, org_id)),
        db.insert(table).values({ org_id, id, manifest }),
      ]),

    /**
     * Puts rows of the restore `id` aside until all are there, the first as number `first`; the same rows again change
     * nothing. A write that hung may arrive after another restore has begun, among whose rows these are not to come.
     */
    stage: (id: string, table_name: string, first: number, rows: BackupRow[]) =>
      db.run(sql`insert or replace into ${staged} (org_id, table_name, "row", body)
        select ${org_id}, ${table_name}, ${first} + key, value from json_each(${JSON.stringify(rows)})
        where exists (select 1 from restores where restores.org_id = ${org_id} and restores.id = ${id})`),

    /** Adds entries of a log; those that are there stay. They are facts, whatever becomes of the restore. */
    addLog: (of: BackedUp, rows: BackupRow[]) =>
      db.run(
        insertRows(of, org_id, Object.keys(rows[0] ?? {}), {
          rows: sql`json_each(${JSON.stringify(rows)})`,
          body: sql`json_each.value`,
        }),
      ),

    /** How many rows of each table have been put aside. */
    counts: async () => {
      const found = await db
        .select({ table: staged.table_name, rows: sql<number>`count(*)` })
        .from(staged)
        .where(ownRows)
        .groupBy(staged.table_name);
      return new Map(found.map(({ table: name, rows }) => [name, rows]));
    },

    /** Rows of one of the object's tables from number `first` on. */
    page: async (table_name: string, first: number): Promise<StagedPage> => {
      const from = and(ownRows, eq(staged.table_name, table_name), gte(staged.row, first));
      const ahead = await db
        .select({ row: staged.row, length: sql<number>`length(${staged.body})` })
        .from(staged)
        .where(from)
        .orderBy(staged.row)
        .limit(MOST_AHEAD);
      const [part = []] = parts(ahead, MOST_CHARACTERS, ({ length }) => length);
      const last = part.at(-1)?.row ?? first;
      const rows = await db
        .select({ body: staged.body })
        .from(staged)
        .where(and(from, lte(staged.row, last)))
        .orderBy(staged.row);
      const isAll = part.length === ahead.length && ahead.length < MOST_AHEAD;
      return { bodies: rows.map(({ body }) => body), next: isAll ? null : last + 1 };
    },

    /**
     * Puts the backup in the place of what the organization has, in one transaction: either all of it or nothing. The
     * organization's new epoch is the restore's id. What the object is to take up stays until it has. Fails on its NOT NULL
     * where another restore has begun by then, which has put all of the backup's rows away.
     */
    swap: async (id: string, audit: BatchItem<"sqlite">) => {
      const columns = await columnsOf(db, org_id);
      const people = await samePeople(db, org_id);
      const [first, ...rest] = [
        sql`update restores set id = case when id = ${id} then id end where org_id = ${org_id}`,
        ...people.flatMap((person) => samePerson(org_id, person)),
        ...keepShutOut(org_id),
        ...keepStates(org_id),
        ...keepVersions(org_id),
        ...removals(org_id),
        ...IN_BACKUPS.flatMap((of) => insertion(of, org_id, columns.get(of.table))),
        ...settled(org_id, id),
      ].map((statement) => db.run(statement.inlineParams())); // drizzle can't bind what is raw in a batch
      if (first) await db.batch([first, ...rest, audit]);
    },

    /** The object has taken up what was its own. */
    end: () => db.delete(staged).where(ownRows),
  };
}

/** Forgets restores that began before an instant (ISO 8601), and what they have put aside: secrets are among it. */
export function forgetRestores(db: Database, before: string) {
  const old = db.select({ org_id: table.org_id }).from(table).where(lt(table.begun_at, before));
  return db.batch([
    db.delete(staged).where(inArray(staged.org_id, old)),
    db.delete(table).where(lt(table.begun_at, before)),
  ]);
}

/** Of each table the columns that its staged rows have; they are all of one release. */
async function columnsOf(db: Database, org_id: string): Promise<Map<string, string[]>> {
  const found = await db
    .select({ table: staged.table_name, body: staged.body })
    .from(staged)
    .where(and(eq(staged.org_id, org_id), eq(staged.row, 0)));
  return new Map(
    found.map(({ table: name, body }) => [
      name,
      [...new Set([...Object.keys(JSON.parse(body)), ...(WRITTEN[name] ?? [])])],
    ]),
  );
}

/** A person has one account in a deployment, and may have had another id where the backup was made. */
async function samePeople(db: Database, org_id: string): Promise<SamePerson[]> {
  const rows = await db
    .select({ body: staged.body })
    .from(staged)
    .where(and(eq(staged.org_id, org_id), eq(staged.table_name, "users")));
  const people: { id: string; email: string }[] = rows.map(({ body }) => JSON.parse(body));
  const emails = sql`(select value from json_each(${JSON.stringify(people.map(({ email }) => email))}))`;
  const here = await db.select({ id: users.id, email: users.email }).from(users).where(inArray(users.email, emails));
  return people.flatMap(({ id, email }) => {
    const known = here.find((one) => one.email === email);
    return known && known.id !== id ? [{ id, here: known.id }] : [];
  });
}

/** Children first. Departments are not removed as a whole: their members would go with them. */
function removals(org_id: string): SQL[] {
  const replaced = IN_BACKUPS.filter(({ table: name, restored }) => restored === "replace" && name !== "organizations");
  return replaced.toReversed().map(({ table: name }) => {
    const all = sql`delete from ${sql.identifier(name)} where org_id = ${org_id}`;
    if (name !== "departments") return all;
    return sql`${all} and id not in (select json_extract(body, '$.id') from restore_rows
      where restore_rows.org_id = ${org_id} and table_name = 'departments')`;
  });
}

function insertion(of: BackedUp, org_id: string, columns: string[] | undefined): SQL[] {
  if (columns === undefined || of.isLog) return [];
  const rows = sql`(select body from restore_rows
    where restore_rows.org_id = ${org_id} and table_name = ${of.table} order by "row") staged`;
  const insert = insertRows(of, org_id, columns, { rows, body: sql`staged.body` });
  const update = UPDATES[of.table];
  return [update === undefined ? insert : sql`${insert} on conflict (id) do update set ${sql.raw(update)}`];
}

/** Rows that stay where they are, since others would go with them. */
const UPDATES: Readonly<Record<string, string>> = {
  organizations: "name = excluded.name",
  departments: "name = excluded.name, version = excluded.version where departments.org_id = excluded.org_id",
};

const IMPORT_IS_OVER = "A backup was restored meanwhile. Nothing was imported. Choose the file again.";

/**
 * The engine reads everything anew, and no answer that was kept names a record that is gone. What an import found new may
 * be back, and would be there twice.
 */
function settled(org_id: string, id: string): SQL[] {
  return [
    sql`update imports set state = 'failed', reason = ${IMPORT_IS_OVER} where org_id = ${org_id}
      and state in ('checking', 'ready', 'applying')`,
    sql`delete from idempotency_keys where org_id = ${org_id}`,
    sql`delete from changes where org_id = ${org_id}`,
    sql`update organizations set epoch = ${id}, config_version = config_version + 1 where id = ${org_id}`,
    sql`delete from restore_rows where org_id = ${org_id} and table_name not like 'object.%'`,
  ];
}
