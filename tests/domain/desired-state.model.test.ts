import fc from "fast-check";
import { expect, test } from "vitest";
import type { Claim } from "#domain/resolve/reason";
import { type Instants, ladderFailed, sawState, sentOn } from "#domain/resolve/instants";
import {
  declareEmergency,
  holdOff,
  holdOn,
  toggleAuto,
  type Toggled,
  toggleOff,
  toggleOn,
} from "#domain/resolve/toggles";
import type { Closure, Limits } from "#domain/guardrails/device-limits";
import { resolve } from "#domain/resolve/desired-state";
import type { Resolved } from "#domain/resolve/rungs";
import { claimsAt, nextStartOf } from "#domain/resolve/claims";
import type { Guardrails, Recurring, Span } from "#domain/schedule/schedule";
import { UNTOUCHED } from "./a-light";
import { type Booking, type Clock, type HouseRules, Oracle, type Period, watchedClock } from "./desired-state.oracle";
import { runsHere } from "./runs";

const MINUTE_MS = 60_000;
const DAY = 1440;
const ZONES = ["America/Los_Angeles", "America/New_York"] as const;
const DAY_CODES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
/** The noons before the two nights on which the clocks change, and before an ordinary one. */
const NOONS = ["2026-03-07T20:00Z", "2026-10-31T19:00Z", "2026-07-01T19:00Z"].map((iso) => Date.parse(iso) / MINUTE_MS);
const STORY_MIN = 2 * DAY;

const clocks = new Map(
  NOONS.map((noon) => [noon, ZONES.map((zone) => watchedClock(zone, noon - 8 * DAY, noon + 16 * DAY))]),
);
const clockOf = (noon: number, zone: 0 | 1): Clock => {
  const clock = clocks.get(noon)?.[zone];
  if (!clock) throw new Error("no clock for that noon");
  return clock;
};

type Plan = {
  zone: 0 | 1;
  /** Days after the story's first day; a repeating plan starts five days earlier, before the clocks change. */
  day: number;
  start: number;
  length: number;
  every: "once" | "daily" | "second day" | number[];
  times: number;
};
type Rules = {
  curfew: number | null;
  blackout: [number, number] | null;
  max_on: number;
  organization_max_on: number;
};
type Happening =
  | { kind: "on" | "off" | "auto" | "gave up" }
  | { kind: "hold on" | "hold off" | "emergency" | "down"; minutes: number }
  | { kind: "permits" | "closures"; periods: Period[] }
  | { kind: "external"; state: "on" | "off" }
  | { kind: "lamp"; manner: "obeys" | "deaf" | "unread" }
  | { kind: "rules"; rules: Rules }
  | { kind: "plans"; plans: Plan[] };

const someClock = fc.oneof(
  fc.integer({ min: 0, max: 95 }).map((n) => n * 15),
  fc.integer({ min: 0, max: DAY - 1 }),
);
const someRules: fc.Arbitrary<Rules> = fc.record({
  curfew: fc.option(someClock),
  blackout: fc.option(fc.tuple(someClock, someClock).filter(([start, end]) => start !== end)),
  max_on: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(0)),
  organization_max_on: fc.integer({ min: 1, max: 400 }),
});
/** In minutes after the noon. */
const somePeriods = fc.array(
  fc
    .tuple(fc.integer({ min: -120, max: STORY_MIN }), fc.integer({ min: 1, max: 700 }))
    .map(([start, length]): Period => ({ start, end: start + length })),
  { maxLength: 3 },
);
const someClosures = fc
  .tuple(somePeriods, fc.boolean())
  .map(([periods, isOpen]) => periods.map((period, i) => (isOpen && i === 0 ? { ...period, end: Infinity } : period)));
