import { and, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { AreaInput } from "#domain/organization/area-schema";
import type { AREA_SORTS, AreaQuery } from "#domain/lists/list-query";
import { AREA_TYPES } from "#domain/enums";
import type { Database } from "./database";
import { asTyped, byName, counted, hasWords, inOrder, is, named, pageOf } from "./page";
import { areas as table } from "./schema";
import { nextVersion, NOW } from "./versions";

export type AreaValues = Pick<typeof table.$inferInsert, keyof AreaInput | "positions">;

const ORDERS: Record<(typeof AREA_SORTS)[number], SQL[]> = {
  name: [],
  newest: [desc(table.created_at)],
  type: [inOrder(table.type, AREA_TYPES)],
};

/** The areas of one organization. */
export function areas(db: Database, org_id: string) {
  const { org_id: _, positions: __, ...record } = getTableColumns(table);
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));

  return {
    list: () => db.select(record).from(table).where(eq(table.org_id, org_id)).orderBy(byName(table.name), table.id),

    page: (query: AreaQuery) => {
      const ours = eq(table.org_id, org_id);
      const found = areasFound(query);
      return pageOf(query.page, async (limit, offset) => {
        const [rows, counts] = await db.batch([
          db
            .select(record)
            .from(table)
            .where(and(ours, found))
            .orderBy(...ORDERS[query.sort], byName(table.name), table.id)
            .limit(limit)
            .offset(offset),
          db.select(counted(found)).from(table).where(ours),
        ]);
        return { rows, counts };
      });
    },

    /** The first ones that contain all the words: those that say them as typed, then by name. */
    hits: (words: string[], limit: number) =>
      db
        .select({ id: table.id, name: table.name, place: named<string>(table.type, "place") })
        .from(table)
        .where(and(eq(table.org_id, org_id), hasAll(words)))
        .orderBy(asTyped(words, table.name), byName(table.name), table.id)
        .limit(limit),

    /** Where it has been in the last days; not part of its record. */
    positions: (id: string) => db.select({ positions: table.positions }).from(table).where(only(id)).get(),

    /** Those that have a position of their own. */
    placed: async (): Promise<string[]> => {
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.org_id, org_id), sql`${table.location} ->> 'lat' is not null`));
      return rows.map(({ id }) => id);
    },

    find: (id: string) => db.select(record).from(table).where(only(id)).get(),

    create: (id: string, values: AreaValues) => db.insert(table).values({ ...values, id, org_id }),

    save: (id: string, values: AreaValues, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextVersion(table.version, if_match) })
        .where(only(id)),

    remove: (id: string) => db.delete(table).where(only(id)),
  };
}

/** What a screen's query asks of an area. */
export function areasFound({ type, status, q }: AreaQuery): SQL | undefined {
  return and(is(table.type, type), is(table.active, status && status === "active"), hasAll(q));
}

function hasAll(words: string[]): SQL | undefined {
  return hasWords(words, table.name, table.type, sql`${table.location} ->> 'address'`);
}
