import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Claim,
  type Instants,
  ladderFailed,
  toggleOff,
  toggleOn,
  reasonKey,
  resolve,
  sawState,
  sentOn,
} from "#domain/desired-state";
import { reasonSentence } from "#domain/reason-sentence";
import { aSchedule, at, claimsAt, guardrails, LA, nextOf, type Plans, UNTOUCHED } from "./a-light";

const MINUTE = 60_000;
const day = (time: string) => at(`2026-07-01 ${time}`);
const lit = (time: string, lit_by: "us" | "external" = "us"): Instants => ({
  ...UNTOUCHED,
  lit_since: day(time),
  lit_by,
});
const claim = (start: string, end: string, title = "practice"): Claim => ({
  start: day(start),
  end: day(end),
  schedule_id: title,
  title,
  begins_at: day(start),
});
const look = { now: day("19:00"), claims: [], next_start: null, instants: UNTOUCHED, guardrails: guardrails() };
const night = guardrails({ HARD_CURFEW_OFF: "18:30", BLACKOUT_WINDOW: "20:00-23:00" });

test("a device that nothing holds is left alone until its next start", () => {
  const resolved = resolve({ ...look, next_start: day("20:00") });
  expect(resolved).toEqual({ state: "none", reason: { kind: "idle" }, until: day("20:00"), instants: UNTOUCHED });
  expect(resolve(look).until).toBeNull();
});

test("in a guardrail a lit device goes off and an unlit one is left alone, till the guardrail ends", () => {
  const claims = [claim("18:00", "23:30")];
  const reason = { kind: "curfew", until: day("23:00") };
  const on = resolve({ ...look, claims, instants: lit("18:00"), guardrails: night, next_start: day("20:00") });
  expect(on).toMatchObject({ state: "off", reason, until: day("23:00") });
  expect(resolve({ ...look, claims, guardrails: night })).toMatchObject({ state: "none", reason, until: day("23:00") });
});

test("a guardrail ends a manual ON for good and makes a hand's light ours", () => {
  const instants = { ...lit("18:00", "external"), on_at: day("18:00") };
  expect(resolve({ ...look, instants, guardrails: night }).instants).toEqual(lit("18:00"));
});

test("a claim that began after the last OFF counts, one that began before or with it does not", () => {
  const instants = { ...UNTOUCHED, off_at: day("18:00") };
  expect(resolve({ ...look, claims: [claim("18:01", "20:00")], instants }).state).toBe("on");
  expect(resolve({ ...look, claims: [claim("18:00", "20:00")], instants }).state).toBe("none");
});

test("a counting claim makes a hand's light ours and ends a manual ON", () => {
  const instants = { ...lit("17:50", "external"), on_at: day("17:00") };
  expect(resolve({ ...look, claims: [claim("18:00", "20:00")], instants }).instants).toEqual(lit("17:50"));
});

test("a manual ON holds until the longest time allowed, and is then forgotten", () => {
  const instants = { ...lit("17:00"), on_at: day("17:00") };
  expect(resolve({ ...look, instants })).toMatchObject({ state: "on", until: day("21:00"), instants });
  expect(resolve({ ...look, instants, now: day("21:00") })).toMatchObject({
    state: "off",
    instants: { on_at: null, lit_since: day("17:00"), lit_by: "us" },
  });
});

test("a light that a hand lit while a manual ON holds is ours", () => {
  const instants = { ...lit("18:30", "external"), on_at: day("18:00") };
  expect(resolve({ ...look, instants }).instants).toEqual({ ...lit("18:30"), on_at: day("18:00") });
});

test("a manual ON is forgotten even while the light is not lit", () => {
  const instants = { ...UNTOUCHED, on_at: day("14:00") };
  expect(resolve(look).instants.on_at).toBeNull();
  expect(resolve({ ...look, instants })).toMatchObject({ state: "none", instants: UNTOUCHED });
});