const somePlans: fc.Arbitrary<Plan[]> = fc.array(
  fc.record({
    zone: fc.constantFrom(0, 1),
    day: fc.integer({ min: 0, max: 2 }),
    start: someClock,
    length: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: DAY })),
    every: fc.oneof(
      fc.constantFrom("once" as const, "daily" as const, "second day" as const),
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
    ),
    times: fc.integer({ min: 1, max: 6 }),
  }),
  { maxLength: 3 },
);
const someHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constantFrom("on" as const, "off" as const, "auto" as const, "gave up" as const) }),
  fc.record({
    kind: fc.constantFrom("hold on" as const, "hold off" as const, "emergency" as const),
    minutes: fc.integer({ min: 1, max: DAY }),
  }),
  fc.record({ kind: fc.constant("down" as const), minutes: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant("permits" as const), periods: somePeriods }),
  fc.record({ kind: fc.constant("closures" as const), periods: someClosures }),
  fc.record({ kind: fc.constant("external" as const), state: fc.constantFrom("on" as const, "off" as const) }),
  fc.record({
    kind: fc.constant("lamp" as const),
    manner: fc.constantFrom("obeys" as const, "deaf" as const, "unread" as const),
  }),
  fc.record({ kind: fc.constant("rules" as const), rules: someRules }),
  fc.record({ kind: fc.constant("plans" as const), plans: somePlans }),
);
type Story = {
  noon: number;
  rules: Rules;
  plans: Plan[];
  permits: Period[];
  closures: Period[];
  happenings: { after: number; what: Happening }[];
};
const someStory: fc.Arbitrary<Story> = fc.record({
  noon: fc.constantFrom(...NOONS),
  rules: someRules,
  plans: somePlans,
  permits: somePeriods,
  closures: someClosures,
  happenings: fc.array(fc.record({ after: fc.integer({ min: 0, max: STORY_MIN - 1 }), what: someHappening }), {
    maxLength: 12,
  }),
});

/** One lamp that is resolved only at `until` and at events, as in the engine. */
class Watched {
  instants: Instants = UNTOUCHED;
  isLit = false;
  manner: "obeys" | "deaf" | "unread" = "obeys";
  held: Resolved | null = null;
  permits: Span[] = [];
  closures: Closure[] = [];

  constructor(
    readonly noon: number,
    public rules: Rules,
    public schedules: Map<string, Recurring>,
    /** The minute in which each schedule was created. */
    public made: Map<string, number>,
    readonly oracle: Oracle,
  ) {}

