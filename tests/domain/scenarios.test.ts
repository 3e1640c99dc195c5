import fc from "fast-check";
import { expect, test } from "vitest";
import { nextStart, occurrences } from "#domain/schedule/recurrence";
import { aSchedule, at, guardrails, Light, type Plans } from "./a-light";

const booking = (start: string, end: string) => aSchedule(`2026-07-01 ${start}`, `2026-07-01 ${end}`);
const defaults = guardrails({ HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00" });

test("a daily 02:30-03:30 runs once over spring forward, from 03:30 for its hour", () => {
  const light = new Light({ a: aSchedule("2026-03-01 02:30", "2026-03-01 03:30", "FREQ=DAILY") }, guardrails());
  light.now = at("2026-03-08 00:00");
  expect(light.goTo("2026-03-08 23:00").log).toEqual(["on 03:30", "off 04:30"]);
});

test("a daily 01:30-02:30 goes on once over fall back, at the first 01:30", () => {
  const light = new Light({ a: aSchedule("2026-10-01 01:30", "2026-10-01 02:30", "FREQ=DAILY") }, guardrails());
  light.now = at("2026-11-01 00:00");
  light.goTo(Date.parse("2026-11-01T01:30:00-07:00"));
  expect(light.log).toEqual(["on 01:30"]);
  expect(light.goTo("2026-11-01 23:00").log).toEqual(["on 01:30", "off 02:30"]);
});

test("an 18:00 made in winter switches at 18:00 in summer", () => {
  const light = new Light({ a: aSchedule("2026-01-05 18:00", "2026-01-05 20:00", "FREQ=DAILY") });
  expect(light.goTo("2026-07-01 23:00").log).toEqual(["on 18:00", "off 20:00"]);
});

test("UNTIL in UTC is not shifted by the zone", () => {
  const light = new Light({
    a: aSchedule("2026-07-01 18:00", "2026-07-01 20:00", "FREQ=DAILY;UNTIL=20260702T010000Z"),
  });
  expect(light.goTo("2026-07-04 00:00").log).toEqual(["on 18:00", "off 20:00"]);
});

test("preview, next event and run agree across both changes", () => {
  for (const [start, end] of [
    ["2026-03-05 02:15", "2026-03-05 02:45"],
    ["2026-10-29 01:15", "2026-10-29 01:45"],
  ] as const) {
    const schedule = aSchedule(start, end, "FREQ=DAILY");
    const light = new Light({ a: schedule }, guardrails(), at(start) - 1);
    for (const preview of occurrences(schedule, light.now, light.now + 6 * 86_400_000)) {
      expect(nextStart(schedule, light.now)).toBe(preview.start);
      expect(light.goTo(preview.start).isLit).toBe(true);
      expect(light.goTo(preview.end - 1).isLit).toBe(true);
      expect(light.goTo(preview.end).isLit).toBe(false);
    }
  }
});

test("max on is real minutes and the curfew local time, on a 23-hour and on a 25-hour day", () => {
  const spring = new Light({ a: aSchedule("2026-03-07 23:00", "2026-03-08 08:00") }, guardrails());
  spring.now = at("2026-03-07 22:00");
  expect(spring.goTo("2026-03-08 12:00").log).toEqual(["on 23:00", "off 04:00"]);
  const autumn = new Light({ a: aSchedule("2026-10-31 23:00", "2026-11-01 08:00") }, guardrails());
  autumn.now = at("2026-10-31 22:00");
  expect(autumn.goTo("2026-11-01 12:00").log).toEqual(["on 23:00", "off 02:00"]);
  for (const date of ["2026-03-08", "2026-11-01"]) {
    const light = new Light({ a: aSchedule(`${date} 22:00`, `${date} 23:59`) }, defaults, at(`${date} 12:00`));
    expect(light.goTo(`${date} 23:58`).log).toEqual(["on 22:00", "off 23:45"]);
  }
});

test("a window 18:00-22:00 is lit at once when the server is back at 18:20", () => {
  const light = new Light({ a: booking("18:00", "22:00") }).goTo("2026-07-01 17:55").sleepTo("2026-07-01 18:20");
  expect(light.log).toEqual(["on 18:20"]);
});

test("a staff OFF at 19:00 survives a restart, and tomorrow is another day", () => {
  const light = new Light({ a: aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=DAILY") });
  light.goTo("2026-07-01 19:00").toggleOff().sleepTo("2026-07-01 19:05").goTo("2026-07-02 19:00");
  expect(light.log).toEqual(["on 18:00", "off 19:00", "on 18:00"]);
});

test("17:00-01:00 makes no blip at midnight", () => {
  const light = new Light(
    { a: aSchedule("2026-06-01 17:00", "2026-06-02 01:00", "FREQ=DAILY") },
    guardrails({ MAX_ON_DURATION_MIN: 600 }),
  );
  expect(light.goTo("2026-07-02 12:00").log).toEqual(["on 17:00", "off 01:00"]);
});

test("overlapping and touching bookings make no dip, and cancelling one leaves the other", () => {
  const a = booking("18:00", "20:00");
  const b = booking("19:00", "21:00");
  expect(new Light({ a, b }).goTo("2026-07-01 23:00").log).toEqual(["on 18:00", "off 21:00"]);
  const cancelled = new Light({ a, b }).goTo("2026-07-01 19:30").change({ a }).goTo("2026-07-01 23:00");
  expect(cancelled.log).toEqual(["on 18:00", "off 20:00"]);
  const touching = new Light({ a, c: booking("20:00", "22:00") }).goTo("2026-07-01 23:00");
  expect(touching.log).toEqual(["on 18:00", "off 22:00"]);
});

test("a light follows its schedule when that is edited or cancelled", () => {
  const light = new Light({ a: booking("18:00", "22:00") }).goTo("2026-07-01 19:00");
  light.change({ a: booking("20:00", "22:00") }).goTo("2026-07-01 20:30");
  expect(light.log).toEqual(["on 18:00", "off 19:00", "on 20:00"]);
  expect(light.change({}).log.at(-1)).toBe("off 20:30");
});

test("the curfew beats claims and toggles, and a standing claim resumes after the blackout", () => {
  const light = new Light({ a: aSchedule("2026-07-01 22:00", "2026-07-02 06:00") }, defaults);
  light.goTo("2026-07-01 23:50");
  expect(light.log).toEqual(["on 22:00", "off 23:45"]);
  const before = light.instants;
  expect(light.toggleOn()).toBe(false);
  expect(light.instants).toEqual(before);
  expect(light.goTo("2026-07-02 07:00").log).toEqual(["on 22:00", "off 23:45", "on 05:00", "off 06:00"]);
});

test("a guardrail set at 21:00 applies tonight", () => {
  const light = new Light({ a: booking("18:00", "22:00") }).goTo("2026-07-01 21:00");
  light.rules = guardrails({ HARD_CURFEW_OFF: "21:30" });
  expect(light.goTo("2026-07-01 23:00").log).toEqual(["on 18:00", "off 21:30"]);
});

test("a manual ON never stays without end", () => {
  const light = new Light({}).goTo("2026-07-01 17:00");
  expect(light.toggleOn()).toBe(true);
  expect(light.goTo("2026-07-05 00:00").log).toEqual(["on 17:00", "off 21:00"]);
});

test("one claim 17-23 is cut at 21:00 and stays cut", () => {
  const light = new Light({ a: booking("17:00", "23:00") });
  expect(light.goTo("2026-07-01 21:01").log).toEqual(["on 17:00", "off 21:00"]);
  expect(light.goTo("2026-07-01 23:30").log).toEqual(["on 17:00", "off 21:00"]);
});

test("bookings 16-20 and 20-22 are lit to 22:00 without a dip", () => {
  const light = new Light({ a: booking("16:00", "20:00"), b: booking("20:00", "22:00") });
  expect(light.goTo("2026-07-01 23:30").log).toEqual(["on 16:00", "off 22:00"]);
});

test("switched on by hand at 17:00, a booking 18-22 is lit to 22:00", () => {
  const pressed = new Light({ a: booking("18:00", "22:00") }).goTo("2026-07-01 17:00");
  pressed.toggleOn();
  expect(pressed.goTo("2026-07-01 23:30").log).toEqual(["on 17:00", "off 22:00"]);
  const atLamp = new Light({ a: booking("18:00", "22:00") }).goTo("2026-07-01 17:00").switchAtLamp("on");
  expect(atLamp.goTo("2026-07-01 23:30").log).toEqual(["off 22:00"]);
});

test("club 1 is switched off at 18:30, club 2 has light at 20:00", () => {
  const light = new Light({ a: booking("18:00", "20:00"), b: booking("20:00", "22:00") });
  light.goTo("2026-07-01 18:30").toggleOff();
  expect(light.goTo("2026-07-01 23:00").log).toEqual(["on 18:00", "off 18:30", "on 20:00", "off 22:00"]);
});

test("a manual OFF in a daily 06:00-06:00 ends at the next 06:00", () => {
  const always = aSchedule("2026-06-01 06:00", "2026-06-02 06:00", "FREQ=DAILY");
  const light = new Light({ always }, guardrails({ MAX_ON_DURATION_MIN: 1440 }));
  light.goTo("2026-07-01 19:00").toggleOff();
  expect(light.goTo("2026-07-02 12:00").log).toEqual(["on 12:00", "off 19:00", "on 06:00"]);
});

test("after an OFF at 19:00 an edit of the window's end keeps it off", () => {
  const light = new Light({ a: booking("18:00", "22:00") }).goTo("2026-07-01 19:00").toggleOff();
  expect(light.change({ a: booking("18:00", "23:00") }).goTo("2026-07-01 23:30").log).toEqual([
    "on 18:00",
    "off 19:00",
  ]);
});

test("a manual ON at 23:00 is off at the blackout 00-01 and not on again after it", () => {
  const light = new Light({}, guardrails({ BLACKOUT_WINDOW: "00:00-01:00" })).goTo("2026-07-01 23:00");
  light.toggleOn();
  expect(light.goTo("2026-07-02 06:00").log).toEqual(["on 23:00", "off 00:00"]);
});

test("an ON pressed inside a booking ends with it when it is cancelled", () => {
  const light = new Light({ a: booking("18:00", "22:00") }).goTo("2026-07-01 19:00");
  light.toggleOn();
  expect(light.goTo("2026-07-01 19:30").change({}).log).toEqual(["on 18:00", "off 19:30"]);
});

test("at the curfew an unlit lamp is not even resolved", () => {
  const light = new Light({}, defaults);
  light.goTo("2026-07-05 12:00");
  expect(light.resolves).toBe(2);
});

test("an OFF that did nothing stays pending until a reading says off", () => {
  const light = new Light({ a: booking("18:00", "20:00") }).goTo("2026-07-01 19:59");
  const { instants } = light;
  light.goTo("2026-07-01 20:00");
  light.instants = instants; // answered with success, never read as off
  light.switchAtLamp("on").goTo("2026-07-01 20:01");
  expect(light.log).toEqual(["on 18:00", "off 20:00", "off 20:00"]);
});

test("a light lit at the pole at 17:50 goes off with its claim 18-20", () => {
  const light = new Light({ a: booking("18:00", "20:00") }).goTo("2026-07-01 17:50").switchAtLamp("on");
  expect(light.resolved().reason.kind).toBe("external");
  expect(light.goTo("2026-07-01 23:00").log).toEqual(["off 20:00"]);
});

test("without a claim, an ON pressed at 17:00 is off at 21:00 and stays off", () => {
  const light = new Light({}, defaults).goTo("2026-07-01 17:00");
  light.toggleOn();
  expect(light.goTo("2026-07-02 12:00").log).toEqual(["on 17:00", "off 21:00"]);
});

test("a blackout set at 21:30 puts out an ON pressed at 21:00, for good", () => {
  const light = new Light({}).goTo("2026-07-01 21:00");
  light.toggleOn();
  light.goTo("2026-07-01 21:30").rules = guardrails({ BLACKOUT_WINDOW: "20:30-22:00" });
  light.reconcile();
  expect(light.goTo("2026-07-02 12:00").log).toEqual(["on 21:00", "off 21:30"]);
});

test("duplicate alarms, restarts and edits of other records change nothing", () => {
  const plans = { a: booking("17:00", "23:00"), b: booking("20:00", "22:30"), c: booking("22:30", "23:59") };
  const quiet = new Light(plans, defaults).goTo("2026-07-02 12:00");
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1439 })), (minutes) => {
      const busy = new Light(plans, defaults);
      for (const minute of minutes.toSorted((a, b) => a - b)) busy.goTo(at("2026-07-01 12:00") + minute * 60_000);
      expect(busy.goTo("2026-07-02 12:00").log).toEqual(quiet.log);
    }),
  );
});