test("the longest time counts from the later of lit and the newest counting claim's start", () => {
  const claims = [claim("14:00", "22:00", "a"), claim("16:00", "22:00", "b")];
  expect(resolve({ ...look, claims, instants: lit("14:00") })).toMatchObject({ state: "on", until: day("20:00") });
  expect(resolve({ ...look, claims, instants: lit("16:30") })).toMatchObject({ state: "on", until: day("20:30") });
  const cut = resolve({ ...look, claims, instants: lit("14:00"), now: day("20:00") });
  expect(cut.state).toBe("off");
  expect(cut.reason).toEqual({ kind: "max_on", max_on_min: 240 });
  expect(cut.instants).toEqual({ ...lit("14:00"), off_at: day("20:00"), cut_min: 240 });
});

test("a claim that does not count starts no count of its own", () => {
  const claims = [claim("14:00", "22:00", "a"), claim("18:00", "22:00", "b")];
  const instants = { ...lit("15:00", "external"), off_at: day("18:30") };
  expect(resolve({ ...look, claims, instants })).toMatchObject({ state: "off", reason: { kind: "max_on" } });
});

test("an unlit device has no longest time", () => {
  expect(resolve({ ...look, claims: [claim("10:00", "22:00")] })).toMatchObject({ state: "on", until: day("22:00") });
});

test("a light of a hand is left alone until the longest time, counted from when it was seen", () => {
  const instants = lit("17:00", "external");
  expect(resolve({ ...look, instants })).toMatchObject({
    state: "none",
    reason: { kind: "external" },
    until: day("21:00"),
  });
  const cut = resolve({ ...look, instants, now: day("21:00") });
  expect(cut).toMatchObject({ state: "off", reason: { kind: "max_on" } });
  expect(cut.instants).toEqual({ ...lit("17:00"), off_at: day("21:00"), cut_min: 240 });
});

test("what we lit and nothing holds is owed an OFF", () => {
  const resolved = resolve({ ...look, instants: lit("10:00"), next_start: day("22:00") });
  expect(resolved).toMatchObject({ state: "off", reason: { kind: "pending_off" }, until: day("22:00") });
});

test("the next look is at the first of a claim's end, the next start, the longest time and the guardrail", () => {
  const claims = [claim("18:00", "22:00")];
  const soon = { ...look, claims, instants: lit("18:00"), guardrails: guardrails({ BLACKOUT_WINDOW: "21:30-23:00" }) };
  expect(resolve(soon).until).toBe(day("21:30"));
  expect(resolve({ ...soon, next_start: day("21:00") }).until).toBe(day("21:00"));
  expect(resolve({ ...soon, claims: [claim("18:00", "20:00")] }).until).toBe(day("20:00"));
  expect(resolve({ ...soon, guardrails: guardrails({ MAX_ON_DURATION_MIN: 90 }) }).until).toBe(day("19:30"));
});

test("an ON clears the OFF, starts the count anew and is stored only where no claim holds", () => {
  const instants = { ...lit("17:00", "external"), off_at: day("18:00") };
  const press = { now: day("19:00"), instants, guardrails: guardrails() };
  expect(toggleOn({ ...press, claims: [] })).toEqual({ instants: { ...lit("19:00"), on_at: day("19:00") } });
  expect(toggleOn({ ...press, claims: [claim("17:00", "20:00")] })).toEqual({ instants: lit("19:00") });
  expect(toggleOn({ ...press, claims: [], instants: UNTOUCHED })).toEqual({
    instants: { ...UNTOUCHED, on_at: day("19:00") },
  });
});

test("an ON in a guardrail is refused", () => {
  const refused = toggleOn({ now: day("19:00"), claims: [], instants: UNTOUCHED, guardrails: night });
  expect(refused).toEqual({ refused: { kind: "curfew", until: day("23:00") } });
});

test("an OFF is remembered, ends a manual ON, and takes over a hand's light", () => {
  const instants = toggleOff({ now: day("19:00"), instants: { ...lit("17:00", "external"), on_at: day("17:00") } });
  expect(instants).toEqual({ ...lit("17:00"), off_at: day("19:00") });
  expect(resolve({ ...look, instants }).state).toBe("off");
});

test("an ON that was sent lights from the first one on", () => {
  expect(sentOn(UNTOUCHED, day("18:00"))).toEqual(lit("18:00"));
  expect(sentOn(lit("17:00", "external"), day("18:00"))).toEqual(lit("17:00"));
});