  /** After a gap the looks that nobody made are made up, in order and without a switch. */
  makeUp(now: number): void {
    for (let at = this.held?.until ?? now; at < now; at = this.#resolve(at).until ?? now);
  }

  limit(periods: Period[], kind: "permits" | "closures"): void {
    const spans = periods.map(({ start, end }) => ({
      start: (this.noon + start) * MINUTE_MS,
      end: (this.noon + end) * MINUTE_MS,
    }));
    const minutes = periods.map(({ start, end }) => ({ start: this.noon + start, end: this.noon + end }));
    this.oracle[kind] = minutes;
    if (kind === "permits") this.permits = spans;
    else this.closures = spans.map((span, i) => ({ ...span, id: String(i), reason: "wet ground" }));
  }

  reconcile(now: number): void {
    const { state } = this.#resolve(now);
    if (state === "none") return;
    if (state === "on") {
      this.instants = sentOn(this.instants, now);
      this.oracle.sentOn();
    }
    if (this.manner !== "deaf") this.isLit = state === "on";
    this.#read(now);
    this.#resolve(now);
  }

  happen(what: Happening, now: number): void {
    const { oracle, instants } = this;
    const minute = now / MINUTE_MS;
    switch (what.kind) {
      case "on":
        this.#take(
          toggleOn({ now, claims: this.#claims(now), instants, limits: this.#limits() }),
          oracle.toggleOn(minute),
        );
        break;
      case "hold on": {
        const until = now + what.minutes * MINUTE_MS;
        const toggled = holdOn({ now, until, instants, limits: this.#limits() });
        this.#take(toggled, oracle.holdOn(minute, minute + what.minutes));
        break;
      }
      case "hold off":
        this.instants = holdOff({ until: now + what.minutes * MINUTE_MS, instants });
        oracle.holdOff(minute + what.minutes);
        break;
      case "emergency":
        this.instants = declareEmergency({ until: now + what.minutes * MINUTE_MS, instants });
        oracle.emergency(minute + what.minutes);
        break;
      case "auto":
        this.instants = toggleAuto(instants);
        oracle.auto();
        break;
      case "off":
        this.instants = toggleOff({ now, instants });
        oracle.toggleOff(minute);
        break;
      case "permits":
      case "closures":
        this.limit(what.periods, what.kind);
        break;
      case "down":
        break;
      case "gave up":
        this.instants = ladderFailed(instants, null);
        oracle.gaveUp();
        break;
      case "external":
        this.isLit = what.state === "on";
        this.#read(now);
        break;
      case "lamp":
        this.manner = what.manner;
        this.#read(now);
        break;
      case "rules":
        this.rules = what.rules;
        oracle.rules = houseRules(what.rules, this.noon);
        break;
      case "plans":
        this.made = madeAt(what.plans, this.made, now / MINUTE_MS);
        this.schedules = schedulesOf(what.plans, this.noon);
        oracle.bookings = bookingsOf(what.plans, this.noon, this.made);
        break;
    }
  }

  #take(toggled: Toggled, isAccepted: boolean): void {
    if ("instants" in toggled !== isAccepted) throw new Error(`a press was ${isAccepted ? "refused" : "taken"}`);
    if ("instants" in toggled) this.instants = toggled.instants;
  }

  #limits(): Limits {
    const { permits, closures, rules } = this;
    return { guardrails: guardrailsOf(rules), organization_max_on_min: rules.organization_max_on, permits, closures };
  }

  #resolve(now: number): Resolved {
    this.held = resolve({
      now,
      claims: this.#claims(now),
      next_start: nextStartOf([...this.schedules.values()], now),
      instants: this.instants,
      limits: this.#limits(),
    });
    this.instants = this.held.instants;
    return this.held;
  }

  #read(now: number): void {
    if (this.manner === "unread") return;
    const state = this.isLit ? "on" : "off";
    this.instants = sawState(this.instants, state, now);
    this.oracle.read(state);
  }

  #claims(now: number): Claim[] {
    const planned = [...this.schedules].map(([id, schedule]) => {
      const created_at = new Date((this.made.get(id) ?? 0) * MINUTE_MS).toISOString();
      return { ...schedule, id, title: id, created_at };
    });
    return claimsAt(planned, now);
  }
}

test("resolve, called only at `until` and at events, agrees with an oracle that walks every minute", () => {
  // `HUNT=20000 npm test -- --project 'domain UTC' model` tries more stories.
  const numRuns = Number(process.env.HUNT ?? runsHere(60));
  fc.assert(
    fc.property(someStory, (story) => {
      expect(firstDisagreement(story)).toBeNull();
    }),
    { numRuns },
  );
});

function firstDisagreement({ noon, rules, plans, permits, closures, happenings }: Story): string | null {
  const made = madeAt(plans, new Map(), 0);
  const oracle = new Oracle(houseRules(rules, noon), bookingsOf(plans, noon, made));
  const lamp = new Watched(noon, rules, schedulesOf(plans, noon), made, oracle);
  lamp.limit(permits, "permits");
  lamp.limit(closures, "closures");
  let down_until = noon;
  for (let minute = noon; minute < noon + STORY_MIN; minute += 1) {
    const now = minute * MINUTE_MS;
    oracle.minute();
    oracle.decide(minute);
    if (minute < down_until) continue;
    if (minute === noon || (lamp.held?.until ?? Infinity) <= now) {
      lamp.makeUp(now);
      lamp.reconcile(now);
    }
    for (const { what } of happenings.filter(({ after }) => noon + after === minute)) {
      if (what.kind === "down") down_until = Math.max(down_until, minute + what.minutes);
      lamp.happen(what, now);
      oracle.decide(minute);
      lamp.reconcile(now);
    }
    const [held, should] = [wordsOf(lamp.held), oracle.decide(minute)];
    if (held !== should) return `${minute - noon} minutes after the noon: '${held}' instead of '${should}'`;
  }
  return null;
}

