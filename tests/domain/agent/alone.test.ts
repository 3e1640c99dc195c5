import fc from "fast-check";
import { expect, test } from "vitest";
import { isIn } from "#domain/agent/lamp-spans";
import type { PlannedLamp } from "#domain/agent/standing-plan";
import { plannedUntil } from "#domain/agent/wanted";
import { aLamp, aPlan, Park } from "./a-park";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS = 5;
/** How long after an edge its lamp has to be right: a try each minute, and its turn among its neighbours. */
const SOON_MS = 75 * SECOND_MS;

const at = fc.integer({ min: 0, max: HOURS * 3_600 }).map((seconds) => seconds * SECOND_MS);
/** Cuts in time that do not overlap, in their order. */
const spans = (most: number) =>
  fc.uniqueArray(at, { maxLength: 2 * most }).map((edges) => {
    const sorted = edges.toSorted((a, b) => a - b);
    return Array.from({ length: Math.floor(sorted.length / 2) }, (_, n): [number, number] => [
      sorted[2 * n] ?? 0,
      sorted[2 * n + 1] ?? 0,
    ]);
  });
const lamp = fc.record({ on: spans(4), dark: spans(2), max: fc.constantFrom(null, 40 * MINUTE_MS) });
const story = fc.record({
  lamps: fc.array(lamp, { minLength: 1, maxLength: 3 }),
  expires: fc.constantFrom(3 * HOUR_MS, 48 * HOUR_MS),
  cuts: spans(3),
  hubAway: spans(2),
  crashes: fc.array(
    fc.record({ at, off_s: fc.nat(600), wrong_s: fc.integer({ min: -9_000, max: 9_000 }), isSynced: fc.boolean() }),
    { maxLength: 2 },
  ),
  hands: fc.array(fc.record({ at, lamp: fc.nat(2), action: fc.constantFrom("on", "off") }), { maxLength: 3 }),
  latency_ms: fc.integer({ min: 100, max: 3_000 }),
});
type Story = typeof story extends fc.Arbitrary<infer One> ? One : never;

/** Lives through a story second by second; answers what went wrong. */
function live({ lamps, expires, cuts, hubAway, crashes, hands, latency_ms }: Story): string[] {
  const planned = lamps.map(({ on, dark, max }, n) => aLamp(`l${n}`, { on, dark, max_on_ms: max }));
  const park = new Park(aPlan(planned, expires));
  park.latency_ms = latency_ms;
  const judge = new Judge(park, planned, expires);
  const starts = crashes.map(({ at, off_s, wrong_s, isSynced }) => {
    // Network time that is set is right; no clock is trusted that is behind.
    return { at: at + off_s * SECOND_MS, own: { wrong_ms: isSynced ? 0 : wrong_s * SECOND_MS, isSynced } };
  });
  for (let now = SECOND_MS; now <= HOURS * HOUR_MS; now += SECOND_MS) {
    const isCut = cuts.some((span) => isIn(span, now));
    park.areHubsUp = !hubAway.some((span) => isIn(span, now));
    if (crashes.some(({ at }) => at === now)) park.crash();
    for (const { at, own } of starts) if (at === now && park.isOff) park.boot(own);
    if (isCut && park.isLineUp) park.cut();
    if (!isCut && !park.isLineUp) park.mend();
    for (const { at, lamp, action } of hands)
      if (at === now && planned[lamp]) judge.handed(park.hand(planned[lamp].device, action), planned[lamp].device);
    park.to(now);
    judge.look();
  }
  return judge.wrong;
}

/** Judges by the true time and the true lamps; of the agent it reads only whether it is alone. */
class Judge {
  readonly wrong: string[] = [];
  #judged = 0;
  /** Since when nothing has come between the agent and its lamps. */
  #able_since = 0;
  readonly #touched = new Map<string, number>();
  readonly #lit_since = new Map<string, number>();
  /** When a lamp last went out, and how long it had burned then. */
  readonly #went_out = new Map<string, { at: number; burned_ms: number }>();
  /** When a lamp was last dark though the city, which was there, had had its time to light it. */
  readonly #left_dark = new Map<string, number>();

  constructor(
    readonly park: Park,
    readonly lamps: PlannedLamp[],
    readonly expires: number,
  ) {}

  handed(park: Park, device: string): void {
    this.#touched.set(device, park.now);
  }

