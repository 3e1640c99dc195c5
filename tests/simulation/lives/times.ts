import type { SlowSunTime } from "#tests/support/slow-sun";
import { windowsOf, type Plan, type Position } from "#tests/simulation/oracle/calendar";
import { DAY, dateOf, instantOf, wallOf } from "#tests/simulation/oracle/wall-clock";
import type { Chance } from "#tests/simulation/world/prng";
import { HOUR, MINUTE, SECOND, type Town } from "./town";

/** From when to when a plan's first night is, and by what it goes. */
export type Times = Pick<Plan, "start_at" | "end_at" | "start_sun" | "end_sun" | "night">;

const LENGTHS = [5 * SECOND, 20 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 5 * HOUR, 10 * HOUR, DAY] as const;

/** By the clock, today or on one of the next two days. */
export function timesByClock({ chance, world }: Town, timezone: string): Times {
  const day = Math.floor(wallOf(timezone, world.now) / DAY) * DAY + chance.int(0, 2) * DAY;
  const start = instantOf(timezone, day + chance.int(0, 95) * 15 * MINUTE, "first");
  return byClock(start, start + chance.pick(LENGTHS));
}

export function byClock(start: number, end: number): Times {
  return {
    start_at: new Date(start).toISOString(),
    end_at: new Date(end).toISOString(),
    start_sun: null,
    end_sun: null,
    night: null,
  };
}

/** At least one end by the sun; null where its first night has none. */
export function timesBySun({ chance, world }: Town, timezone: string, positions: readonly Position[]): Times | null {
  const midnight = Math.floor(wallOf(timezone, world.now) / DAY) * DAY + chance.int(0, 2) * DAY;
  const kind = chance.int(0, 4);
  // From an evening to its night, its next morning, or a clock; from a clock to a morning, or from a morning to a clock.
  const start_sun = kind === 3 ? null : kind === 4 ? morning(chance) : evening(chance);
  const end_sun = kind === 0 ? evening(chance) : kind === 1 || kind === 3 ? morning(chance) : null;
  const days_long = kind === 1 || kind === 3 || (kind === 2 && chance.is(0.3)) ? 1 : 0;
  const starts = kind === 3 ? chance.int(64, 95) : 0;
  const ends = kind === 4 ? chance.int(28, 60) : days_long === 1 ? chance.int(1, 12) : chance.int(84, 95);
  return nightOf(
    {
      ...byClock(
        instantOf(timezone, midnight + starts * 15 * MINUTE, "first"),
        instantOf(timezone, midnight + days_long * DAY + ends * 15 * MINUTE, "first"),
      ),
      start_sun,
      end_sun,
      night: { date: dateOf(midnight), days_long },
    },
    timezone,
    positions,
  );
}

/** With the instants of its first night, as they are stored; null where that has none, or is longer than a day. */
export function nightOf(times: Times, timezone: string, positions: readonly Position[]): Times | null {
  const nothing = { id: "", title: "", rrule: null, status: "scheduled", skips: [], dates: null } as const;
  const plan = { ...nothing, ...times, timezone, calendar_id: null, calendar_rule: null, positions };
  const [first] = windowsOf(plan);
  if (!first || first.end - first.start > DAY) return null;
  return { ...times, start_at: new Date(first.start).toISOString(), end_at: new Date(first.end).toISOString() };
}

function evening(chance: Chance): SlowSunTime {
  const bounds = chance.pick([
    [null, null],
    [null, null],
    ["17:30", null],
    [null, "22:15"],
    ["18:00", "00:30"],
  ] as const);
  return byEvent(chance, chance.pick(["sunset", "dusk"]), bounds);
}

function morning(chance: Chance): SlowSunTime {
  const bounds = chance.pick([
    [null, null],
    [null, null],
    ["05:00", null],
    [null, "07:30"],
  ] as const);
  return byEvent(chance, chance.pick(["sunrise", "dawn"]), bounds);
}

function byEvent(
  chance: Chance,
  event: SlowSunTime["event"],
  [not_before, not_after]: readonly [string | null, string | null],
): SlowSunTime {
  return { event, offset_min: chance.int(-6, 6) * 15, not_before, not_after };
}
