import fc from "fast-check";
import { expect, test } from "vitest";
import { type Claim, reasonKey } from "#domain/resolve/reason";
import { type Instants, ladderFailed, sawState, sentOn } from "#domain/resolve/instants";
import { toggleOff, toggleOn } from "#domain/resolve/toggles";
import { resolve } from "#domain/resolve/desired-state";
import type { Limits } from "#domain/guardrails/device-limits";
import { reasonSentence } from "#domain/resolve/reason-sentence";
import { aSchedule, at, claimsAt, guardrails, LA, limits, nextOf, type Plans, UNTOUCHED } from "./a-light";
import { runsHere } from "./runs";

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
  date: "2026-07-01",
  schedule_id: title,
  title,
  begins_at: day(start),
});
const input = { now: day("19:00"), claims: [], next_start: null, instants: UNTOUCHED, limits: limits(guardrails()) };
const night = guardrails({ HARD_CURFEW_OFF: "18:30", BLACKOUT_WINDOW: "20:00-23:00" });

test("a device that nothing holds is left alone until its next start", () => {
  const resolved = resolve({ ...input, next_start: day("20:00") });
  expect(resolved).toEqual({ state: "none", reason: { kind: "idle" }, until: day("20:00"), instants: UNTOUCHED });
  expect(resolve(input).until).toBeNull();
});

test("a guardrail switches a lit device off and leaves an unlit one alone until it ends", () => {
  const claims = [claim("18:00", "23:30")];
  const reason = { kind: "curfew", until: day("23:00") };
  const on = resolve({ ...input, claims, instants: lit("18:00"), limits: limits(night), next_start: day("20:00") });
  expect(on).toMatchObject({ state: "off", reason, until: day("23:00") });
  expect(resolve({ ...input, claims, limits: limits(night) })).toMatchObject({
    state: "none",
    reason,
    until: day("23:00"),
  });
});

test("a guardrail ends a manual ON for good and takes over an external light", () => {
  const instants = { ...lit("18:00", "external"), on_at: day("18:00") };
  expect(resolve({ ...input, instants, limits: limits(night) }).instants).toEqual(lit("18:00"));
});

test("only a claim that began after the last OFF lights the device", () => {
  const instants = { ...UNTOUCHED, off_at: day("18:00") };
  expect(resolve({ ...input, claims: [claim("18:01", "20:00")], instants }).state).toBe("on");
  expect(resolve({ ...input, claims: [claim("18:00", "20:00")], instants }).state).toBe("none");
});

test("a claim takes over an external light and ends a manual ON", () => {
  const instants = { ...lit("17:50", "external"), on_at: day("17:00") };
  expect(resolve({ ...input, claims: [claim("18:00", "20:00")], instants }).instants).toEqual(lit("17:50"));
});

test("a manual ON holds until max on and is then forgotten", () => {
  const instants = { ...lit("17:00"), on_at: day("17:00") };
  expect(resolve({ ...input, instants })).toMatchObject({ state: "on", until: day("21:00"), instants });
  expect(resolve({ ...input, instants, now: day("21:00") })).toMatchObject({
    state: "off",
    instants: { on_at: null, lit_since: day("17:00"), lit_by: "us" },
  });
});

test("a light found lit during a manual ON is not external", () => {
  const instants = { ...lit("18:30", "external"), on_at: day("18:00") };
  expect(resolve({ ...input, instants }).instants).toEqual({ ...lit("18:30"), on_at: day("18:00") });
});

test("a manual ON ends at max on even if the light was never lit", () => {
  const instants = { ...UNTOUCHED, on_at: day("14:00") };
  expect(resolve(input).instants.on_at).toBeNull();
  expect(resolve({ ...input, instants })).toMatchObject({ state: "none", instants: UNTOUCHED });
});

test("max on counts from the later of when it was lit and the newest claim's start", () => {
  const claims = [claim("14:00", "22:00", "a"), claim("16:00", "22:00", "b")];
  expect(resolve({ ...input, claims, instants: lit("14:00") })).toMatchObject({ state: "on", until: day("20:00") });
  expect(resolve({ ...input, claims, instants: lit("16:30") })).toMatchObject({ state: "on", until: day("20:30") });
  const cut = resolve({ ...input, claims, instants: lit("14:00"), now: day("20:00") });
  expect(cut.state).toBe("off");
  expect(cut.reason).toEqual({ kind: "max_on", max_on_min: 240 });
  expect(cut.instants).toEqual({ ...lit("14:00"), cut_at: day("20:00"), cut_min: 240 });
});

