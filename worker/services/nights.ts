import { devices } from "#db/devices";
import { stateChanges } from "#db/state-changes";
import { nightOf, type StateChange } from "#domain/tonight/night";
import { nightQuery, nightSpan, type Night } from "#domain/tonight/night-schema";
import { changesInFiles } from "#worker/archive/read-states";
import { pageOfLights } from "#worker/services/forecast";
import { parse } from "#worker/services/parse";
import { invalid } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";

/** `from` and `to` are ISO 8601; a night that still runs is told until now. */
export type Nights = { data: Night[]; from: string; to: string; next: string | null };

/** What was wanted of visible lights in a night, and what became of it. */
export function nightService(scope: Scope) {
  const { user, org_id, db } = scope;
  return {
    /** A page of devices, as `forecast.list`. Refuses with `not_found` and `invalid`. */
    list: async (query: unknown): Promise<Nights> => {
      permit(user, "night.see");
      const asked = parse(nightQuery, query);
      const now = scope.now().getTime();
      const span = nightSpan(asked.date, (await settingsService(scope).find()).APP_TIMEZONE, now);
      if (span === null) throw invalid("date", "Date must be a day, YYYY-MM-DD");
      const { ids, next } = await pageOfLights(scope, asked);
      const { from, to } = span;
      const known = Math.max(from, Math.min(to, now));
      const [names, nights] = await Promise.all([
        devices(db, org_id).namesOf(ids),
        loggedNights(scope, ids, { from, known }),
      ]);
      const data = [...nights].map(([device_id, night]) => ({
        device_id,
        device_name: names.get(device_id) ?? "Unknown Device",
        ...night,
      }));
      return { data, from: toIso(from), to: toIso(to), next };
    },
  };
}

/** What the log says of devices from `from` until `known` (epoch ms), by their ids. */
export async function loggedNights(
  scope: Pick<Scope, "db" | "org_id" | "archive" | "now">,
  ids: string[],
  { from, known }: { from: number; known: number },
): Promise<Map<string, ReturnType<typeof nightOf>>> {
  const changes = await stateChanges(scope.db, scope.org_id).during(ids, toIso(from), toIso(known));
  // Read after the database: what is just being moved is in one of them, or in both.
  const filed = await changesInFiles(scope, ids, from, known);
  const byDevice = new Map<string, StateChange[]>(ids.map((id) => [id, []]));
  for (const { device_id, ...change } of changes) byDevice.get(device_id)?.push(change);
  for (const { device_id, ...change } of filed) byDevice.get(device_id)?.push(change);
  const isFiled = filed.length > 0;
  return new Map(
    [...byDevice].map(([id, ofDevice]) => [id, nightOf(isFiled ? inOrder(ofDevice) : ofDevice, from, known)]),
  );
}

/** Each change once, in order; of two tellings the database's, which came first here. */
function inOrder(changes: readonly StateChange[]): StateChange[] {
  const once = new Map(changes.toReversed().map((change) => [`${change.kind} ${change.at}`, change]));
  return [...once.values()].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function toIso(instant: number): string {
  return new Date(instant).toISOString();
}
