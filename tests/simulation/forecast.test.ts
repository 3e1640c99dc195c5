import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { Segment } from "#domain/forecast/forecast-segments";
import { forecast } from "#durable/requests/forecast";
import { inWorld, type MoreOfToggle, type World } from "#tests/support/engine";
import { aField, setting, sql } from "#tests/support/light";
import { Chance } from "./world/prng";

const { seeds } = env.SIMULATION;
/** A life takes seconds; every third has lamps that wait for each other or cool. */
const LATE = seeds.filter((_, n) => n % 3 === 0);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS = 2;
const LAMPS = 6;
/** No ON waits longer than that for its turn in the area. */
const MOST_STAGGER_MS = 300_000;
/** Noon before each night on which the clocks change, and before an ordinary one. */
const NOONS = ["2026-03-07T20:00:00.000Z", "2026-10-31T19:00:00.000Z", "2026-07-01T19:00:00.000Z"] as const;
const LATITUDES = [0.3, 37.8, -43.5, 69.6] as const;
const ZONES = ["America/Los_Angeles", "America/New_York", "UTC"] as const;
const RULES = [
  null,
  "FREQ=DAILY",
  "FREQ=DAILY;INTERVAL=2",
  "FREQ=WEEKLY;BYDAY=SA,SU,MO,WE",
  "FREQ=DAILY;COUNT=3",
] as const;
const EVENTS = ["sunrise", "sunset", "dawn", "dusk"] as const;

/** An area with lamps of which some are a group, and all that a plan may have. */
class Plan {
  readonly org_id: string;
  readonly lamps: string[];
  readonly noon: number;
  readonly restrike_min: number;
  /** Whether a closure without an end keeps all of it dark from some time on. */
  isClosedForGood = false;

  constructor(
    readonly chance: Chance,
    seed: number,
    readonly isIdeal: boolean,
  ) {
    this.org_id = `fore${isIdeal ? "" : "late"}${seed}`;
    this.lamps = Array.from({ length: LAMPS }, (_, n) => `${this.org_id}-${n}`);
    this.noon = Date.parse(NOONS[seed % NOONS.length] ?? NOONS[0]);
    this.restrike_min = isIdeal ? 0 : 10;
  }

  async write(): Promise<void> {
    const { chance, org_id } = this;
    await aField(org_id, this.lamps);
    const zone = chance.pick(ZONES);
    await setting(org_id, "APP_TIMEZONE", zone, "2026-01-01").run();
    await setting(org_id, "MAX_ON_DURATION_MIN", chance.int(60, 600), "2026-01-01").run();
    await setting(org_id, "HARD_CURFEW_OFF", chance.is(0.4) ? "23:30" : "", "2026-01-01").run();
    await setting(org_id, "BLACKOUT_WINDOW", chance.is(0.5) ? "01:15-04:45" : "", "2026-01-01").run();
    const location = JSON.stringify({ lat: chance.pick(LATITUDES), lon: -122 });
    const stagger = this.isIdeal ? 0 : 20;
    await sql("UPDATE areas SET location = ?, stagger_sec = ? WHERE org_id = ?", location, stagger, org_id).run();
    await sql("UPDATE devices SET restrike_min = ? WHERE org_id = ?", this.restrike_min, org_id).run();
    await this.#group();
    for (let n = 0; n < 10; n += 1) await this.#schedule(n);
    for (let n = 0; n < 2; n += 1) await this.#limit("closures", n);
    for (let n = 0; n < 2; n += 1) await this.#limit("permits", n);
    if (chance.is(0.5)) await this.#policy();
  }