test("a booking made at 19:30 for 18:30 on is lit although the light was switched off at 19:00", () => {
  const light = new Light({}).goTo("2026-07-01 19:00").toggleOff().goTo("2026-07-01 19:30");
  const made_at = new Date(at("2026-07-01 19:30")).toISOString();
  light.change({ late: { ...booking("18:30", "21:00"), created_at: made_at } });
  expect(light.goTo("2026-07-01 23:00").log).toEqual(["on 19:30", "off 21:00"]);
});

test("a booking made at 19:30 for 16:00 on has four hours from when it was made", () => {
  const made_at = new Date(at("2026-07-01 19:30")).toISOString();
  const light = new Light({ early: booking("17:00", "20:00") }).goTo("2026-07-01 19:30");
  light.change({ ...light.plans, late: { ...booking("16:00", "23:45"), created_at: made_at } });
  expect(light.goTo("2026-07-02 01:00").log).toEqual(["on 17:00", "off 23:30"]);
});

test("an edit of a running booking does not relight a light after an OFF at 19:00", () => {
  const light = new Light({ a: booking("18:00", "22:00") }).goTo("2026-07-01 19:00").toggleOff();
  light.goTo("2026-07-01 19:30").change({ a: booking("18:30", "23:00") });
  expect(light.goTo("2026-07-01 23:30").log).toEqual(["on 18:00", "off 19:00"]);
});

