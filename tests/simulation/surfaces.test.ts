import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { lampSpans, litUntil } from "#domain/agent/lamp-spans";
import type { Segment } from "#domain/forecast/forecast-segments";
import type { ListedSchedule } from "#domain/records/records";
import { comingOccurrences, occurrences } from "#domain/schedule/recurrence";
import { toIso } from "#domain/time/to-iso";
import { isLight } from "#domain/tonight/tonight";
import { flipsAfter } from "#domain/tonight/tonight-flips";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time/units";
import { outlookOf, viewOf } from "#durable/reconcile/evaluation";
import { explain } from "#durable/reconcile/explain";
import { forecast } from "#durable/requests/forecast";
import { memoryOf } from "#durable/state/device-memory";
import { plan } from "#durable/state/plan";
import { inWorld, type World } from "#tests/support/engine";
import type { Services } from "#worker/context";
import { City, servicesIn } from "./surfaces/city";
import { Chance } from "./world/prng";

/** A city takes a second: in `npm test` there are as many as parks. */
const { seeds } = env.SIMULATION.parks;

/** Noon before each night on which the clocks change, before an ordinary one and before the end of a year. */
const NOONS = ["2026-03-07T20:00:00Z", "2026-10-31T19:00:00Z", "2026-07-01T19:00:00Z", "2025-12-30T20:00:00Z"];

type Span = { from: number; to: number };

/** What the engine is going to do, with which everything else is compared, and the schedules as they are stored. */
type Truth = {
  city: City;
  world: World;
  services: Services;
  segments: ReadonlyMap<string, readonly Segment[]>;
  schedules: ListedSchedule[];
  /** How far ahead (epoch ms) the segments go. */
  until: number;
};

async function truthIn(world: World, city: City): Promise<Truth> {
  const services = servicesIn(world);
  const until = world.now + 9 * DAY_MS;
  const device_ids = city.lamps.map(({ id }) => id);
  const { data } = forecast(world.context, { device_ids, from: world.now, to: until });
  const { rows } = await services.schedules.page({ status: "scheduled" });
  const segments = new Map(data.map((told) => [told.device_id, told.segments]));
  return { city, world, services, segments, schedules: rows, until };
}

function litIn({ segments }: Truth, lamps: readonly string[], within: Span, isAsked = false): Span[] {
  const lit = lamps.flatMap((id) => (segments.get(id) ?? []).filter(({ state }) => state === "on"));
  return joined(
    lit.filter(({ reason }) => !isAsked || reason !== "external"),
    within,
  );
}

/** In order, those that touch or overlap as one, as far as they lie within another. */
function joined(spans: readonly Span[], within: Span): Span[] {
  const rows: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const [from, to] = [Math.max(span.from, within.from), Math.min(span.to, within.to)];
    const last = rows.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (from < to) rows.push({ from, to });
  }
  return rows;
}

const words = (spans: readonly Span[]) => spans.map(({ from, to }) => `${toIso(from)} - ${toIso(to)}`);
const windowsIn = (schedule: ListedSchedule, now: number) =>
  comingOccurrences(schedule, now, 10).map(({ start, end }) => ({ from: start, to: end }));

async function tonightTells(truth: Truth): Promise<void> {
  const { services, world, city } = truth;
  for (const date of [undefined, toIso(world.now + DAY_MS).slice(0, 10)]) {
    const { frame, rows } = await services.tonight.page(date === undefined ? {} : { date });
    const lights = rows.flatMap((row) => row.lights ?? []);
    expect(lights).toHaveLength(city.lamps.length);
    const ahead = { from: Math.max(world.now, frame.from), to: frame.to };
    for (const light of lights) {
      const lit = litIn(truth, [light.id], ahead);
      expect(words(joined(light.bars.filter(isLight), ahead)), `Tonight, ${light.name}`).toEqual(words(lit));
      const flips = flipsAfter([light], ahead.from, ahead.to).map(({ at, on }) => `${toIso(at)} ${on}`);
      const begun = lit.flatMap(({ from, to }) => [`${toIso(from)} true`, `${toIso(to)} false`]);
      const edges = [toIso(ahead.from), toIso(ahead.to)];
      expect(flips).toEqual(begun.filter((flip) => edges.every((edge) => !flip.startsWith(edge))));
      expect(light.seen.filter(({ as }) => as === "failed")).toEqual([]);
    }
  }
}

async function weekTells(truth: Truth): Promise<void> {
  const { services, world, city, schedules, until } = truth;
  for (const area of city.areas) {
    const { frame, windows } = await services.week.page({ area, week: toIso(world.now + 2 * DAY_MS).slice(0, 10) });
    const { active } = await services.areas.find(area);
    for (const schedule of schedules.filter(({ area_id }) => area_id === area)) {
      const own = windows.filter(({ schedule_id, skipped }) => schedule_id === schedule.id && skipped === null);
      const planned = occurrences(schedule, frame.from, frame.to).map(({ start, end }) => ({ from: start, to: end }));
      expect(words(own.map(({ start, end }) => ({ from: start, to: end })))).toEqual(words(planned));
      for (const { start, end, dark } of active ? own : []) {
        const within = { from: Math.max(start, world.now, frame.from), to: Math.min(end, frame.to) };
        if (within.to > until) continue;
        const lit = litIn(truth, city.lampsOf(schedule.target), within);
        // What is shorter than a minute is not told.
        const isLong = ({ from, to }: Span) => to - from >= 2 * MINUTE_MS;
        const both = joined([...lit, ...dark], within);
        expect(words(both.filter(isLong)), `Week, ${schedule.title}`).toHaveLength(isLong(within) ? 1 : 0);
        for (const stretch of lit.filter(isLong)) expect(joined(dark, stretch).filter(isLong)).toEqual([]);
      }
    }
  }
}