  async #group(): Promise<void> {
    const { org_id } = this;
    await sql(
      "INSERT INTO device_groups (id, org_id, area_id, name) VALUES (?1 || '-group', ?1, ?1 || '-area', 'Field 1')",
      org_id,
    ).run();
    for (const lamp of this.lamps.slice(0, 3))
      await sql(
        "INSERT INTO group_devices (org_id, group_id, device_id, added_at) VALUES (?1, ?1 || '-group', ?2, '2026-01-01')",
        org_id,
        lamp,
      ).run();
  }

  async #schedule(n: number): Promise<void> {
    const { chance, org_id } = this;
    const start = this.noon + chance.int(-2 * 96, DAYS * 96) * 15 * MINUTE_MS;
    const length = chance.int(1, 40) * 15 * MINUTE_MS;
    const sun = () => (chance.is(0.25) ? JSON.stringify(this.#sun()) : null);
    const skipped = new Date(this.noon + chance.int(0, DAYS) * 24 * HOUR_MS).toISOString().slice(0, 10);
    await sql(
      `INSERT INTO schedules (id, org_id, device_id, group_id, area_id, title, start_at, end_at, start_sun, end_sun, rrule,
         timezone, skips, created_at, updated_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?1, ?6, ?7, ?8, ?9, ?10, ?11, ?12, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
      `${org_id}-s${n}`,
      org_id,
      ...this.#target(),
      new Date(start).toISOString(),
      new Date(start + length).toISOString(),
      sun(),
      sun(),
      chance.pick(RULES),
      chance.pick(ZONES),
      chance.is(0.3) ? JSON.stringify([{ date: skipped, reason: null, by: "someone" }]) : null,
    ).run();
  }

  #sun() {
    const { chance } = this;
    return { event: chance.pick(EVENTS), offset_min: chance.int(-60, 60), not_before: null, not_after: null };
  }

  /** A device, the group or the area, as columns. */
  #target(): [string | null, string | null, string | null] {
    const kind = this.chance.pick(["device", "device", "group", "area"]);
    if (kind === "group") return [null, `${this.org_id}-group`, null];
    return kind === "area"
      ? [null, null, `${this.org_id}-area`]
      : [this.lamps[this.chance.int(0, LAMPS - 1)] ?? null, null, null];
  }

  async #limit(table: "closures" | "permits", n: number): Promise<void> {
    const { chance, org_id } = this;
    const from = this.noon + chance.int(-24, DAYS * 24) * HOUR_MS;
    const to =
      table === "closures" && chance.is(0.1) ? null : new Date(from + chance.int(1, 20) * HOUR_MS).toISOString();
    const target = this.#target();
    this.isClosedForGood ||= to === null && target[2] !== null;
    await sql(
      `INSERT INTO ${table} (id, org_id, device_id, group_id, area_id, from_at, to_at, reason, created_by, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'wet ground', 'someone', '2026-01-01')`,
      `${org_id}-${table}${n}`,
      org_id,
      ...target,
      new Date(from).toISOString(),
      to,
    ).run();
  }

  async #policy(): Promise<void> {
    await sql(
      `INSERT INTO policies (org_id, scope, scope_id, HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN)
       VALUES (?1, 'group', ?1 || '-group', '', '22:30-05:00', 0)`,
      this.org_id,
    ).run();
  }
}

/** What people toggled before the forecast is made; each toggle is answered and verified by then. */
async function toggleSome(world: World, { chance, lamps }: Plan): Promise<void> {
  for (const lamp of lamps) {
    const until = new Date(world.now + chance.int(2, 30) * HOUR_MS).toISOString();
    const toggles: ["on" | "off" | "auto", MoreOfToggle][] = [
      ["on", {}],
      ["off", {}],
      ["auto", {}],
      ["on", { until }],
      ["off", { until }],
      ["on", { until, reason: "police", emergency: true }],
    ];
    const [action, more] = toggles[chance.int(0, toggles.length - 1)] ?? ["off", {}];
    if (chance.is(0.6)) await world.toggle(lamp, action, more);
  }
  await world.to(world.now + 10 * MINUTE_MS);
}

type Flip = [at: number, state: "on" | "off"];

/** Lives on from a forecast; answers what it said of each lamp and when the lamp switched. */
async function foreseeAndLive(
  plan: Plan,
): Promise<{ lamp: string; segments: Segment[]; before: "on" | "off"; flips: Flip[] }[]> {
  const lived: Awaited<ReturnType<typeof foreseeAndLive>> = [];
  await plan.write();
  await inWorld(plan.org_id, new Date(plan.noon).toISOString(), async (world) => {
    world.fault("latency", { kind: "slow", ms: 0 });
    const states = new Map<string, "on" | "off">(plan.lamps.map((lamp) => [lamp, "off"]));
    const flips = new Map<string, Flip[]>(plan.lamps.map((lamp) => [lamp, []]));
    world.wrapProvider((real) => ({
      switch: (address, action, ...rest) => {
        if (states.get(address.lamp) !== action) flips.get(address.lamp)?.push([world.now, action]);
        states.set(address.lamp, action);
        return real.switch(address, action, ...rest);
      },
    }));
    await world.sync();
    await world.to(world.now + plan.chance.int(0, 24 * 4) * 15 * MINUTE_MS);
    await toggleSome(world, plan);
    const from = world.now;
    const to = from + DAYS * 24 * HOUR_MS;
    const { data } = forecast(world.context, { device_ids: plan.lamps, from, to });
    const before = new Map(states);
    for (const all of flips.values()) all.length = 0;
    await world.to(to - 1);
    for (const { device_id, segments } of data)
      lived.push({
        lamp: device_id,
        segments,
        before: before.get(device_id) ?? "off",
        flips: flips.get(device_id) ?? [],
      });
  });
  return lived;
}

function foretold(segments: Segment[], before: "on" | "off"): Flip[] {
  let state = before;
  return segments.flatMap((segment): Flip[] => {
    if (segment.state === state) return [];
    state = segment.state;
    return [[segment.from, state]];
  });
}

const readable = (flips: Flip[]) => flips.map(([at, state]) => `${state} ${new Date(at).toISOString()}`);

test.each(seeds)("seed %i: a life switches exactly where the forecast of its beginning said", async (seed) => {
  const plan = new Plan(new Chance(seed), seed, true);
  const lived = await foreseeAndLive(plan);
  expect(lived).toHaveLength(LAMPS);
  if (!plan.isClosedForGood) expect(lived.flatMap(({ flips }) => flips).length).toBeGreaterThan(0);
  for (const { lamp, segments, before, flips } of lived) {
    expect([lamp, ...readable(flips)]).toEqual([lamp, ...readable(foretold(segments, before))]);
  }
});

test.each(LATE)(
  "seed %i: with staggering and cooling lamps it switches later by at most what they allow",
  async (seed) => {
    const plan = new Plan(new Chance(seed), seed, false);
    const allowed = MOST_STAGGER_MS + plan.restrike_min * MINUTE_MS + 1_000;
    for (const { lamp, segments, before, flips } of await foreseeAndLive(plan)) {
      const stateAt = (at: number) => flips.findLast(([flipped]) => flipped <= at)?.[1] ?? before;
      for (const { from, to, state } of segments) {
        if (to - from <= allowed) continue;
        const where = `${lamp} ${new Date(from).toISOString()}`;
        expect([where, stateAt(from + allowed)]).toEqual([where, state]);
        expect([where, stateAt(to - 1)]).toEqual([where, state]);
      }
    }
  },
);
