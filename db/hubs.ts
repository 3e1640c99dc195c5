import { and, desc, eq, isNotNull, isNull, sql, type AnyColumn, type SQL, type SQLWrapper } from "drizzle-orm";
import type { HubStatus } from "#domain/enums";
import type { HubInput } from "#domain/hubs/hub-schema";
import type { HUB_SORTS, HubQuery } from "#domain/lists/list-query";
import type { Database } from "./database";
import { areaChoices, asTyped, belongs, byName, counted, hasWords, inOrder, is, named, pageOf } from "./page";
import { agents, areas, devices, hubs as table } from "./schema";
import { settings } from "./settings";
import { nextVersion, NOW } from "./versions";

export type HubValues = Pick<typeof table.$inferInsert, keyof HubInput>;

type Place = { area_id: string } | { id: string };

/** The columns of a hub that may leave the server: never its credentials, only whether it has any. */
const record = {
  id: table.id,
  version: table.version,
  created_at: table.created_at,
  updated_at: table.updated_at,
  name: table.name,
  area_id: table.area_id,
  area_name: named(areas.name, "area_name"),
  ip_address: table.ip_address,
  port: table.port,
  connection_mode: table.connection_mode,
  agent_id: table.agent_id,
  agent_name: named<string | null>(agents.name, "agent_name"),
  notes: table.notes,
  has_local_credentials: sql<boolean>`${table.local_client_id} is not null or ${table.local_client_secret} is not null`
    .mapWith(Boolean)
    .as("has_local_credentials"),
};

/** Hubs in trouble come first. */
const BY_STATUS: HubStatus[] = ["offline", "needs attention", "unknown", "online"];
const ORDERS: Record<(typeof HUB_SORTS)[number], SQL[]> = {
  name: [],
  area: [byName(areas.name)],
  status: [inOrder(table.status, BY_STATUS)],
  seen: [desc(table.last_seen)],
};

function hasAll(words: string[]): SQL | undefined {
  return hasWords(words, table.name, areas.name, table.ip_address);
}

/** The stored credentials, or none where a hub is pointed elsewhere: else the secret would be sent to the new address. */
export function credentialsAt(ip_address: SQLWrapper | string | null, port: SQLWrapper | number) {
  const kept = (credential: AnyColumn) =>
    sql`case when ${table.ip_address} is ${ip_address} and ${table.port} is ${port} then ${credential} end`;
  return { local_client_id: kept(table.local_client_id), local_client_secret: kept(table.local_client_secret) };
}

/** The hubs of one organization. */
export function hubs(db: Database, org_id: string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const selected = () =>
    db
      .select(record)
      .from(table)
      .innerJoin(areas, eq(areas.id, table.area_id))
      .leftJoin(agents, eq(agents.id, table.agent_id));

  return {
    /** Those of an area, or all. */
    list: (area_id?: string) => {
      const ofArea = and(belongs(table.org_id, org_id), is(table.area_id, area_id));
      const shown = area_id === undefined ? eq(table.org_id, org_id) : ofArea;
      return selected().where(shown).orderBy(table.name, table.id);
    },

    /** Those that the server calls by itself, by name. */
    withoutAgent: () =>
      db
        .select({
          name: table.name,
          area_name: named<string>(areas.name, "area_name"),
          ip_address: table.ip_address,
          connection_mode: table.connection_mode,
          agent_id: table.agent_id,
        })
        .from(table)
        .innerJoin(areas, eq(areas.id, table.area_id))
        .where(and(eq(table.org_id, org_id), isNull(table.agent_id), isNotNull(table.ip_address)))
        .orderBy(table.name, table.id),

    find: (id: string) => selected().where(only(id)).get(),

    /** `mode` as it was saved: which hubs are out of reach depends on it. */
    page: (query: HubQuery) => {
      const ours = eq(table.org_id, org_id);
      const found = and(
        is(table.area_id, query.area),
        is(table.status, query.status),
        is(table.connection_mode, query.mode),
        hasAll(query.q),
      );
      return pageOf(query.page, async (limit, offset) => {
        const [rows, counts, places, modes] = await db.batch([
          selected()
            .where(and(ours, found))
            .orderBy(...ORDERS[query.sort], byName(table.name), table.id)
            .limit(limit)
            .offset(offset),
          db.select(counted(found)).from(table).innerJoin(areas, eq(areas.id, table.area_id)).where(ours),
          areaChoices(db, org_id),
          settings(db, org_id).mode(),
        ]);
        return { rows, counts, areas: places, mode: modes[0]?.mode };
      });
    },

    /** The first ones that contain all the words: those that say them as typed, then by name. */
    hits: (words: string[], limit: number) =>
      db
        .select({ id: table.id, name: table.name, place: named<string>(areas.name, "place") })
        .from(table)
        .innerJoin(areas, eq(areas.id, table.area_id))
        .where(and(eq(table.org_id, org_id), hasAll(words)))
        .orderBy(asTyped(words, table.name, areas.name), byName(table.name), table.id)
        .limit(limit),

    /** The hubs of an area, or one hub, with their health. */
    withHealth: (place: Place) =>
      db
        .select({ ...record, status: table.status, last_seen: table.last_seen, rtt_ms: table.rtt_ms })
        .from(table)
        .innerJoin(areas, eq(areas.id, table.area_id))
        .leftJoin(agents, eq(agents.id, table.agent_id))
        .where(and(eq(table.org_id, org_id), "id" in place ? eq(table.id, place.id) : eq(table.area_id, place.area_id)))
        .orderBy(byName(table.name), table.id),

    health: () =>
      db
        .select({ hub_id: table.id, status: table.status, last_seen: table.last_seen, rtt_ms: table.rtt_ms })
        .from(table)
        .where(eq(table.org_id, org_id))
        .orderBy(table.name, table.id),

    create: (id: string, values: HubValues) => db.insert(table).values({ ...values, id, org_id }),

    /** Drops stored credentials if the address or port changes, unless the write brings new ones. */
    save: (id: string, values: HubValues, if_match?: number) => {
      const { ip_address = table.ip_address, port = table.port } = values;
      return db
        .update(table)
        .set({
          ...credentialsAt(ip_address, port),
          ...values,
          updated_at: NOW,
          version: nextVersion(table.version, if_match),
        })
        .where(only(id));
    },

    /** Moves the hub's devices along; those already in the area keep their version. */
    moveDevices: (hub_id: string, area_id: string) =>
      db
        .update(devices)
        .set({ area_id, updated_at: NOW, version: sql`${devices.version} + 1` })
        .where(and(belongs(devices.org_id, org_id), eq(devices.hub_id, hub_id), sql`${devices.area_id} <> ${area_id}`)),

    remove: (id: string) => db.delete(table).where(only(id)),
  };
}