test("a claim that an OFF ended does not restart max on", () => {
  const claims = [claim("14:00", "22:00", "a"), claim("18:00", "22:00", "b")];
  const instants = { ...lit("15:00", "external"), off_at: day("18:30") };
  expect(resolve({ ...input, claims, instants })).toMatchObject({ state: "off", reason: { kind: "max_on" } });
});

test("max on does not apply to an unlit device", () => {
  expect(resolve({ ...input, claims: [claim("10:00", "22:00")] })).toMatchObject({ state: "on", until: day("22:00") });
});

test("an external light is left alone until max on, counted from when it was seen", () => {
  const instants = lit("17:00", "external");
  expect(resolve({ ...input, instants })).toMatchObject({
    state: "none",
    reason: { kind: "external" },
    until: day("21:00"),
  });
  const cut = resolve({ ...input, instants, now: day("21:00") });
  expect(cut).toMatchObject({ state: "off", reason: { kind: "max_on" } });
  expect(cut.instants).toEqual({ ...lit("17:00"), cut_at: day("21:00"), cut_min: 240 });
});

test("a light that we lit and no claim holds gets an OFF", () => {
  const resolved = resolve({ ...input, instants: lit("10:00"), next_start: day("22:00") });
  expect(resolved).toMatchObject({ state: "off", reason: { kind: "pending_off" }, until: day("22:00") });
});

test("`until` is the earliest of the claim's end, the next start, max on and the next guardrail", () => {
  const claims = [claim("18:00", "22:00")];
  const soon = {
    ...input,
    claims,
    instants: lit("18:00"),
    limits: limits(guardrails({ BLACKOUT_WINDOW: "21:30-23:00" })),
  };
  expect(resolve(soon).until).toBe(day("21:30"));
  expect(resolve({ ...soon, next_start: day("21:00") }).until).toBe(day("21:00"));
  expect(resolve({ ...soon, claims: [claim("18:00", "20:00")] }).until).toBe(day("20:00"));
  expect(resolve({ ...soon, limits: limits(guardrails({ MAX_ON_DURATION_MIN: 90 })) }).until).toBe(day("19:30"));
});

test("a manual ON clears the OFF and restarts max on, and is stored only if no claim holds", () => {
  const instants = { ...lit("17:00", "external"), off_at: day("18:00") };
  const press = { now: day("19:00"), instants, limits: limits(guardrails()) };
  expect(toggleOn({ ...press, claims: [] })).toEqual({ instants: { ...lit("19:00"), on_at: day("19:00") } });
  expect(toggleOn({ ...press, claims: [claim("17:00", "20:00")] })).toEqual({ instants: lit("19:00") });
  expect(toggleOn({ ...press, claims: [], instants: UNTOUCHED })).toEqual({
    instants: { ...UNTOUCHED, on_at: day("19:00") },
  });
});

test("a manual ON is refused in a guardrail", () => {
  const refused = toggleOn({ now: day("19:00"), claims: [], instants: UNTOUCHED, limits: limits(night) });
  expect(refused).toEqual({ refused: { kind: "curfew", until: day("23:00") } });
});

test("a manual OFF is stored, ends a manual ON and takes over an external light", () => {
  const instants = toggleOff({ now: day("19:00"), instants: { ...lit("17:00", "external"), on_at: day("17:00") } });
  expect(instants).toEqual({ ...lit("17:00"), off_at: day("19:00") });
  expect(resolve({ ...input, instants }).state).toBe("off");
});

test("`lit_since` is the first ON that was sent", () => {
  expect(sentOn(UNTOUCHED, day("18:00"))).toEqual(lit("18:00"));
  expect(sentOn(lit("17:00", "external"), day("18:00"))).toEqual(lit("17:00"));
});