  look(): void {
    const { park } = this;
    const isAble = park.state.mode === "alone" && !park.isOff && park.areHubsUp && park.time.isTrusted;
    if (!isAble) this.#able_since = park.now;
    for (const { device } of this.lamps) this.#noteLit(device);
    if (park.isLineUp) for (const lamp of this.lamps) this.#noteLeft(lamp);
    for (const lamp of this.lamps) if (park.now - this.#able_since > SOON_MS) this.#judgeState(lamp);
    for (const call of park.calls.slice(this.#judged)) this.#judgeCall(call);
    this.#judged = park.calls.length;
  }

  /** Every ON that was done, by a clock that was trusted, is in the plan and not in the dark. */
  #judgeCall({ at, device, action, done, isTrusted }: Park["calls"][number]): void {
    const lamp = this.lamps.find((one) => one.device === device);
    if (!lamp || action === "off" || !done) return;
    if (!isTrusted) this.#say(`${device} lit by a clock that nobody had set`);
    if (lamp.dark.some((span) => isIn(span, at))) this.#say(`${device} lit in the dark`);
    if (plannedUntil(lamp, this.expires, at) === null) this.#say(`${device} lit outside the plan`);
  }

  #lastEdge(lamp: PlannedLamp): number {
    const edges = [...lamp.on.flat(), ...lamp.dark.flat(), this.expires].filter((edge) => edge <= this.park.now);
    return Math.max(0, ...edges);
  }

  #noteLit(device: string): void {
    const { now, lit } = this.park;
    const since = this.#lit_since.get(device);
    if (lit.has(device)) return void (since === undefined && this.#lit_since.set(device, now));
    if (since !== undefined) this.#went_out.set(device, { at: now, burned_ms: now - since });
    this.#lit_since.delete(device);
  }

  /** Where nothing put it out in the meantime, a lamp's longest time on counts from before the last edge. */
  #isCutByLimit({ device, max_on_ms }: PlannedLamp, last: number): boolean {
    if (max_on_ms === null) return false;
    const out = this.#went_out.get(device);
    return this.park.now - last >= max_on_ms || (out !== undefined && out.at > last && out.burned_ms >= max_on_ms);
  }

  #noteLeft(lamp: PlannedLamp): void {
    const { now, lit } = this.park;
    const isDark = plannedUntil(lamp, this.expires, now) !== null && !lit.has(lamp.device);
    if (isDark && now - this.#lastEdge(lamp) >= MINUTE_MS) this.#left_dark.set(lamp.device, now);
  }

  /** Where nobody touched it since its last edge, the lamp is soon as the plan has it. */
  #judgeState(lamp: PlannedLamp): void {
    const { park } = this;
    const last = this.#lastEdge(lamp);
    if (park.now - last <= SOON_MS || (this.#touched.get(lamp.device) ?? -1) >= 0) return;
    const isWanted = plannedUntil(lamp, this.expires, park.now) !== null;
    if (isWanted === park.lit.has(lamp.device) || (isWanted && this.#isCutByLimit(lamp, last))) return;
    // Only edges are acted on: what was dark before the line was cut, since its hub was away, stays so.
    if (isWanted && (this.#left_dark.get(lamp.device) ?? -1) >= last) return;
    this.#say(`${lamp.device} is ${isWanted ? "dark" : "lit"}`);
  }

  #say(what: string): void {
    this.wrong.push(`${what} at ${this.park.now / SECOND_MS} s`);
  }
}

/** A dark time that nobody acts on, since the line is cut in it: the longest time on still counts from before. */
const LIT_THROUGH_THE_DARK: Story = {
  lamps: [{ on: [[0, 2_403_000]], dark: [[2_000, 3_000]], max: 40 * MINUTE_MS }],
  expires: 3 * HOUR_MS,
  cuts: [[2_000, 2_403_000]],
  hubAway: [],
  crashes: [],
  hands: [],
  latency_ms: 100,
};

test("alone, through cuts, dead hubs, crashes and wrong clocks: lit by the plan only, and never for longer", () => {
  fc.assert(
    fc.property(story, (told) => {
      expect(live(told).slice(0, 3)).toEqual([]);
    }),
    { numRuns: Number(process.env.HUNT ?? 40), examples: [[LIT_THROUGH_THE_DARK]] },
  );
});