test("a reading of off clears, one of on is a hand's unless it was lit, unknown tells nothing", () => {
  expect(sawState(lit("17:00"), "off", day("18:00")).lit_since).toBeNull();
  expect(sawState(UNTOUCHED, "on", day("18:00"))).toEqual(lit("18:00", "external"));
  expect(sawState(lit("17:00"), "on", day("18:00"))).toEqual(lit("17:00"));
  expect(sawState(lit("17:00"), "unknown", day("18:00"))).toEqual(lit("17:00"));
  expect(sawState(UNTOUCHED, "unknown", day("18:00"))).toEqual(UNTOUCHED);
});

test("a manual ON gives up with its ladder, and what may be lit is owed an OFF", () => {
  const instants = ladderFailed({ ...lit("18:59"), on_at: day("18:59") }, null);
  expect(resolve({ ...look, instants })).toMatchObject({ state: "off", reason: { kind: "pending_off" } });
});

test("a manual ON that fails at a light that a person lit before leaves that as it was", () => {
  const before = day("18:30");
  const instants = ladderFailed({ ...lit("18:59"), on_at: day("18:59") }, before);
  expect(instants.on_at).toBe(before);
  expect(resolve({ ...look, instants })).toMatchObject({ state: "on", reason: { kind: "manual_on" } });
  expect(ladderFailed({ ...lit("18:59"), on_at: null }, before).on_at).toBeNull();
});

test("a claim's sentence ends when the light will, not when the booking does", () => {
  const claims = [claim("18:00", "23:00")];
  expect(resolve({ ...look, claims, instants: lit("18:00") }).reason).toMatchObject({ until: day("22:00") });
  const dark = guardrails({ BLACKOUT_WINDOW: "21:00-23:30" });
  expect(resolve({ ...look, claims, guardrails: dark }).reason).toMatchObject({ until: day("21:00") });
});

test("claims in another order are the same resolution, other claims are another", () => {
  const [a, b] = [claim("18:00", "20:00", "a"), claim("18:30", "20:00", "b")];
  const key = (claims: Claim[]) => reasonKey("on", { kind: "claim", claims, until: 0 });
  expect(key([a, b])).toBe(key([b, a]));
  expect(key([a])).not.toBe(key([a, b]));
  expect(key([a])).not.toBe(key([{ ...a, start: a.start + 1 }]));
});

test("what needs another command has another key, and none is that of a device nobody has looked at", () => {
  const until = 1;
  const [x, y] = [claim("18:00", "20:00", "x"), claim("18:00", "20:00", "y")];
  const claims = (...held: Claim[]) => reasonKey("on", { kind: "claim", claims: held, until });
  const keys = [
    reasonKey("off", { kind: "curfew", until }),
    reasonKey("off", { kind: "pending_off" }),
    reasonKey("on", { kind: "manual_on", until }),
    reasonKey("none", { kind: "external", until }),
    reasonKey("none", { kind: "idle" }),
    claims({ ...x, start: 1 }, { ...y, schedule_id: "2y" }),
    claims({ ...x, start: 12 }, y),
  ];
  expect(new Set([...keys, ""]).size).toBe(8);
});

test("an OFF that is owed, with nothing to come, waits for an event", () => {
  expect(resolve({ ...look, instants: lit("10:00") })).toMatchObject({ state: "off", until: null });
});

test("two claims are told by both titles, once each, until the later one ends", () => {
  const claims = [claim("18:00", "20:00", "Little League"), claim("18:30", "21:00", "Finals")];
  const { state, reason } = resolve({ ...look, claims: [...claims, claim("18:00", "19:30", "Finals")] });
  expect(reasonSentence(state, reason, LA)).toBe("On until 9:00 PM: Little League, Finals");
});

