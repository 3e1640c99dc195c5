import { devices } from "#db/devices";
import { stateChanges } from "#db/state-changes";
import { DAY_MS } from "#domain/time/units";
import { nightOf, type StateChange } from "#domain/tonight/night";
import { nightQuery, nightSpan, type Night } from "#domain/tonight/night-schema";
import { toIso } from "#domain/time/to-iso";
import { changesInFiles, firstInFiles } from "#worker/archive/read-states";
import { pageOfLights } from "#worker/services/forecast";
import { parse } from "#worker/services/parse";
import { invalid } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";

/**
 * Instants are ISO 8601. A night that still runs is told until now; before `known_from` nothing is known of any light,
 * whatever the first spans say.
 */
export type Nights = { data: Night[]; from: string; to: string; known_from: string; next: string | null };

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
      if (span === null) throw invalid("date", "Date must be before 9999-12-31");
      const { ids, next } = await pageOfLights(scope, asked);
      const { from, to } = span;
      const known = Math.max(from, Math.min(to, now));
      const [names, nights, known_from] = await Promise.all([
        devices(db, org_id).namesOf(ids),
        loggedNights(scope, ids, { from, known }),
        stateChanges(db, org_id)
          .first()
          .then((first) => knownFrom(scope, first, { from, known })),
      ]);
      const data = [...nights].map(([device_id, night]) => ({
        device_id,
        device_name: names.get(device_id) ?? "Unknown Device",
        ...night,
      }));
      return { data, from: toIso(from), to: toIso(to), known_from: toIso(known_from), next };
    },
  };
}

/** Since when, between `from` and `known` (epoch ms), the log tells; `first` is its first change in the database (ISO 8601). */
export async function knownFrom(
  scope: Scope,
  first: string | null,
  { from, known }: { from: number; known: number },
): Promise<number> {
  // The database keeps the last change of a light, however old: where the files begin, the whole log does.
  const begin = (await firstInFiles(scope, from)) ?? first;
  if (begin === null) return known;
  // Of what is older than logs are kept, only the last change of each light is left.
  const kept_from = scope.now().getTime() - scope.log_days * DAY_MS;
  return Math.max(from, Math.min(known, Math.max(Date.parse(begin), kept_from)));
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
