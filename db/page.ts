import { and, asc, count, eq, isNull, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { PAGE_SIZE, type Page } from "#domain/lists/list-query";
import { ORG_WIDE } from "#domain/enums";
import type { Database } from "./database";
import { areas } from "./schema";

/** A device or an area, whose records to find. */
export type Place = { device_id: string } | { area_id: string };

type Asked<Row> = { rows: Row[]; counts: { total: number; all: number }[] };

/**
 * The wanted page, or the last one if there are fewer. `ask` is one batch, so this takes one round trip, or two if the
 * page no longer exists.
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

/** Selects the count of all rows and of the matching ones. */
export function counted(found: SQL | undefined) {
  return { total: sql<number>`count(case when ${found ?? sql`1`} then 1 end)`, all: count() };
}

/** Whether every word is in one of the texts. Uses instr because D1 refuses LIKE patterns above 50 bytes. */
export function hasWords(words: string[], ...texts: SQLWrapper[]): SQL | undefined {
  const whole = inSmallLetters(texts);
  return and(...words.map((word) => sql`instr(${whole}, ${word}) > 0`));
}

/** The same, or `isThere` of a word, where there are too many texts to be one. */
export function hasWordsOr(isThere: (word: SQL) => SQL, words: string[], ...texts: SQLWrapper[]): SQL {
  const word = sql`json_each.value`;
  return sql`not exists (select 1 from json_each(${JSON.stringify(words)})
    where instr(${inSmallLetters(texts)}, ${word}) = 0 and not ${isThere(word)})`;
}

function inSmallLetters(texts: SQLWrapper[]): SQL {
  const parts = texts.map((text) => sql`coalesce(${text}, '')`);
  return sql`lower(${sql.join(parts, sql` || ' ' || `)})`;
}

/** Whether the column has the value; no condition without a value. */
export function is<Value>(column: SQLWrapper, value: Value | undefined): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}

/**
 * Whether the row is the organization's, where another condition finds the few rows. Without statistics SQLite may choose
 * the index on org_id instead, and read the whole city for one device.
 */
export function belongs(column: SQLWrapper, org_id: string): SQL {
  return sql`+${column} = ${org_id}`;
}

/** The same for a department, or for organization-wide rows. */
export function ofDept(dept_id: SQLWrapper, dept: string | undefined): SQL | undefined {
  return dept === ORG_WIDE ? isNull(dept_id) : is(dept_id, dept);
}

/** Alphabetical order that ignores case. */
export function byName(text: SQLWrapper): SQL {
  return sql`${text} collate nocase`;
}

/** Those first that say the words as they were typed: of a hundred poles 'pole 7' is in Pole 17 to Pole 97, too. */
export function asTyped(words: string[], ...texts: SQLWrapper[]): SQL {
  const whole = sql`lower(${sql.join(texts, sql` || ' ' || `)})`;
  return sql`instr(' ' || ${whole} || ' ', ${` ${words.join(" ")} `}) = 0`;
}

/** In the order of `words`; other values come last. */
export function inOrder(column: SQLWrapper, words: readonly string[]): SQL {
  const cases = words.map((word, at) => sql`when ${word} then ${at}`);
  return sql`case ${column} ${sql.join(cases, sql` `)} else ${words.length} end`;
}

/**
 * An alias for a joined table's name: a batch returns rows by column name, so a second `name` would overwrite the first.
 */
export function named<Name extends string | null = string>(column: SQLWrapper, as: string) {
  return sql<Name>`${column}`.as(as);
}

/** The areas to filter a list by; a statement for the list's batch. */
export function areaChoices(db: Database, org_id: string) {
  return db
    .select({ id: areas.id, name: areas.name })
    .from(areas)
    .where(eq(areas.org_id, org_id))
    .orderBy(byName(areas.name), asc(areas.id));
}
