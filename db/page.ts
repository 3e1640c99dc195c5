import { and, asc, count, eq, isNull, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { PAGE_SIZE, type Page } from "#domain/list-query";
import { ORG_WIDE } from "#domain/enums";
import type { Database } from "./database";
import { areas } from "./schema";

/** Where to look for what belongs to a device or to an area. */
export type Place = { device_id: string } | { area_id: string };

type Asked<Row> = { rows: Row[]; counts: { total: number; all: number }[] };

/**
 * The page that is wanted, or the last where there are fewer. `ask` is one batch, so this is one round trip, and two
 * for a page that has ceased to be.
 */
export async function pageOf<Row, More extends Asked<Row>>(
  wanted: number,
  ask: (limit: number, offset: number) => Promise<More & Asked<Row>>,
): Promise<Page<Row> & Omit<More, "counts">> {
  const { counts, ...asked } = await ask(PAGE_SIZE, (wanted - 1) * PAGE_SIZE);
  const { total, all } = counts[0] ?? { total: 0, all: 0 };
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (wanted > pages) return pageOf(pages, ask);
  return { ...asked, total, all, page: wanted, pages };
}

/** What to select to know how many rows there are, and how many of them are found. */
export function counted(found: SQL | undefined) {
  return { total: sql<number>`count(case when ${found ?? sql`1`} then 1 end)`, all: count() };
}

/** Whether every word is in one of the texts. By instr: D1 refuses a LIKE pattern above 50 bytes. */
export function hasWords(words: string[], ...texts: SQLWrapper[]): SQL | undefined {
  const parts = texts.map((text) => sql`coalesce(${text}, '')`);
  const whole = sql`lower(${sql.join(parts, sql` || ' ' || `)})`;
  return and(...words.map((word) => sql`instr(${whole}, ${word}) > 0`));
}

/** Whether the column has the value; nothing is asked where nothing is said. */
export function is<Value>(column: SQLWrapper, value: Value | undefined): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}

/** The same for a department, or for none. */
export function ofDept(dept_id: SQLWrapper, dept: string | undefined): SQL | undefined {
  return dept === ORG_WIDE ? isNull(dept_id) : is(dept_id, dept);
}

/** As people read an alphabet: capitals among the small letters. */
export function byName(text: SQLWrapper): SQL {
  return sql`${text} collate nocase`;
}

/** In the order of the words, whatever is none of them last. */
export function inOrder(column: SQLWrapper, words: readonly string[]): SQL {
  const cases = words.map((word, at) => sql`when ${word} then ${at}`);
  return sql`case ${column} ${sql.join(cases, sql` `)} else ${words.length} end`;
}

/**
 * A joined table's name under a name of its own: a batch answers rows by their columns' names, and the second `name`
 * of a row would take the place of the first.
 */
export function named<Name extends string | null = string>(column: SQLWrapper, as: string) {
  return sql<Name>`${column}`.as(as);
}

/** The areas to narrow a list to; a statement for the list's own batch. */
export function areaChoices(db: Database, org_id: string) {
  return db
    .select({ id: areas.id, name: areas.name })
    .from(areas)
    .where(eq(areas.org_id, org_id))
    .orderBy(byName(areas.name), asc(areas.id));
}