const none = guardrails();
const most = (MAX_ON_DURATION_MIN: number, rules = {}) => guardrails({ MAX_ON_DURATION_MIN, ...rules });
const evening = (clock: string) => `2026-07-01 ${clock}`;
const night = (clock: string) => `2026-07-02 ${clock}`;
const span = (start: string, end: string) => ({ start: at(evening(start)), end: at(evening(end)) });
const closed = (start: string, end: string, id = "c") => ({ ...span(start, end), id, reason: "wet ground" });
const light = (plans: Plans, rules = none) => new Light(plans, rules);

test("an OFF until 20:30 is dark until then, and what still runs is lit again", () => {
  const a = light({ a: booking("18:00", "22:00") })
    .goTo(evening("19:00"))
    .holdOff(evening("20:30"));
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 19:00", "on 20:30", "off 22:00"]);
});

test("an OFF before an OFF until keeps its say after it", () => {
  const a = light({ a: booking("18:00", "22:00") })
    .goTo(evening("18:30"))
    .toggleOff();
  a.goTo(evening("19:00")).holdOff(evening("20:00"));
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 18:30"]);
});

test("a booking that begins under an OFF until is lit at its end", () => {
  const a = light({ a: booking("18:00", "20:00"), b: booking("20:00", "22:00") }).goTo(evening("18:30"));
  a.holdOff(evening("20:30"));
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 18:30", "on 20:30", "off 22:00"]);
});

