import { tonight } from "#db/tonight";
import type { DeviceState } from "#domain/enums";
import { causeOf } from "#domain/errors";
import type { Segment } from "#domain/forecast/forecast-segments";
import type { Hold } from "#domain/resolve/hold";
import { targetOf } from "#domain/schedule/target";
import { mayToggle } from "#domain/organization/permissions";
import { barsOf, clipped, joined, seenOf, within, type NightLight, type NightSchedule } from "#domain/tonight/tonight";
import { log } from "#worker/log";
import { loggedNights } from "#worker/services/nights";
import { rightsAt } from "#worker/services/rights";
import type { Scope } from "#worker/services/scope";
import { skippedIn, withSkipped } from "#worker/services/tonight-skips";
import type { NightIn } from "#worker/services/tonight-night";

type Row = {
  id: string;
  name: string;
  area_id: string;
  dept_id: string | null;
  current_state: DeviceState;
  problem: string | null;
  hold: Hold | null;
};

/** As far as a night is looked at beyond its noons: what begins or ends at noon sharp is told from what reaches further. */
const BEYOND_MS = 1;

/** As far as the engine's clock may be ahead when it is asked. */
const CLOCKS_APART_MS = 60_000;

/** `isForeseen` is false where the engine did not answer, or not of all of them. */
export type Lights = { data: NightLight[]; isForeseen: boolean };

/** Lights in a night: from the log until now, from the forecast after it. */
export async function lightsIn(scope: Scope, night: NightIn, rows: readonly Row[]): Promise<Lights> {
  if (rows.length === 0) return { data: [], isForeseen: true };
  const ids = rows.map(({ id }) => id);
  const [logged, ahead, skipped] = await Promise.all([
    loggedOf(scope, night, ids),
    aheadOf(scope, night, ids),
    skippedIn(scope, night, ids),
  ]);
  const told = rows.map((row) => {
    const { planned, verified } = logged.get(row.id) ?? { planned: [], verified: [] };
    return { row, verified, segments: joined([...planned, ...(ahead.byDevice.get(row.id) ?? [])]) };
  });
  const used = new Set(told.flatMap(({ segments }) => segments.flatMap(({ schedule_ids }) => schedule_ids)));
  const schedules = await schedulesOf(scope, [...used]);
  const { known, now, frame } = night;
  const data = told.map(({ row, verified, segments }): NightLight => {
    const { id, name, area_id, current_state, problem } = row;
    const hold = row.hold !== null && Date.parse(row.hold.until) > now ? row.hold : null;
    const isWrong = problem !== null && frame.kind === "running";
    const bars = within(withSkipped(barsOf(segments, schedules, { hold, now }), skipped.get(id)), frame);
    return {
      id,
      name,
      area_id,
      state: current_state,
      hold,
      problem: isWrong ? problem : null,
      may_toggle: mayToggle(scope.user, row),
      bars,
      seen: seenOf(segments, bars, verified, { known, isWrong }),
    };
  });
  return { data, isForeseen: ahead.isWhole };
}

type Logged = { planned: Segment[]; verified: { from: number; to: number; state: DeviceState }[] };

async function loggedOf(
  scope: Scope,
  { frame: { from, kind }, known }: NightIn,
  ids: string[],
): Promise<Map<string, Logged>> {
  if (kind === "coming") return new Map();
  const until = kind === "past" ? known + BEYOND_MS : known;
  const nights = await loggedNights(scope, ids, { from: from - BEYOND_MS, known: until });
  return new Map(
    [...nights].map(([id, { planned, verified }]) => [
      id,
      { planned: planned.map(inMs), verified: verified.map(inMs).map((span) => clipped(span, { from, to: known })) },
    ]),
  );
}

function inMs<Span extends { from: string; to: string }>({ from, to, ...rest }: Span) {
  return { ...rest, from: Date.parse(from), to: Date.parse(to) };
}

/** What the engine foresees of each. One that it does not know yet, or did not get to, is absent. */
async function aheadOf(
  { scheduler, org_id }: Scope,
  { frame: { to, kind }, known }: NightIn,
  device_ids: string[],
): Promise<{ byDevice: Map<string, Segment[]>; isWhole: boolean }> {
  if (kind === "past") return { byDevice: new Map(), isWhole: true };
  const from = kind === "coming" ? known - BEYOND_MS : known;
  try {
    const { data, next } = await scheduler.forecast({ org_id, device_ids, from, to: to + BEYOND_MS });
    const byDevice = new Map(data.map(({ device_id, segments }) => [device_id, fromThen(segments, from)]));
    return { byDevice, isWhole: next === null };
  } catch (caught) {
    log("error", "scheduler.forecast_failed", { org_id, ...causeOf(caught) });
    return { byDevice: new Map(), isWhole: false };
  }
}

/** The engine's clock is a little ahead by the time that it is asked: what it foresees first holds since then. */
function fromThen([first, ...rest]: Segment[], known: number): Segment[] {
  if (!first || first.from - known > CLOCKS_APART_MS) return first ? [first, ...rest] : [];
  return [{ ...first, from: known }, ...rest];
}

async function schedulesOf(scope: Scope, ids: string[]): Promise<Map<string, NightSchedule>> {
  if (ids.length === 0) return new Map();
  const rows = await tonight(scope.db, scope.org_id).schedules(ids);
  const rightsOf = await rightsAt(scope, "schedule.save", rows.map(targetOf));
  return new Map(
    rows.map(({ id, title, who, group, by_sun, repeats, ...target }) => {
      const may_skip = repeats === 1 && rightsOf(targetOf(target)).may_write;
      return [id, { id, title, who, group, by_sun: by_sun === 1, may_skip }];
    }),
  );
}
