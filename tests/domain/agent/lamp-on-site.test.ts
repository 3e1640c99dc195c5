import { expect, test } from "vitest";
import {
  commanded,
  leave,
  read,
  switched,
  tooLate,
  UNSEEN,
  withSent,
  type LampOnSite,
} from "#domain/agent/lamp-on-site";
import { pursue, type Pursuit } from "#domain/agent/pursuit";

const NOW = { at: 1_000_000, mono: 50_000, isTrusted: true };
const pursuing = (action: "on" | "off", over: Partial<Pursuit> = {}): Pursuit => ({
  ...pursue(action, "By the plan", 0, "send"),
  ...over,
});
/** A lamp whose switch is under way. */
const switching = (action: "on" | "off", over: Partial<LampOnSite> = {}): LampOnSite => ({
  ...UNSEEN,
  state: "off",
  asked: { what: action, since: 40_000 },
  pursuit: pursuing(action),
  ...over,
});

test("a lamp that the city has put out is the city's until it is read dark", () => {
  const out = commanded({ ...UNSEEN, isOurs: true }, "off", true);
  expect(out.isOurs).toBe(true);
  expect(read(out, "on", NOW).lamp.isOurs).toBe(true);
  expect(read(out, "off", NOW).lamp.isOurs).toBe(false);
});

test("what the city tried last to light is owed until it is seen lit, or the city has it dark", () => {
  const owed = commanded({ ...UNSEEN, state: "off" }, "on", false);
  expect(owed).toEqual({ ...UNSEEN, state: "off", isOwed: true });
  expect(commanded(UNSEEN, "on", true)).toEqual({ ...UNSEEN, isOurs: true, isOwed: true });
  for (const isSent of [true, false]) expect(commanded(owed, "off", isSent).isOwed).toBe(false);
  expect((["on", "off", "unknown"] as const).map((state) => read(owed, state, NOW).lamp.isOwed)).toEqual([
    false,
    true,
    true,
  ]);
});

test("a reading while a switch is under way says nothing of it, and what it found is told", () => {
  const before = switching("on", { state: "unknown" });
  const { lamp, told } = read(before, "off", NOW);
  expect(lamp).toMatchObject({ state: "off", asked: before.asked, pursuit: before.pursuit });
  expect(told).toMatchObject({ kind: "state", state: "off" });
});

test("a reading that was asked for is answered, with or without a state", () => {
  const asked = { what: "read" as const, since: 40_000 };
  for (const state of ["on", "unknown"] as const) expect(read({ ...UNSEEN, asked }, state, NOW).lamp.asked).toBeNull();
});

test("what was sent is not known until it is read; what was not sent leaves the lamp as it was", () => {
  expect(switched(switching("on"), true, NOW).lamp).toMatchObject({ state: "unknown", pursuit: { step: "check" } });
  expect(switched(switching("on"), false, NOW).lamp).toMatchObject({ state: "off", pursuit: { step: "look" } });
});

test("a switch that failed for the last time is told with all its tries", () => {
  const { told } = switched(switching("off", { pursuit: pursuing("off", { attempts: 2 }) }), false, NOW);
  expect(told).toMatchObject({ kind: "edge", action: "off", ok: false, attempts: 3 });
});

test.each([
  ["asks for the opposite", { pursuit: pursuing("off") }],
  ["asks for it anew", { pursuit: pursuing("on", { step: "look" }) }],
  ["asks for nothing", { pursuit: null }],
])("the answer to a switch changes nothing of what is pursued where the plan %s meanwhile", (_, over) => {
  const { lamp, told } = switched(switching("on", over), true, NOW);
  expect({ ...lamp, told }).toMatchObject({ state: "unknown", asked: null, ...over, told: null });
});

test("a lamp that burns although it was put out is no more ours than before, one that was lit is", () => {
  const checked = (action: "on" | "off") =>
    read({ ...UNSEEN, pursuit: pursuing(action, { step: "check", attempts: 1 }) }, "on", NOW).lamp.isOurs;
  expect([checked("on"), checked("off")]).toEqual([true, false]);
});

test("a switch under way counts as sent where nobody may hear what becomes of it, and nothing else does", () => {
  expect(withSent(switching("on"))).toMatchObject({ state: "unknown", pursuit: { attempts: 1 } });
  const others: LampOnSite[] = [
    switching("on", { asked: null }),
    switching("on", { asked: { what: "read", since: 40_000 } }),
    switching("on", { pursuit: pursuing("off") }),
    switching("on", { pursuit: pursuing("on", { step: "check", attempts: 1 }) }),
    switching("on", { pursuit: null }),
  ];
  for (const lamp of others) expect(withSent(lamp)).toBe(lamp);
});

test("what was sent and not verified is told when the city is back, once", () => {
  expect(leave(switching("on"))).toMatchObject({
    lamp: { asked: null, pursuit: null, state: "unknown" },
    told: { kind: "edge", action: "on", state: "unknown", ok: false, attempts: 1 },
  });
  const isTold = pursuing("off", { step: "check", attempts: 3, isTold: true });
  expect(leave({ ...UNSEEN, pursuit: isTold }).told).toBeNull();
  expect(leave({ ...UNSEEN, pursuit: pursuing("on", { step: "look" }) }).told).toBeNull();
});

test("what the agent was about to light when the city came back is owed, should the city be gone again", () => {
  expect(leave({ ...UNSEEN, pursuit: pursuing("on") }).lamp.isOwed).toBe(true);
  expect(leave({ ...UNSEEN, pursuit: pursuing("off") }).lamp.isOwed).toBe(false);
  for (const isOwed of [true, false]) expect(leave({ ...UNSEEN, isOwed }).lamp.isOwed).toBe(isOwed);
});

test("an ON whose time is over is told, unless its failure was", () => {
  const late = (isTold: boolean) => tooLate({ ...UNSEEN, pursuit: pursuing("on", { attempts: 3, isTold }) });
  expect(late(false)).toMatchObject({ lamp: { pursuit: null }, told: { action: "on", ok: false, attempts: 3 } });
  expect(late(true)).toMatchObject({ lamp: { pursuit: null }, told: null });
});