test("a blackout within an OFF until does not end it", () => {
  const a = light({ a: booking("18:00", "22:00") }, most(240, { BLACKOUT_WINDOW: "20:00-20:30" })).goTo(
    evening("19:00"),
  );
  expect(a.holdOff(evening("21:00")).goTo(evening("23:00")).log).toEqual([
    "on 18:00",
    "off 19:00",
    "on 21:00",
    "off 22:00",
  ]);
});

test("an OFF until that the lamp obeys late is no cut by the longest time on", () => {
  const a = light({ a: booking("17:00", "23:00") }).goTo(evening("20:00"));
  a.isDeaf = true;
  a.holdOff(evening("21:30")).goTo(evening("21:10"));
  a.isDeaf = false;
  a.switchAtLamp("off");
  expect(a.goTo(evening("23:30")).log.slice(-2)).toEqual(["on 21:30", "off 23:00"]);
});

test("an ON until 20:30 and a booking within it make no dip", () => {
  const a = light({ a: booking("18:00", "19:00") }).goTo(evening("17:00"));
  expect(a.holdOn(evening("20:30"))).toBe(true);
  expect(a.goTo(evening("23:00")).log).toEqual(["on 17:00", "off 20:30"]);
});

test("a blackout ends an ON until for good, also where nothing ran while it began", () => {
  const rules = most(400, { BLACKOUT_WINDOW: "00:00-01:00" });
  const a = light({}, rules).goTo(evening("22:00"));
  a.holdOn(night("03:00"));
  expect(a.goTo(night("04:00")).log).toEqual(["on 22:00", "off 00:00"]);
  const b = light({}, rules).goTo(evening("22:00"));
  b.holdOn(night("03:00"));
  b.goTo(evening("23:50")).gapTo(night("01:10"));
  expect(b.goTo(night("04:00")).log).toEqual(["on 22:00", "off 01:10"]);
});

test("an ON until that outlasts the longest time on ends with it, without a blink", () => {
  const a = light({}).goTo(evening("17:00"));
  a.holdOn(evening("23:00"));
  expect(a.goTo(night("04:00")).log).toEqual(["on 17:00", "off 21:00"]);
});

