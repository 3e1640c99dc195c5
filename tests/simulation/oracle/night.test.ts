import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import type { City } from "./city";
import { CITY, DEVICE, HOUR, NOON, WINDOW } from "./city-of-one";
import { Forgery } from "./forgery";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Tells a story of an engine that is not there, beside the oracle. */
function forged(name: string, story: (forgery: Forgery) => void, city = CITY): Promise<void> {
  return inWorld(`night-${name}`, new Date(NOON).toISOString(), async (world) => story(new Forgery(world, city)));
}

/** A switch that is read back and told. */
function done(forgery: Forgery, action: "on" | "off"): void {
  forgery.switch(action);
  forgery.wait(8 * SECOND);
  forgery.read(action);
  forgery.tell({ action, result: "ok" });
}

/** A lamp that has just gone out is wanted on again. */
function wantWhileHot(forgery: Forgery): void {
  forgery.toggle("on");
  done(forgery, "on");
  forgery.toggle("off");
  done(forgery, "off");
  forgery.toggle("on");
}

/** From the sunset, which is a minute later there, and at 7:20 PM at the latest. */
const DUSK = {
  ...WINDOW,
  start_at: "2026-06-10T19:20:00.000Z",
  end_at: "2026-06-10T23:00:00.000Z",
  start_sun: { event: "sunset", offset_min: 0, not_before: null, not_after: "19:20" },
  night: { date: "2026-06-10", days_long: 0 },
} as const;

const DEVICE_TARGET = { kind: "device", id: "d" } as const;

const BOOKED: City = { ...CITY, plans: new Map([["s", WINDOW]]) };

test("an ON until whose end nobody wakes for is objected to", () =>
  forged("until", (forgery) => {
    forgery.toggle("on", { until: NOON + HOUR });
    done(forgery, "on");
    forgery.wait(30 * MINUTE);
    expect(forgery.oracle.objection).toBeNull();
    expect(() => forgery.wait(HOUR)).toThrow("nobody woke for it");
  }));

test("an ON that leaves in a window under an OFF until is objected to, and after its end is asked for", () =>
  forged(
    "held",
    (forgery) => {
      forgery.toggle("off", { until: NOON + 1.5 * HOUR });
      done(forgery, "off");
      forgery.wake(NOON + 1.5 * HOUR);
      done(forgery, "on");
      expect(forgery.oracle.objection).toBeNull();
      forgery.toggle("off", { until: NOON + 1.7 * HOUR });
      done(forgery, "off");
      expect(() => forgery.switch("on")).toThrow("an ON left, and wanted is none");
    },
    BOOKED,
  ));

test("an emergency's ON may leave where it is closed, and an OFF after its end is asked for", () =>
  forged(
    "emergency",
    (forgery) => {
      forgery.toggle("on", { until: NOON + HOUR, isEmergency: true });
      done(forgery, "on");
      expect(forgery.oracle.objection).toBeNull();
      forgery.wake(NOON + HOUR);
      expect(() => forgery.wait(5 * SECOND)).toThrow("OFF is owed");
    },
    { ...CITY, closures: new Map([["c", { target: DEVICE_TARGET, from: 0, to: Infinity, changed_at: 0 }]]) },
  ));

const CLOSED = { c: { target: DEVICE_TARGET, from: 0, to: Infinity, changed_at: 0 } };

test("an ON that is accepted where it is dark is objected to", () =>
  forged(
    "accepted",
    (forgery) => {
      const asked = forgery.toggle("on");
      expect(() => forgery.answer(asked, true)).toThrow("an ON was accepted in a restricted time");
    },
    { ...CITY, closures: new Map(Object.entries(CLOSED)) },
  ));

test("an ON is accepted where the dark time is over by the engine's clock, which stands still once it was put back", () =>
  forged(
    "stands-still",
    (forgery) => {
      const { oracle, world } = forgery;
      oracle.setClock(2 * MINUTE);
      world.context.now();
      oracle.setClock(0);
      forgery.answer(forgery.toggle("on"), true);
      expect(oracle.objection).toBeNull();
    },
    { ...CITY, rules: { ...CITY.rules, BLACKOUT_WINDOW: "11:00-12:01" } },
  ));

test("an ON in an emergency is accepted, also where an OFF has ended the emergency before it is answered", () =>
  forged(
    "ended",
    (forgery) => {
      forgery.toggle("on", { until: NOON + HOUR, isEmergency: true });
      done(forgery, "on");
      const asked = forgery.toggle("on");
      forgery.toggle("off");
      forgery.answer(asked, true);
      expect(forgery.oracle.objection).toBeNull();
    },
    { ...CITY, closures: new Map(Object.entries(CLOSED)) },
  ));