test("a reading of off clears `lit_since`, on is external unless we lit it, unknown changes nothing", () => {
  expect(sawState(lit("17:00"), "off", day("18:00")).lit_since).toBeNull();
  expect(sawState(UNTOUCHED, "on", day("18:00"))).toEqual(lit("18:00", "external"));
  expect(sawState(lit("17:00"), "on", day("18:00"))).toEqual(lit("17:00"));
  expect(sawState(lit("17:00"), "unknown", day("18:00"))).toEqual(lit("17:00"));
  expect(sawState(UNTOUCHED, "unknown", day("18:00"))).toEqual(UNTOUCHED);
});

test("a manual ON ends when its retries fail, and a light that may be lit gets an OFF", () => {
  const instants = ladderFailed({ ...lit("18:59"), on_at: day("18:59") }, null);
  expect(resolve({ ...input, instants })).toMatchObject({ state: "off", reason: { kind: "pending_off" } });
});

test("a failed second manual ON leaves the first one standing", () => {
  const before = day("18:30");
  const instants = ladderFailed({ ...lit("18:59"), on_at: day("18:59") }, before);
  expect(instants.on_at).toBe(before);
  expect(resolve({ ...input, instants })).toMatchObject({ state: "on", reason: { kind: "manual_on" } });
  expect(ladderFailed({ ...lit("18:59"), on_at: null }, before).on_at).toBeNull();
});

test("a claim's reason ends when the light goes off, not when the booking ends", () => {
  const claims = [claim("18:00", "23:00")];
  expect(resolve({ ...input, claims, instants: lit("18:00") }).reason).toMatchObject({ until: day("22:00") });
  const dark = guardrails({ BLACKOUT_WINDOW: "21:00-23:30" });
  expect(resolve({ ...input, claims, limits: limits(dark) }).reason).toMatchObject({ until: day("21:00") });
});

test("the key of a resolution ignores the order of its claims", () => {
  const [a, b] = [claim("18:00", "20:00", "a"), claim("18:30", "20:00", "b")];
  const key = (claims: Claim[]) => reasonKey("on", { kind: "claim", claims, until: 0 });
  expect(key([a, b])).toBe(key([b, a]));
  expect(key([a])).not.toBe(key([a, b]));
  expect(key([a])).not.toBe(key([{ ...a, start: a.start + 1 }]));
});

test("resolutions that need different commands have different keys, none of them empty", () => {
  const until = 1;
  const [x, y] = [claim("18:00", "20:00", "1x"), claim("18:00", "20:00", "y")];
  const claims = (...held: Claim[]) => reasonKey("on", { kind: "claim", claims: held, until });
  const keys = [
    reasonKey("on", { kind: "emergency", until }),
    reasonKey("off", { kind: "curfew", until }),
    reasonKey("off", { kind: "hold_off", until }),
    reasonKey("off", { kind: "pending_off" }),
    reasonKey("on", { kind: "hold_on", until }),
    reasonKey("on", { kind: "manual_on", until }),
    reasonKey("none", { kind: "external", until }),
    reasonKey("none", { kind: "idle" }),
    claims({ ...x, start: 1 }, { ...y, schedule_id: "2y" }),
    claims({ ...x, start: 12 }, y),
  ];
  expect(new Set([...keys, ""]).size).toBe(11);
});

test("a pending OFF without a next start waits for an event", () => {
  expect(resolve({ ...input, instants: lit("10:00") })).toMatchObject({ state: "off", until: null });
});

test("a reason names each claim's title once, until the last one ends", () => {
  const claims = [claim("18:00", "20:00", "Little League"), claim("18:30", "21:00", "Finals")];
  const { state, reason } = resolve({ ...input, claims: [...claims, claim("18:00", "19:30", "Finals")] });
  expect(reasonSentence(state, reason, LA, at("2026-07-01 20:00"))).toBe("On until 9:00 PM: Little League, Finals");
});

test("the longest time on of a person's ON counts from the toggle, or from when the light was lit before it", () => {
  const pressed = { ...input, instants: { ...lit("17:30"), on_at: day("17:00") } };
  expect(resolve(pressed)).toMatchObject({ until: day("21:00"), reason: { kind: "manual_on", until: day("21:00") } });
  expect(resolve({ ...input, instants: { ...lit("16:30"), on_at: day("17:00") } }).until).toBe(day("20:30"));
});