test("a cut and the look after it are one resolution, as are a curfew and the blackout that it runs into", () => {
  expect(reasonKey("off", { kind: "max_on", max_on_min: 240 })).toBe(reasonKey("off", { kind: "pending_off" }));
  expect(reasonKey("off", { kind: "curfew", until: 1 })).toBe(reasonKey("off", { kind: "blackout", until: 1 }));
  expect(reasonKey("none", { kind: "curfew", until: 1 })).toBe(reasonKey("none", { kind: "idle" }));
  expect(reasonKey("none", { kind: "external", until: 1 })).not.toBe(reasonKey("none", { kind: "idle" }));
});

const clock = fc.integer({ min: 0, max: 95 }).map((quarter) => {
  const pad = (count: number) => String(count).padStart(2, "0");
  return `${pad(Math.floor(quarter / 4))}:${pad((quarter % 4) * 15)}`;
});
const someRules = fc
  .record({
    curfew: fc.option(clock),
    blackout: fc.option(fc.tuple(clock, clock)),
    max: fc.integer({ min: 10, max: 300 }),
  })
  .map(({ curfew, blackout, max }) =>
    guardrails({
      HARD_CURFEW_OFF: curfew ?? "",
      BLACKOUT_WINDOW: blackout && blackout[0] !== blackout[1] ? blackout.join("-") : "",
      MAX_ON_DURATION_MIN: max,
    }),
  );
/** Two days before a change of the clocks, or before nothing at all. */
const someEvening = fc.constantFrom("2026-03-07", "2026-10-31", "2026-07-01");
const someScenes = someEvening.chain((date) => {
  const noon = at(`${date} 12:00`);
  const somePast = fc.option(fc.integer({ min: 0, max: 300 }).map((minutes) => noon - minutes * MINUTE));
  const somePlan = fc
    .tuple(clock, fc.integer({ min: 5, max: 1440 }), fc.constantFrom(null, "FREQ=DAILY"))
    .map(([start, minutes, rrule]) => {
      const plan = aSchedule(`${date} ${start}`, `${date} ${start}`, rrule);
      return { ...plan, end_at: new Date(Date.parse(plan.start_at) + minutes * MINUTE).toISOString() };
    });
  return fc.record({
    noon: fc.constant(noon),
    rules: someRules,
    plans: fc
      .array(somePlan, { maxLength: 3 })
      .map((plans): Plans => Object.fromEntries(plans.map((p, i) => [`p${i}`, p]))),
    instants: fc.record({
      off_at: somePast,
      cut_min: fc.option(fc.integer({ min: 1, max: 600 })),
      on_at: somePast,
      lit_since: somePast,
      lit_by: fc.constantFrom<"us" | "external">("us", "external"),
    }),
  });
});

test("nothing changes before `until`, stepping minute by minute with the instants carried on", () => {
  fc.assert(
    fc.property(someScenes, ({ noon, rules, plans, instants }) => {
      const lookAt = (now: number, carried: Instants) =>
        resolve({
          now,
          claims: claimsAt(plans, now),
          next_start: nextOf(plans, now),
          instants: carried,
          guardrails: rules,
        });
      const keyOf = (resolved: ReturnType<typeof resolve>) => reasonKey(resolved.state, resolved.reason);
      let promised = lookAt(noon, instants);
      let carried = promised.instants;
      for (let now = noon + MINUTE; now < noon + 36 * 60 * MINUTE; now += MINUTE) {
        const seen = lookAt(now, carried);
        if (promised.until === null || now < promised.until) expect(keyOf(seen)).toBe(keyOf(promised));
        else promised = seen;
        expect(seen.until ?? Infinity).toBeGreaterThan(now);
        carried = seen.instants;
      }
    }),
    { numRuns: 60 },
  );
});

test("looking again at once changes neither the answer nor what is remembered", () => {
  fc.assert(
    fc.property(someScenes, ({ noon, rules, plans, instants }) => {
      const rest = { now: noon, claims: claimsAt(plans, noon), next_start: nextOf(plans, noon), guardrails: rules };
      const first = resolve({ ...rest, instants });
      const second = resolve({ ...rest, instants: first.instants });
      expect(reasonKey(second.state, second.reason)).toBe(reasonKey(first.state, first.reason));
      expect(second.instants).toEqual(first.instants);
    }),
    { numRuns: 500 },
  );
});
