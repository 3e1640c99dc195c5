import { expect, test } from "vitest";
import type { Reason } from "#domain/resolve/reason";
import type { Resolved } from "#domain/resolve/rungs";
import { aSchedule, at, guardrails, Light } from "./a-light";

/**
 * Every two rungs of the ladder at the instant that they share. To the left the first rules from 19:00 to 20:00 and the
 * second from 20:00 to 21:00. To the right both begin at 19:00, the first until 20:00 and the second until 21:00; of two
 * toggles the second comes last. Why the light is on or dark is told for 19:00, 20:00 and 21:00.
 *
 * `manual_on` and `external` (a hand at the lamp) have no end. `max_on`: a booking has lit the lamp for the longest time,
 * four hours, and is over at 23:00.
 */
const EDGES = `
  emergency  blackout     emergency  blackout    idle         emergency  blackout    idle
  emergency  closure      emergency  closure     idle         emergency  closure     idle
  emergency  hold_off     emergency  hold_off    idle         hold_off   hold_off    idle
  emergency  max_on       emergency  max_on      idle         emergency  max_on      idle
  emergency  claim        emergency  claim       pending_off  emergency  claim       pending_off
  emergency  hold_on      emergency  hold_on     pending_off  emergency  hold_on     pending_off
  emergency  manual_on    emergency  manual_on   manual_on    emergency  manual_on   manual_on
  emergency  external     emergency  pending_off idle         emergency  pending_off idle

  blackout   emergency    blackout   emergency   pending_off  emergency  emergency   pending_off
  blackout   closure      blackout   closure     idle         closure    closure     idle
  blackout   hold_off     blackout   hold_off    idle         blackout   hold_off    idle
  blackout   max_on       blackout   claim       claim        blackout   claim       claim
  blackout   claim        blackout   claim       pending_off  blackout   claim       pending_off
  blackout   hold_on      blackout   hold_on     pending_off  blackout   idle        idle
  blackout   manual_on    blackout   manual_on   manual_on    blackout   idle        idle
  blackout   external     blackout   external    external     blackout   idle        idle

  closure    emergency    closure    emergency   pending_off  emergency  emergency   pending_off
  closure    blackout     closure    blackout    idle         blackout   blackout    idle
  closure    hold_off     closure    hold_off    idle         closure    hold_off    idle
  closure    max_on       closure    claim       claim        closure    claim       claim
  closure    claim        closure    claim       pending_off  closure    claim       pending_off
  closure    hold_on      closure    hold_on     pending_off  closure    idle        idle
  closure    manual_on    closure    manual_on   manual_on    closure    idle        idle
  closure    external     closure    external    external     closure    idle        idle

  hold_off   emergency    hold_off   emergency   pending_off  emergency  emergency   pending_off
  hold_off   blackout     hold_off   blackout    idle         blackout   blackout    idle
  hold_off   closure      hold_off   closure     idle         closure    closure     idle
  hold_off   max_on       hold_off   claim       claim        hold_off   claim       claim
  hold_off   claim        hold_off   claim       pending_off  hold_off   claim       pending_off
  hold_off   hold_on      hold_off   hold_on     pending_off  hold_on    hold_on     pending_off
  hold_off   manual_on    hold_off   manual_on   manual_on    manual_on  manual_on   manual_on
  hold_off   external     hold_off   external    external     hold_off   idle        idle

  max_on     emergency    max_on     emergency   pending_off  emergency  emergency   max_on
  max_on     blackout     max_on     blackout    idle         blackout   blackout    claim
  max_on     closure      max_on     closure     idle         closure    closure     claim
  max_on     hold_off     max_on     hold_off    idle         hold_off   hold_off    claim
  max_on     claim        max_on     claim       pending_off  claim      claim       max_on
  max_on     hold_on      max_on     hold_on     pending_off  claim      claim       claim
  max_on     manual_on    max_on     claim       claim        claim      claim       claim
  max_on     external     max_on     external    external     max_on     idle        idle

  claim      emergency    claim      emergency   pending_off  emergency  emergency   pending_off
  claim      blackout     claim      blackout    idle         blackout   blackout    idle
  claim      closure      claim      closure     idle         closure    closure     idle
  claim      hold_off     claim      hold_off    idle         hold_off   hold_off    idle
  claim      max_on       claim      max_on      idle         claim      max_on      idle
  claim      hold_on      claim      hold_on     pending_off  claim      hold_on     pending_off
  claim      manual_on    claim      manual_on   manual_on    claim      pending_off idle
  claim      external     claim      pending_off idle         claim      pending_off idle

  hold_on    emergency    hold_on    emergency   pending_off  emergency  emergency   pending_off
  hold_on    blackout     hold_on    blackout    idle         blackout   blackout    idle
  hold_on    closure      hold_on    closure     idle         closure    closure     idle
  hold_on    hold_off     hold_on    hold_off    idle         hold_off   hold_off    idle
  hold_on    max_on       claim      claim       claim        claim      claim       claim
  hold_on    claim        hold_on    claim       pending_off  claim      claim       pending_off
  hold_on    manual_on    hold_on    manual_on   manual_on    manual_on  manual_on   manual_on
  hold_on    external     hold_on    pending_off idle         hold_on    pending_off idle

  manual_on  emergency    manual_on  emergency   manual_on    emergency  emergency   manual_on
  manual_on  blackout     manual_on  blackout    idle         blackout   blackout    idle
  manual_on  closure      manual_on  closure     idle         closure    closure     idle
  manual_on  hold_off     manual_on  hold_off    idle         hold_off   hold_off    idle
  manual_on  max_on       claim      claim       claim        claim      claim       claim
  manual_on  claim        manual_on  claim       pending_off  claim      claim       pending_off
  manual_on  hold_on      manual_on  hold_on     pending_off  hold_on    hold_on     pending_off
  manual_on  external     manual_on  manual_on   manual_on    manual_on  manual_on   manual_on

  external   emergency    external   emergency   pending_off  emergency  emergency   pending_off
  external   blackout     external   blackout    idle         blackout   blackout    idle
  external   closure      external   closure     idle         closure    closure     idle
  external   hold_off     external   hold_off    idle         hold_off   hold_off    idle
  external   max_on       claim      max_on      idle         max_on     idle        idle
  external   claim        external   claim       pending_off  claim      claim       pending_off
  external   hold_on      external   hold_on     pending_off  hold_on    hold_on     pending_off
  external   manual_on    external   manual_on   manual_on    manual_on  manual_on   manual_on
`;
const ROWS = EDGES.split("\n").flatMap((line) => {
  const [first, second, ...told] = line.split(/\s+/).filter(Boolean);
  return first && second ? [{ first, second, inTurn: told.slice(0, 3), atOnce: told.slice(3) }] : [];
});