/** To save what is saved already changes nothing, so that its preview is what the engine does. */
async function previewsTell(truth: Truth): Promise<void> {
  const { services, world, city, schedules, until } = truth;
  for (const schedule of schedules) {
    const told = await services.schedules.preview(schedule, { id: schedule.id }).catch(() => null);
    if (told === null) continue; // what lies in the past by now, or has no light since its place has moved
    const next = told.next.map(({ start_at, end_at }) => ({ from: Date.parse(start_at), to: Date.parse(end_at) }));
    expect(words(next)).toEqual(words(windowsIn(schedule, world.now)));
    for (const [n, window] of next.entries()) {
      if (window.to > until) continue;
      const ahead = { from: Math.max(window.from, world.now), to: window.to };
      const lit = told.next[n]?.lit.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) })) ?? [];
      const does = litIn(truth, city.lampsOf(schedule.target), ahead);
      expect(words(lit), `preview of ${schedule.title}`).toEqual(words(does));
    }
  }
}

async function pagesTell({ services, city, schedules, world: { now } }: Truth): Promise<void> {
  for (const { id, next_event } of await services.dashboard.list()) {
    const { active } = await services.areas.find(id);
    const own = active ? schedules.filter(({ area_id }) => area_id === id) : [];
    const events = own.flatMap((schedule) => windowsIn(schedule, now).flatMap(({ from, to }) => [from, to]));
    const next = Math.min(...events.filter((at) => at > now));
    expect(next_event).toBe(next === Infinity ? null : toIso(next));
  }
  for (const { id } of city.lamps) {
    const own = schedules.filter(({ target }) => city.lampsOf(target).includes(id));
    const coming = own.flatMap((schedule) => windowsIn(schedule, now));
    const soonest = coming.toSorted((a, b) => a.from - b.from || a.to - b.to).slice(0, 3);
    const { windows } = await services.devices.detail(id);
    const told = windows.map(({ start_at, end_at }) => ({ from: Date.parse(start_at), to: Date.parse(end_at) }));
    expect(words(told)).toEqual(words(soonest));
  }
}

function lightsTell(truth: Truth): void {
  const { world, segments, city, until } = truth;
  const isOn = ({ state, reason }: Segment) => state === "on" && reason !== "external";
  for (const { device_id, state, next_flip } of explain(world.context, [...segments.keys()])) {
    const [first, ...later] = segments.get(device_id) ?? [];
    const isLit = first !== undefined && isOn(first);
    expect(state === "on").toBe(isLit);
    const flip = later.find((segment) => isOn(segment) !== isLit);
    if (flip || Date.parse(next_flip?.at ?? "") < until) expect(next_flip?.at).toBe(flip && toIso(flip.from));
  }
  for (const { id } of city.lamps) {
    const device = plan.device(world.context.sql, id);
    if (!device) throw new Error(`the engine does not know ${id}`);
    const two_days = { from: world.now, to: world.now + 2 * DAY_MS };
    const outlook = outlookOf(viewOf(world.context.sql, device), memoryOf(world.context.sql, id));
    const alone = lampSpans(outlook, two_days.from, two_days.to);
    const lit = alone.on.map(([from]) => ({ from, to: litUntil(alone, from) ?? from }));
    expect(words(joined(lit, two_days)), "an agent alone").toEqual(words(litIn(truth, [id], two_days, true)));
  }
}

/** Lamps that obey are lit as they were wanted, and the log of the night says so. */
async function nightsTell(world: World, city: City): Promise<void> {
  for (const area_id of city.areas)
    for (const date of [world.now - DAY_MS, world.now].map((at) => toIso(at).slice(0, 10))) {
      const { data } = await servicesIn(world).nights.list({ area_id, date });
      for (const { minutes } of data) {
        expect(minutes.lit_unwanted).toBeLessThan(3);
        expect(minutes.dark_failed).toBeLessThan(3);
      }
    }
}

test.each(seeds)("seed %i: all screens tell of a city's nights what its engine does", async (seed) => {
  const chance = new Chance(seed);
  const noon = Date.parse(NOONS[seed % NOONS.length] ?? "");
  await inWorld(`surfaces${seed}`, toIso(noon - 6 * HOUR_MS), async (world) => {
    const city = new City(world, chance, noon);
    await city.make();
    await world.sync();
    expect(city.schedules.length).toBeGreaterThan(0);
    for (let hours = 0; hours < 3; hours += 1) {
      await world.to(world.now + chance.int(0, 40) * 15 * MINUTE_MS);
      await city.live();
      const truth = await truthIn(world, city);
      lightsTell(truth);
      await tonightTells(truth);
      await weekTells(truth);
      await previewsTell(truth);
      await pagesTell(truth);
    }
    await world.to(world.now + 14 * HOUR_MS);
    await nightsTell(world, city);
  });
});