test("an ON until does not undo an OFF for the booking under it", () => {
  const a = light({ a: booking("18:00", "22:00") })
    .goTo(evening("19:00"))
    .toggleOff()
    .goTo(evening("19:30"));
  a.holdOn(evening("20:00"));
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 19:00", "on 19:30", "off 20:00"]);
});

test("back to the schedule does not undo a cut, an ON until lights it all the same", () => {
  const a = light({ a: booking("17:00", "23:00") })
    .goTo(evening("21:05"))
    .auto();
  a.goTo(evening("21:10"));
  a.holdOn(evening("22:00"));
  expect(a.goTo(evening("23:30")).log).toEqual(["on 17:00", "off 21:00", "on 21:10", "off 22:00"]);
});

test("back to the schedule undoes an OFF, and what a hand lit goes off", () => {
  const a = light({ a: booking("18:00", "22:00") })
    .goTo(evening("19:00"))
    .toggleOff()
    .goTo(evening("19:20"))
    .auto();
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 19:00", "on 19:20", "off 22:00"]);
  const b = light({}).goTo(evening("17:00")).switchAtLamp("on").goTo(evening("17:10")).auto();
  expect(b.goTo(evening("23:00")).log).toEqual(["off 17:10"]);
});

test("a closure darkens a booking and refuses an ON, and the booking is lit when it is reopened", () => {
  const a = light({ a: booking("18:00", "22:00") }).goTo(evening("19:00"));
  a.limit({ closures: [{ ...closed("19:00", "19:00"), end: Infinity }] }).goTo(evening("19:10"));
  expect(a.toggleOn()).toBe(false);
  expect(a.holdOn(evening("20:00"))).toBe(false);
  a.goTo(evening("20:00")).limit({ closures: [] });
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 19:00", "on 20:00", "off 22:00"]);
});

test("a closure ends an ON until for good", () => {
  const a = light({}).goTo(evening("18:00"));
  a.holdOn(evening("21:00"));
  a.limit({ closures: [closed("19:00", "19:30")] });
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 19:00"]);
});

test("closures that overlap are dark from the first to the last, and the one that ends last is named", () => {
  const a = light({ a: booking("18:00", "22:00") });
  a.limit({ closures: [closed("18:30", "19:30", "first"), closed("19:00", "20:00", "second")] });
  a.goTo(evening("19:10"));
  expect(a.resolved().reason).toMatchObject({ kind: "closure", id: "second" });
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 18:30", "on 20:00", "off 22:00"]);
});

test("an emergency lights what is closed, and the longest time on bites when it ends", () => {
  const a = light({})
    .limit({ closures: [closed("17:00", "23:00")] })
    .goTo(evening("20:00"))
    .emergency(evening("21:00"));
  expect(a.goTo(night("01:00")).log).toEqual(["on 20:00", "off 21:00"]);
  const b = light({ a: booking("17:00", "23:30") })
    .goTo(evening("18:00"))
    .emergency(evening("22:00"));
  expect(b.goTo(night("01:00")).log).toEqual(["on 17:00", "off 22:00"]);
});

test("an OFF until goes on after an emergency within it", () => {
  const a = light({ a: booking("18:00", "23:00") }, most(480))
    .goTo(evening("19:00"))
    .holdOff(evening("22:00"));
  a.goTo(evening("20:00")).emergency(evening("20:30"));
  expect(a.goTo(night("01:00")).log).toEqual([
    "on 18:00",
    "off 19:00",
    "on 20:00",
    "off 20:30",
    "on 22:00",
    "off 23:00",
  ]);
});

test("an OFF keeps its say after a closure: the booking under both stays dark", () => {
  const a = light({ a: booking("18:00", "22:00") })
    .goTo(evening("19:00"))
    .toggleOff();
  a.goTo(evening("19:40")).limit({ closures: [closed("19:40", "20:00")] });
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 19:00"]);
});

test("an OFF keeps its say under an emergency, and back to the schedule ends none", () => {
  const a = light({ a: booking("18:00", "22:00") })
    .goTo(evening("19:00"))
    .toggleOff();
  a.goTo(evening("20:00")).emergency(evening("20:30"));
  expect(a.goTo(evening("23:00")).log).toEqual(["on 18:00", "off 19:00", "on 20:00", "off 20:30"]);
  const b = light({}).goTo(evening("19:00")).emergency(evening("20:00"));
  b.goTo(evening("19:30")).auto();
  expect(b.goTo(evening("23:00")).log).toEqual(["on 19:00", "off 20:00"]);
});

