import { areas } from "#db/areas";
import { devices } from "#db/devices";
import { lightsAt } from "#db/lights-at";
import { forecastQuery, forecastSpan, type DeviceForecast } from "#domain/forecast/forecast-schema";
import { visibleDepts } from "#domain/records/visibility";
import { toIso } from "#domain/time/to-iso";
import { parse } from "#worker/services/parse";
import { found, invalid } from "#worker/services/refuse";
import { permit, unanswered, type Scope } from "#worker/services/scope";

/** Devices of one page; the engine may answer fewer, since its work is bounded. */
const PAGE = 200;

/** What visible lights are going to do. */
export function forecastService(scope: Scope) {
  const { user, org_id } = scope;
  return {
    /**
     * A page of devices in the order of their ids, and the first device of the next one. Refuses with `not_found`,
     * `invalid`, and `unavailable` if the engine cannot be reached.
     */
    list: async (query: unknown): Promise<{ data: DeviceForecast[]; next: string | null }> => {
      permit(user, "forecast.see");
      const asked = parse(forecastQuery, query);
      const span = forecastSpan(asked, scope.now().getTime());
      if ("detail" in span) throw invalid(span.field, span.detail);
      const { ids, next } = await pageOfLights(scope, asked);
      if (ids.length === 0) return { data: [], next };
      const ahead = await scope.scheduler.forecast({ org_id, device_ids: ids, ...span }).catch(unanswered);
      const data = ahead.data.map(({ device_id, segments }) => ({
        device_id,
        segments: segments.map(({ from, to, ...rest }) => ({ from: toIso(from), to: toIso(to), ...rest })),
      }));
      return { data, next: ahead.next ?? next };
    },
  };
}

/** The visible devices of an area, or the one that is named, and the first of the next page. Refuses with `not_found`. */
export async function pageOfLights(
  { user, org_id, db }: Scope,
  { area_id, device_id, after }: { area_id?: string; device_id?: string; after?: string },
): Promise<{ ids: string[]; next: string | null }> {
  const repository = devices(db, org_id);
  const depts = visibleDepts(user);
  if (device_id !== undefined) {
    const { id } = found(await repository.find(device_id, depts), "Device");
    return { ids: after === undefined || after <= id ? [id] : [], next: null };
  }
  const area = found(await areas(db, org_id).find(area_id ?? ""), "Area");
  const ids = await lightsAt(db, org_id).idsOfArea(area.id, depts, { from: after ?? "", limit: PAGE + 1 });
  return { ids: ids.slice(0, PAGE), next: ids[PAGE] ?? null };
}