test("a light that is to go on and is not lit is looked at again where the longest time on would end, were it lit now", () => {
  const bounded = limits(guardrails({ MAX_ON_DURATION_MIN: 60 }));
  const claims = [claim("18:30", "23:00")];
  expect(resolve({ ...input, claims, limits: bounded }).until).toBe(day("20:00"));
  const sent = sentOn(UNTOUCHED, input.now);
  expect(resolve({ ...input, claims, limits: bounded, instants: sent }).until).toBe(day("20:00"));
  expect(resolve({ ...input, claims, limits: bounded, instants: lit("18:40") }).until).toBe(day("19:40"));
});

test("a light's own longest time on comes before the organization's, and where it is 0 frees an ON until", () => {
  const own = limits(guardrails({ MAX_ON_DURATION_MIN: 180 }), { organization_max_on_min: 60 });
  const pressed = { ...lit("17:00"), on_at: day("17:00") };
  expect(resolve({ ...input, instants: pressed, limits: own })).toMatchObject({ state: "on", until: day("20:00") });
  const free = limits(guardrails({ MAX_ON_DURATION_MIN: 0 }), { organization_max_on_min: 60 });
  const held = { ...lit("17:00"), hold_action: "on", hold_until: day("23:00") } as const;
  expect(resolve({ ...input, instants: held, limits: free })).toMatchObject({ state: "on", until: day("23:00") });
});

test("a light that a hand lit and nothing would ever end goes off at once", () => {
  const endless = limits(guardrails({ MAX_ON_DURATION_MIN: 0 }), { organization_max_on_min: 0 });
  const resolved = resolve({ ...input, instants: lit("17:00", "external"), limits: endless });
  expect(resolved).toMatchObject({ state: "off", reason: { kind: "pending_off" }, instants: { lit_by: "us" } });
});

test("a hold without an end holds nothing", () => {
  expect(resolve({ ...input, instants: { ...UNTOUCHED, hold_action: "off" } }).reason).toEqual({ kind: "idle" });
});

test("an emergency is looked at before its end only where the dark would end a person's ON under it", () => {
  const rules = limits(guardrails({ BLACKOUT_WINDOW: "20:00-23:00" }));
  const emergency = { ...lit("18:00"), emergency_until: day("22:00") };
  const untilOf = (over: Partial<Instants>) =>
    resolve({ ...input, instants: { ...emergency, ...over }, limits: rules }).until;
  expect(untilOf({})).toBe(day("22:00"));
  expect(untilOf({ hold_action: "off", hold_until: day("21:00") })).toBe(day("22:00"));
  expect(untilOf({ hold_action: "on", hold_until: day("21:00") })).toBe(day("20:00"));
  expect(untilOf({ on_at: day("18:00") })).toBe(day("20:00"));
});

test("a max-on cut and its pending OFF share a key, as do a curfew and the blackout or closure that follows it", () => {
  expect(reasonKey("off", { kind: "max_on", max_on_min: 240 })).toBe(reasonKey("off", { kind: "pending_off" }));
  expect(reasonKey("off", { kind: "curfew", until: 1 })).toBe(reasonKey("off", { kind: "blackout", until: 1 }));
  expect(reasonKey("none", { kind: "curfew", until: 1 })).toBe(reasonKey("none", { kind: "idle" }));
  expect(reasonKey("off", { kind: "closure", id: "c", reason: "wet ground", until: 1 })).toBe(
    reasonKey("off", { kind: "curfew", until: 1 }),
  );
  expect(reasonKey("none", { kind: "hold_off", until: 1 })).toBe(reasonKey("none", { kind: "idle" }));
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
    max: fc.oneof(fc.integer({ min: 10, max: 300 }), fc.constant(0)),
  })
  .map(({ curfew, blackout, max }) =>
    guardrails({
      HARD_CURFEW_OFF: curfew ?? "",
      BLACKOUT_WINDOW: blackout && blackout[0] !== blackout[1] ? blackout.join("-") : "",
      MAX_ON_DURATION_MIN: max,
    }),
  );
