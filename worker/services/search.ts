import { areas } from "#db/areas";
import { devices } from "#db/devices";
import { hubs } from "#db/hubs";
import { schedules } from "#db/schedules";
import type { Capability } from "#domain/organization/permissions";
import { listQuery } from "#domain/lists/list-query";
import type { Hit, HitKind } from "#domain/records/hit";
import { visibleDepts } from "#domain/records/visibility";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";

/** The hits per kind; the lists show more. */
const MOST = 6;
const NEEDS: Capability[] = ["area.see", "hub.see", "device.see", "schedule.see"];

/** The search over everything, which asks at every pause of whoever types. */
export function searchService(scope: Scope) {
  const { user, org_id, db } = scope;

  return {
    /**
     * The visible areas, hubs, devices and schedules that contain all the words of `q`, as each list finds and sorts them,
     * but those first that say them as typed: six of each kind at most, in one round trip. Nothing without a word.
     */
    hits: async (query: unknown): Promise<Hit[]> => {
      for (const capability of NEEDS) permit(user, capability);
      const { q } = parse(listQuery, query);
      if (q.length === 0) return [];
      const depts = visibleDepts(user);
      const [ofAreas, ofHubs, ofDevices, ofSchedules] = await db.batch([
        areas(db, org_id).hits(q, MOST),
        hubs(db, org_id).hits(q, MOST),
        devices(db, org_id).hits(q, depts, MOST),
        schedules(db, org_id, () => scope.now().toISOString()).hits(q, depts, MOST),
      ]);
      const hits = (kind: HitKind, rows: Omit<Hit, "kind">[]) => rows.map((row) => ({ kind, ...row }));
      return [
        ...hits("area", ofAreas),
        ...hits("hub", ofHubs),
        ...hits("device", ofDevices),
        ...hits("schedule", ofSchedules),
      ];
    },
  };
}
