import type { areas, devices, hubs } from "#db/schema";
import { DEAD_HUB, DEAD_LAMP, DEAD_SINCE_MS } from "./broken";
import { pick, random } from "./prng";
import { hubId, lampId, PARKS, PLACES } from "./places";

export function areaRows(created_at: string): (typeof areas.$inferInsert)[] {
  return PLACES.map(({ id, org_id, name, type, address, at: [lat, lon], active = true }) => ({
    id: `demo-area-${id}`,
    org_id,
    name,
    type,
    location: { ...(address ? { address } : {}), lat, lon },
    active,
    created_at,
    updated_at: created_at,
  }));
}

/** Most hubs are online and were seen a moment ago; one has been offline since yesterday, one was never checked. */
export function hubRows(created_at: string, now: number): (typeof hubs.$inferInsert)[] {
  return PLACES.flatMap((place) => place.hubs.map((name, nth) => ({ place, name, nth }))).map(
    ({ place, name, nth }, i) => {
      const id = hubId(place.id, nth);
      const status = id === DEAD_HUB ? "offline" : name === "Cannery hub" ? "unknown" : "online";
      const seen = now - (status === "offline" ? DEAD_SINCE_MS : Math.round(random(id) * 170_000));
      return {
        id,
        org_id: place.org_id,
        area_id: `demo-area-${place.id}`,
        name,
        ip_address: `10.20.${place.org_id === PARKS ? 1 : 2}.${20 + i}`,
        connection_mode: pick(id, ["hybrid", "hybrid", "local", "cloud"] as const),
        notes: nth === 0 ? "In the cabinet by the entrance; key 14." : null,
        status,
        last_seen: status === "unknown" ? null : new Date(seen).toISOString(),
        rtt_ms: status === "online" ? 120 + Math.round(random(`${id} rtt`) * 40) : null,
        created_at,
        updated_at: created_at,
      };
    },
  );
}

export type Lamp = typeof devices.$inferInsert & { area_name: string; hub_name: string | null };

/** Every light with the names that the logs have; its state comes from `history.ts`. */
export function lamps(created_at: string): Lamp[] {
  return PLACES.flatMap((place) =>
    place.lights.map((name, nth) => {
      const id = lampId(place.id, name);
      const hub = random(`${id} hub`) < 0.08 ? null : nth % place.hubs.length;
      return {
        id,
        org_id: place.org_id,
        area_id: `demo-area-${place.id}`,
        area_name: place.name,
        hub_id: hub === null ? null : hubId(place.id, hub),
        hub_name: hub === null ? null : (place.hubs[hub] ?? null),
        dept_id: place.dept_id ?? null,
        name,
        model:
          place.type === "field" ? "FieldBeam 400" : pick(id, ["LumaPole 60", "LumaPole 60", "PathLine 24"] as const),
        cloud_device_id: id === lampId("viaduct", "Bike counter") ? DEAD_LAMP : `d88b4c01${hex(id)}`,
        notes: null,
        created_at,
        updated_at: created_at,
      };
    }),
  );
}

function hex(id: string): string {
  return Math.floor(random(`${id} cloud`) * 0xffffffff)
    .toString(16)
    .padStart(8, "0");
}