/** Two days before the clocks change, or before an ordinary night. */
const someEvening = fc.constantFrom("2026-03-07", "2026-10-31", "2026-07-01");
const someScenes = someEvening.chain((date) => {
  const noon = at(`${date} 12:00`);
  const someSpan = fc
    .tuple(fc.integer({ min: -120, max: 1440 }), fc.integer({ min: 1, max: 900 }))
    .map(([from, minutes]) => ({ start: noon + from * MINUTE, end: noon + (from + minutes) * MINUTE }));
  const someClosure = fc.tuple(someSpan, fc.boolean()).map(([span, isOpen]) => ({
    id: "c",
    reason: "wet ground",
    start: span.start,
    end: isOpen ? Infinity : span.end,
  }));
  const someEnd = fc.option(fc.integer({ min: -30, max: 1440 }).map((minutes) => noon + minutes * MINUTE));
  const somePast = fc.option(fc.integer({ min: 0, max: 300 }).map((minutes) => noon - minutes * MINUTE));
  const somePlan = fc
    .tuple(clock, fc.integer({ min: 5, max: 1440 }), fc.constantFrom(null, "FREQ=DAILY"))
    .map(([start, minutes, rrule]) => {
      const plan = aSchedule(`${date} ${start}`, `${date} ${start}`, rrule);
      return { ...plan, end_at: new Date(Date.parse(plan.start_at) + minutes * MINUTE).toISOString() };
    });
  return fc.record({
    noon: fc.constant(noon),
    rules: fc
      .record({
        guardrails: someRules,
        organization_max_on_min: fc.integer({ min: 1, max: 300 }),
        permits: fc.array(someSpan, { maxLength: 3 }),
        closures: fc.array(someClosure, { maxLength: 2 }),
      })
      .map((rules): Limits => rules),
    plans: fc
      .array(somePlan, { maxLength: 3 })
      .map((plans): Plans => Object.fromEntries(plans.map((p, i) => [`p${i}`, p]))),
    instants: fc
      .record({
        off_at: somePast,
        cut_at: somePast,
        cut_min: fc.option(fc.integer({ min: 1, max: 600 })),
        on_at: somePast,
        hold_action: fc.constantFrom("on" as const, "off" as const),
        hold_until: someEnd,
        emergency_until: someEnd,
        lit_since: somePast,
        lit_by: fc.constantFrom<"us" | "external">("us", "external"),
      })
      .map((instants): Instants => (instants.hold_until === null ? { ...instants, hold_action: null } : instants)),
  });
});

test("nothing changes before `until`, minute by minute with the instants carried on", () => {
  fc.assert(
    fc.property(someScenes, ({ noon, rules, plans, instants }) => {
      const lookAt = (now: number, carried: Instants) =>
        resolve({
          now,
          claims: claimsAt(plans, now),
          next_start: nextOf(plans, now),
          instants: carried,
          limits: rules,
        });
      const keyOf = (resolved: ReturnType<typeof resolve>) => reasonKey(resolved.state, resolved.reason);
      const at = (now: number) => new Date(now).toISOString();
      let promised = lookAt(noon, instants);
      let carried = promised.instants;
      const broken: string[] = []; // to ask `expect` of each minute takes longer than the minute
      for (let now = noon + MINUTE; now < noon + 36 * 60 * MINUTE; now += MINUTE) {
        const seen = lookAt(now, carried);
        const kept = promised.until === null || now < promised.until;
        if (kept && keyOf(seen) !== keyOf(promised)) broken.push(`${at(now)}: ${keyOf(seen)}, not ${keyOf(promised)}`);
        if (!kept) promised = seen;
        if (seen.until !== null && seen.until <= now) broken.push(`${at(now)}: until ${at(seen.until)}`);
        carried = seen.instants;
      }
      expect(broken).toEqual([]);
    }),
    { numRuns: runsHere(60) },
  );
});

test("resolving twice at once changes neither the answer nor the instants", () => {
  fc.assert(
    fc.property(someScenes, ({ noon, rules, plans, instants }) => {
      const rest = { now: noon, claims: claimsAt(plans, noon), next_start: nextOf(plans, noon), limits: rules };
      const first = resolve({ ...rest, instants });
      const second = resolve({ ...rest, instants: first.instants });
      expect(reasonKey(second.state, second.reason)).toBe(reasonKey(first.state, first.reason));
      expect(second.instants).toEqual(first.instants);
    }),
    { numRuns: runsHere(500) },
  );
});
