import { policies } from "#db/policies";
import { stateChanges } from "#db/state-changes";
import type { AreaType, Timezone } from "#domain/enums";
import { restrictedWindows } from "#domain/guardrails/guardrail";
import { mergePolicies } from "#domain/guardrails/policy";
import { positionsOf } from "#domain/schedule/positions";
import type { Guardrails } from "#domain/schedule/schedule";
import { sunAt } from "#domain/schedule/sun";
import { MOST_DAYS_AHEAD, type NightFrame } from "#domain/tonight/tonight-frame";
import type { Shade } from "#domain/tonight/tonight-records";
import { frameOf } from "#domain/tonight/tonight-schema";
import { knownFrom } from "#worker/services/nights";
import { invalid } from "#worker/services/refuse";
import type { Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";

/**
 * A night, and what is the same for all its lights. Instants are epoch ms; the log tells from `known_from` until `known`, and
 * nothing in a night that is to come.
 */
export type NightIn = {
  frame: NightFrame;
  known_from: number;
  known: number;
  now: number;
  zone: Timezone;
  guardrails: Guardrails;
};

/** The night of a date, by default the one that runs. Refuses with `invalid`. */
export async function nightIn(scope: Scope, date: string | undefined): Promise<NightIn> {
  const now = scope.now().getTime();
  const [{ guardrails, city }, firstStored] = await Promise.all([
    settingsService(scope).night(),
    stateChanges(scope.db, scope.org_id).first(),
  ]);
  const { zone } = guardrails;
  const frame = frameOf(date, zone, now);
  if (frame === null) throw invalid("date", `Date must be a day, YYYY-MM-DD, at most ${MOST_DAYS_AHEAD} days ahead`);
  const place = positionsOf(null, city).at(-1);
  const sun = place && sunAt(place);
  const { from, to } = frame;
  const known = Math.max(from, Math.min(to, now));
  const known_from = await knownFrom(scope, firstStored, { from, known });
  return {
    frame: {
      ...frame,
      sunset: sun?.("sunset", from, to) ?? null,
      sunrise: sun?.("sunrise", from, to) ?? null,
    },
    known_from,
    known,
    now,
    zone,
    guardrails,
  };
}

/** The dark hours of areas in the night or the nights, by their ids. A group's own are not drawn: its bars show what they cut. */
export async function shadesOf(
  { db, org_id }: Scope,
  { frame: { from, to }, guardrails }: Pick<NightIn, "guardrails"> & { frame: Pick<NightFrame, "from" | "to"> },
  areas: readonly { id: string; type: AreaType }[],
): Promise<Map<string, Shade[]>> {
  const stored = areas.length === 0 ? [] : await policies(db, org_id).ofAreas(areas.map(({ id }) => id));
  const level = (scope: "area" | "type", id: string) =>
    stored.find((policy) => policy.scope === scope && policy.id === id) ?? null;
  return new Map(
    areas.map(({ id, type }) => {
      const levels = { groups: [], area: level("area", id), type: level("type", type), organization: guardrails };
      const rules = { ...mergePolicies(levels), zone: guardrails.zone };
      const windows = restrictedWindows(rules, from, to).map(({ kind, start, end }) => {
        return { kind, from: Math.max(start, from), to: Math.min(end, to) };
      });
      return [id, joined(windows)];
    }),
  );
}

/** A curfew and the blackout that it joins are one shade, by the name of the first. */
function joined(windows: readonly Shade[]): Shade[] {
  const rows: Shade[] = [];
  for (const window of windows) {
    const last = rows.at(-1);
    if (last && window.from <= last.to) rows[rows.length - 1] = { ...last, to: Math.max(last.to, window.to) };
    else rows.push(window);
  }
  return rows;
}