test("an ON during an emergency in a blackout succeeds and changes nothing; an OFF ends the emergency", () => {
  const a = light({}, guardrails({ BLACKOUT_WINDOW: "00:00-05:00" }))
    .goTo(evening("23:00"))
    .emergency(night("01:00"));
  a.goTo(night("00:30"));
  const before = a.instants;
  expect(a.toggleOn()).toBe(true);
  expect(a.instants).toEqual(before);
  a.goTo(night("00:40")).toggleOff();
  expect(a.goTo(night("06:00")).log).toEqual(["on 23:00", "off 00:40"]);
});

test("a blackout under an emergency ends an ON for good", () => {
  const a = light({}, guardrails({ BLACKOUT_WINDOW: "00:00-01:00" })).goTo(evening("23:00"));
  a.toggleOn();
  a.goTo(evening("23:30")).emergency(night("01:30"));
  expect(a.goTo(night("04:00")).log).toEqual(["on 23:00", "off 01:30"]);
});

test("a permit lifts the curfew and not the cut before it; deleted, the curfew bites at once", () => {
  const curfew = { HARD_CURFEW_OFF: "22:00" };
  const permits = [span("22:00", "23:30")];
  const plans = { a: booking("17:00", "23:30") };
  const cut = light(plans, most(240, curfew)).limit({ permits });
  expect(cut.goTo(night("01:00")).log).toEqual(["on 17:00", "off 21:00"]);
  expect(light(plans, most(480, curfew)).limit({ permits }).goTo(night("01:00")).log).toEqual([
    "on 17:00",
    "off 23:30",
  ]);
  const deleted = light(plans, most(480, curfew)).limit({ permits }).goTo(evening("22:40")).limit({ permits: [] });
  expect(deleted.goTo(night("01:00")).log).toEqual(["on 17:00", "off 22:40"]);
});

test("within a permit a light that is looked at stays on, and an ON is taken until the permit ends", () => {
  const permits = [span("22:00", "23:30")];
  const rules = most(480, { HARD_CURFEW_OFF: "22:00" });
  const booked = light({ a: booking("17:00", "23:30") }, rules)
    .limit({ permits })
    .goTo(evening("22:15"));
  expect(booked.goTo(night("01:00")).log).toEqual(["on 17:00", "off 23:30"]);
  const pressed = light({}, rules).limit({ permits }).goTo(evening("22:15"));
  expect(pressed.toggleOn()).toBe(true);
  expect(pressed.goTo(night("01:00")).log).toEqual(["on 22:15", "off 23:30"]);
});

test("without a longest time on, a toggle and a lamp that a hand lit take the organization's; a night burns uncut", () => {
  const pressed = light({}, most(0)).goTo(evening("17:00"));
  pressed.toggleOn();
  expect(pressed.goTo(night("01:00")).log).toEqual(["on 17:00", "off 21:00"]);
  const byHand = light({}, most(0)).goTo(evening("17:00")).switchAtLamp("on");
  expect(byHand.goTo(night("01:00")).log).toEqual(["off 21:00"]);
  const path = light({ path: aSchedule(evening("20:36"), night("05:12")) }, most(0));
  expect(path.goTo(night("06:00")).log).toEqual(["on 20:36", "off 05:12"]);
});

test("after an OFF, a booking that is made while its window runs is lit from then", () => {
  const a = light({}).goTo(evening("19:00")).toggleOff().goTo(evening("19:30"));
  const created_at = new Date(at(evening("19:30"))).toISOString();
  a.change({ a: { ...booking("18:30", "21:00"), created_at } });
  expect(a.goTo(evening("23:00")).log).toEqual(["on 19:30", "off 21:00"]);
});

test("an OFF until 03:00 on the night of 25 hours ends three and a half real hours later", () => {
  const plans = { path: aSchedule("2026-10-31 18:00", "2026-11-01 06:00") };
  const a = new Light(plans, most(0), at("2026-10-31 12:00")).goTo("2026-11-01 00:30").holdOff("2026-11-01 03:00");
  expect(a.goTo("2026-11-01 12:00").log).toEqual(["on 18:00", "off 00:30", "on 03:00", "off 06:00"]);
  expect(at("2026-11-01 03:00") - at("2026-11-01 00:30")).toBe(3.5 * 3_600_000);
});