const clock = (hour: number) => `2026-07-01 ${hour}:00`;
const booking = (start: number, end: number) => aSchedule(clock(start), clock(end));

/** Plans a rung from one full hour to another, or answers how to toggle it at the first. */
function plan(light: Told, rung: string, from: number, to: number): ((light: Light) => unknown) | null {
  const span = { start: at(clock(from)), end: at(clock(to)) };
  switch (rung) {
    case "blackout":
      light.rules = guardrails({ BLACKOUT_WINDOW: `${from}:00-${to}:00` });
      return null;
    case "closure":
      light.closures = [{ ...span, id: "c", reason: "wet ground" }];
      return null;
    case "max_on":
      light.plans = { ...light.plans, long: booking(from - 4, 23) };
      return null;
    case "claim":
      light.plans = { ...light.plans, short: booking(from, to) };
      return null;
    case "emergency":
      return () => light.emergency(span.end);
    case "hold_off":
      return () => light.holdOff(span.end);
    case "hold_on":
      return () => light.holdOn(span.end);
    case "manual_on":
      return () => light.toggleOn();
    case "external":
      return () => light.switchAtLamp("on");
    default:
      throw new Error(`no rung ${rung}`);
  }
}

/** Tells why, at each look. */
class Told extends Light {
  kinds: Reason["kind"][] = [];

  override reconcile(): Resolved {
    this.kinds.push(this.resolved().reason.kind);
    return super.reconcile();
  }

  /** What the first evaluation after the toggles of that instant says. */
  tell(time: number, toggles: ((light: Light) => unknown)[]): string | undefined {
    this.goTo(time - 1);
    this.now = time;
    for (const toggle of toggles) {
      this.kinds = [];
      toggle(this);
    }
    if (toggles.length === 0) this.kinds = [];
    return this.goTo(time).kinds[0];
  }
}

function told(rungs: { rung: string; from: number; to: number }[]): (string | undefined)[] {
  const light = new Told({});
  const toggles = rungs.map(({ rung, from, to }) => ({ from, toggle: plan(light, rung, from, to) }));
  return [19, 20, 21].map((hour) =>
    light.tell(
      at(clock(hour)),
      toggles.flatMap(({ from, toggle }) => (toggle && from === hour ? [toggle] : [])),
    ),
  );
}

test.each(ROWS)("$first and then $second", ({ first, second, inTurn }) => {
  const rungs = [
    { rung: first, from: 19, to: 20 },
    { rung: second, from: 20, to: 21 },
  ];
  expect(told(rungs)).toEqual(inTurn);
});

test.each(ROWS)("$first and $second at once", ({ first, second, atOnce }) => {
  const rungs = [
    { rung: first, from: 19, to: 20 },
    { rung: second, from: 19, to: 21 },
  ];
  expect(told(rungs)).toEqual(atOnce);
});

test("every two rungs are in the table", () => {
  const names = new Set(ROWS.map(({ first }) => first));
  expect(ROWS).toHaveLength(names.size * (names.size - 1));
  expect(new Set(ROWS.map(({ first, second }) => `${first} ${second}`)).size).toBe(ROWS.length);
});