function wordsOf(resolved: Resolved | null): string {
  if (!resolved) return "not resolved";
  const { state, reason } = resolved;
  switch (reason.kind) {
    case "claim":
      return `${state} ${reason.claims
        .map((claim) => claim.schedule_id)
        .toSorted()
        .join(" ")}`;
    case "external":
      return `${state} external`;
    case "manual_on":
      return `${state} pressed`;
    case "hold_on":
      return `${state} held`;
    case "emergency":
      return `${state} emergency`;
    default:
      return state === "off" ? `off ${DARK_WORDS[reason.kind]}${"id" in reason ? ` ${reason.id}` : ""}` : state;
  }
}

const DARK_WORDS = {
  curfew: "guardrail",
  blackout: "guardrail",
  closure: "closure",
  hold_off: "held",
  max_on: "used up",
  pending_off: "unwanted",
  idle: "idle",
} as const;

function guardrailsOf({ curfew, blackout, max_on }: Rules): Guardrails {
  return {
    HARD_CURFEW_OFF: curfew === null ? "" : clockText(curfew),
    BLACKOUT_WINDOW: blackout ? blackout.map(clockText).join("-") : "",
    MAX_ON_DURATION_MIN: max_on,
    zone: ZONES[0],
  };
}

function houseRules({ curfew, blackout, max_on, organization_max_on }: Rules, noon: number): HouseRules {
  return {
    clock: clockOf(noon, 0),
    curfew,
    blackout: blackout && { start: blackout[0], end: blackout[1] },
    max_on,
    organization_max_on,
  };
}

/** A plan that keeps its id keeps its creation time: only its times are edited. */
function madeAt(plans: Plan[], before: Map<string, number>, minute: number): Map<string, number> {
  return new Map(plans.map((_, i) => [`p${i}`, before.get(`p${i}`) ?? minute]));
}

function bookingsOf(plans: Plan[], noon: number, made: Map<string, number>): Booking[] {
  return plans.map((plan, i) => ({
    id: `p${i}`,
    made: made.get(`p${i}`) ?? 0,
    clock: clockOf(noon, plan.zone),
    wall: firstWall(plan, noon),
    length: plan.length,
    repeats: repeatsOf(plan),
  }));
}

function schedulesOf(plans: Plan[], noon: number): Map<string, Recurring> {
  return new Map(
    plans.map((plan, i) => {
      const clock = clockOf(noon, plan.zone);
      const wall = firstWall(plan, noon);
      const start = clock.minuteOf(wall, "first");
      const end = clock.minuteOf(wall + plan.length, "first");
      const text = (minute: number) => new Date(minute * MINUTE_MS).toISOString();
      return [
        `p${i}`,
        {
          start_at: text(start),
          end_at: text(end > start ? end : start + plan.length),
          rrule: rruleOf(plan),
          timezone: ZONES[plan.zone],
        },
      ];
    }),
  );
}

function firstWall({ zone, day, start, every }: Plan, noon: number): number {
  const first = Math.floor(clockOf(noon, zone).wallAt(noon) / DAY);
  return (first + (every === "once" ? day : day - 5)) * DAY + start;
}

function repeatsOf({ every, times }: Plan): Booking["repeats"] {
  if (every === "once") return null;
  if (every === "daily") return { every_days: 1, on_weekdays: null, times };
  if (every === "second day") return { every_days: 2, on_weekdays: null, times };
  return { every_days: 1, on_weekdays: every, times };
}

function rruleOf({ every, times }: Plan): string | null {
  if (every === "once") return null;
  if (every === "daily") return `FREQ=DAILY;COUNT=${times}`;
  if (every === "second day") return `FREQ=DAILY;INTERVAL=2;COUNT=${times}`;
  return `FREQ=WEEKLY;BYDAY=${every.map((day) => DAY_CODES[day]).join(",")};COUNT=${times}`;
}

function clockText(minute: number): string {
  const pad = (count: number) => String(count).padStart(2, "0");
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}