test("a light that goes on in a night that is skipped is objected to", () =>
  forged(
    "skipped",
    (forgery) => {
      forgery.wake(NOON + HOUR);
      expect(() => forgery.switch("on")).toThrow("an ON left, and wanted is none");
    },
    { ...CITY, plans: new Map([["s", { ...WINDOW, skips: ["2026-06-10"] }]]) },
  ));

test("an ON for a lamp that has to cool is objected to", () =>
  forged(
    "cooling",
    (forgery) => {
      wantWhileHot(forgery);
      expect(() => forgery.switch("on")).toThrow("for a lamp that has to cool");
    },
    { ...CITY, devices: new Map([["d", { ...DEVICE, restrike_min: 15 }]]) },
  ));

test("an ON whose verification finds its lamp gone out is tried again when the lamp has cooled", () =>
  forged(
    "gone-out",
    (forgery) => {
      forgery.toggle("on");
      done(forgery, "on");
      forgery.lamps.lit.delete("lamp");
      forgery.toggle("on");
      forgery.switch("on", { isLost: true });
      forgery.wait(8 * SECOND);
      forgery.read("off");
      forgery.tell({ result: "retry" });
      forgery.wait(14 * MINUTE);
      expect(() => forgery.wait(5 * MINUTE)).toThrow("is dark, and wanted is on");
    },
    { ...CITY, devices: new Map([["d", { ...DEVICE, restrike_min: 15 }]]) },
  ));

test("an ON waits for its lamp to cool though something else has lit it meanwhile, and no longer", () =>
  forged(
    "lit-meanwhile",
    (forgery) => {
      forgery.toggle("on");
      done(forgery, "on");
      forgery.wait(HOUR - MINUTE - 8 * SECOND);
      forgery.toggle("off", { until: NOON + HOUR });
      done(forgery, "off");
      forgery.wake(NOON + HOUR);
      forgery.wait(SECOND);
      forgery.lamps.lit.add("lamp");
      forgery.read("on");
      forgery.wait(13 * MINUTE);
      expect(() => forgery.wait(2 * MINUTE)).toThrow("ON is owed since 13:14:08.000 and did not leave");
    },
    {
      ...CITY,
      devices: new Map([["d", { ...DEVICE, restrike_min: 15 }]]),
      plans: new Map([["s", WINDOW]]),
    },
  ));

test("a light whose turn comes after its lamp has cooled may be dark until then, also where nothing happened meanwhile", () =>
  forged(
    "turn-of-a-cooled-lamp",
    (forgery) => {
      wantWhileHot(forgery);
      forgery.wait(10 * MINUTE);
      forgery.wait(8 * MINUTE);
      expect(() => forgery.wait(5 * MINUTE)).toThrow("ON is owed");
    },
    {
      ...CITY,
      areas: new Map([
        ["a", { type: "park", isActive: true, changed_at: 0, written_at: 0, stagger_sec: 10, positions: null }],
      ]),
      devices: new Map([["d", { ...DEVICE, restrike_min: 15 }]]),
    },
  ));

test("two ONs of an area that leave closer together than it says are objected to", () =>
  forged(
    "turns",
    (forgery) => {
      forgery.toggle("on");
      forgery.switch("on");
      forgery.toggle("on", { device: "e" });
      expect(() => forgery.switch("on", { lamp: "other" })).toThrow("after the last one of its area");
    },
    {
      ...CITY,
      areas: new Map([
        ["a", { type: "park", isActive: true, changed_at: 0, written_at: 0, stagger_sec: 10, positions: null }],
      ]),
      devices: new Map([
        ["d", DEVICE],
        ["e", { ...DEVICE, lamp: "other" }],
      ]),
    },
  ));

test("a light that is dark in a night by the sun that the oracle's own sun says has begun is objected to", () =>
  forged(
    "sun",
    (forgery) => {
      forgery.wake(Date.parse("2026-06-10T19:21:00.000Z"));
      forgery.wait(500);
      expect(forgery.oracle.objection).toBeNull();
      expect(() => forgery.wait(5 * SECOND)).toThrow("ON is owed");
    },
    { ...CITY, positions: [{ lat: 37.8, lon: 0, since: 0 }], plans: new Map([["s", DUSK]]) },
  ));
