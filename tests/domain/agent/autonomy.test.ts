import { expect, test } from "vitest";
import { newAutonomy, step, type AgentEvent, type Autonomy } from "#domain/agent/autonomy";
import { UNSEEN, type LampOnSite } from "#domain/agent/lamp-on-site";
import { pursue } from "#domain/agent/pursuit";
import { aLamp, aPlan, Park } from "./a-park";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const min = (n: number) => n * MINUTE_MS;

/** One lamp, lit from minute 10 to minute 60, and a plan for two days. */
function aNight(over: Parameters<typeof aLamp>[1] = {}, expires = 48 * HOUR_MS): Park {
  return new Park(aPlan([aLamp("a", { on: [[min(10), min(60)]], ...over })], expires));
}
const switches = (park: Park) => park.calls.map(({ at, action, done }) => `${action} ${Math.round(at / 1000)} ${done}`);

test("while the city is heard the agent does nothing", () => {
  const park = aNight().to(min(70));
  expect(park.state.mode).toBe("linked");
  expect([park.calls, park.log]).toEqual([[], []]);
});

test("35 s without a word are a doubt, and 90 s make it alone", () => {
  const park = aNight().to(20_000).cut();
  const modes = new Map<string, number>();
  park.to(min(3), () => modes.set(park.state.mode, modes.get(park.state.mode) ?? park.now));
  expect(Object.fromEntries(modes)).toEqual({ linked: 21_000, doubt: 55_000, alone: 110_000 });
  expect(park.to(min(4)).mend().to(min(5)).state.mode).toBe("linked");
});

test("alone it lights and puts out as planned, each once, and tells it", () => {
  const park = aNight().to(min(5)).cut().to(min(30));
  expect([...park.lit]).toEqual(["a"]);
  park.to(min(62));
  expect([...park.lit]).toEqual([]);
  expect(park.calls.map(({ action }) => action)).toEqual(["on", "off"]);
  const told = park.log.filter(({ kind }) => kind === "edge");
  expect(told).toMatchObject([
    { action: "on", ok: true, state: "on", attempts: 1, rev: 1 },
    { action: "off", ok: true, state: "off", attempts: 1 },
  ]);
});

test("what changed between the last word and being alone is caught up once", () => {
  const park = aNight()
    .to(min(10) - 5_000)
    .cut();
  park.to(min(11));
  expect([...park.lit]).toEqual([]);
  park.to(min(12));
  expect([...park.lit]).toEqual(["a"]);
  expect(park.calls).toHaveLength(1);
});

test("a lamp that is lit already gets no ON", () => {
  const park = aNight().to(min(5)).cut().hand("a", "on").to(min(30));
  expect(park.calls).toEqual([]);
  expect(park.log.at(-1)).toMatchObject({ kind: "edge", action: "on", ok: true, attempts: 0 });
  park.to(min(62));
  expect([...park.lit]).toEqual([]);
});

test("hands are left alone between the edges", () => {
  const park = aNight().to(min(5)).cut().to(min(20)).hand("a", "off").to(min(40));
  expect([...park.lit]).toEqual([]);
  park.to(min(70)).hand("a", "on").to(min(180));
  expect([...park.lit]).toEqual(["a"]);
  // The OFF at the window's end, of a lamp that a hand had put out already.
  expect(park.calls.map(({ action }) => action)).toEqual(["on", "off"]);
});

/** The hub is away when its lamp is to be lit, and comes back after the line was cut. */
function cutBeforeItsHubIsBack(over: Parameters<typeof aLamp>[1] = {}): Park {
  const park = aNight(over).to(min(9));
  park.areHubsUp = false;
  park.to(min(20)).cut().to(min(25));
  park.areHubsUp = true;
  return park.to(min(30));
}

test("what the city could not light before its line was cut is lit alone, once", () => {
  const park = cutBeforeItsHubIsBack();
  expect([...park.lit]).toEqual(["a"]);
  expect(park.log.filter(({ kind }) => kind === "edge")).toMatchObject([{ action: "on", ok: true, state: "on" }]);
  park.hand("a", "off").to(min(50));
  expect([...park.lit]).toEqual([]);
  expect(park.calls.filter(({ done }) => done)).toHaveLength(1);
});

test("of a hub that is silent the city could light none of the lamps that are to be lit and are not seen lit", () => {
  const on: [number, number][] = [[0, HOUR_MS]];
  const lamps = [
    aLamp("a", { on }),
    aLamp("b", { on }),
    aLamp("lit", { on }),
    aLamp("later", { on: [[HOUR_MS, 2 * HOUR_MS]] }),
    aLamp("elsewhere", { on, hub: "h2" }),
  ];
  const now = { at: min(5), mono: min(5), isTrusted: true };
  const events: AgentEvent[] = [
    { type: "plan", plan: aPlan(lamps, 48 * HOUR_MS) },
    { type: "heard" },
    { type: "read", device: "lit", state: "on" },
    { type: "silent", device: "a" },
    { type: "silent", device: "gone" },
  ];
  const state = events.reduce((before, event) => step(before, event, now).state, newAutonomy(now));
  expect(Object.keys(state.lamps).filter((device) => state.lamps[device]?.isOwed)).toEqual(["a", "b"]);
});

test("a lamp that the city reaches by the cloud, too, is left to it", () => {
  expect(cutBeforeItsHubIsBack({ has_off_timer: false }).calls).toEqual([]);
});

test("what the city has lit and a hand puts out in the cut stays dark", () => {
  const park = aNight().to(min(20)).cut().to(min(25)).hand("a", "off").to(min(50));
  expect([park.calls, [...park.lit]]).toEqual([[], []]);
});

test("an ON is tried three times and given up, and told so once", () => {
  const park = aNight().to(min(5)).cut();
  park.hand("a", "off");
  // A lamp that takes what it is sent and stays dark.
  park.to(min(60), () => park.lit.delete("a"));
  expect(switches(park).map((text) => text.split(" ")[0])).toEqual(["on", "on", "on"]);
  expect(park.log.filter(({ kind }) => kind === "edge")).toMatchObject([{ action: "on", ok: false, attempts: 3 }]);
});

test("an OFF is kept up every minute until the lamp is dark", () => {
  const park = aNight().to(min(30)).cut().to(min(59));
  park.areHubsUp = false;
  park.to(min(75));
  const tries = park.calls.length;
  expect(tries).toBeGreaterThan(14);
  expect(park.log.filter(({ ok }) => !ok)).toMatchObject([{ action: "off", kind: "edge" }]);
  park.areHubsUp = true;
  park.to(min(77));
  expect([...park.lit]).toEqual([]);
  expect(park.log.at(-1)).toMatchObject({ action: "off", ok: true });
  park.to(min(120));
  expect(park.calls.filter(({ done }) => done)).toHaveLength(1);
});

test("a hub that comes back within the window finds its lamp lit", () => {
  const park = aNight().to(min(5)).cut();
  park.areHubsUp = false;
  park.to(min(40));
  park.areHubsUp = true;
  park.to(min(42));
  expect([...park.lit]).toEqual(["a"]);
});

test("an expired plan lights nothing and puts out what it lit", () => {
  const park = aNight(
    {
      on: [
        [min(10), min(30)],
        [min(40), min(60)],
        [min(80), min(90)],
      ],
    },
    min(50),
  )
    .to(min(5))
    .cut();
  park.to(min(45));
  expect([...park.lit]).toEqual(["a"]);
  park.to(min(52));
  expect([...park.lit]).toEqual([]);
  park.to(min(100));
  expect(park.calls.filter(({ action }) => action === "on")).toHaveLength(2);
});

test("a dark time beats the plan, and puts out what is seen lit when it begins", () => {
  const park = aNight({
    on: [[min(10), min(60)]],
    dark: [
      [min(30), min(45)],
      [min(100), min(120)],
    ],
  })
    .to(min(5))
    .cut();
  park.to(min(32));
  expect([...park.lit]).toEqual([]);
  park.to(min(70)).hand("a", "on").to(min(98));
  expect([...park.lit]).toEqual(["a"]);
  park.to(min(102));
  expect([...park.lit]).toEqual([]);
});

test("what a hand lit goes off after the longest time on", () => {
  const park = aNight({ on: [], max_on_ms: min(30) })
    .to(min(5))
    .cut()
    .to(min(10))
    .hand("a", "on")
    .to(min(39));
  expect([...park.lit]).toEqual(["a"]);
  park.to(min(50));
  expect([...park.lit]).toEqual([]);
  expect(park.log.at(-1)).toMatchObject({ note: "On for the longest time", ok: true });
});

test("a start with a clock that nobody has set lights nothing, and puts out what is due", () => {
  const park = aNight({
    on: [
      [min(10), min(60)],
      [min(90), min(120)],
    ],
  })
    .to(min(5))
    .cut()
    .to(min(20))
    .crash()
    .to(min(22));
  park.boot({ wrong_ms: -6 * HOUR_MS, isSynced: false }).to(min(110));
  expect([...park.lit]).toEqual([]);
  expect(park.calls.map(({ action }) => action)).toEqual(["on", "off"]);
});

test("a start with network time catches up", () => {
  const park = aNight()
    .to(min(5))
    .cut()
    .to(min(8))
    .crash()
    .to(min(15))
    .boot({ wrong_ms: 0, isSynced: true })
    .to(min(18));
  expect([...park.lit]).toEqual(["a"]);
  park.crash().to(min(65)).boot({ wrong_ms: 0, isSynced: true }).to(min(68));
  expect([...park.lit]).toEqual([]);
});

test("the city that is back decides alone, whatever was under way", () => {
  const park = aNight().to(min(5)).cut().to(min(9));
  park.areHubsUp = false;
  park.to(min(12)).mend();
  park.areHubsUp = true;
  const tries = park.calls.length;
  park.to(min(30));
  expect([...park.lit]).toEqual(["a"]);
  expect(park.calls).toHaveLength(tries);
});

const timers = (park: Park) => park.calls.map(({ action, off_after_min }) => `${action} ${off_after_min}`);

test("a booking that follows another without a break sets the lamp's own timer anew, as the city would", () => {
  const on: [number, number][] = [
    [min(10), min(60)],
    [min(60), min(110)],
  ];
  const park = aNight({ on, max_on_ms: min(60) })
    .to(min(5))
    .cut()
    .to(min(120));
  // The first booking's timer would have put it out at minute 75.
  expect(timers(park)).toEqual(["on 65", "on 55", "off null"]);
});

test("a lamp that the cloud reaches, too, gets no timer: the cloud may go on with what it would cut off", () => {
  const park = aNight({ has_off_timer: false }).to(min(5)).cut().to(min(30));
  expect(timers(park)).toEqual(["on null"]);
});

test("what it switched and could not verify before the city was back is told, since the lamp's timer runs", () => {
  const park = aNight().to(min(5)).cut();
  park.to(min(12), () => {
    if (park.calls.length > 0) park.areHubsUp = false;
  });
  expect(park.log.filter(({ kind }) => kind === "edge")).toEqual([]);
  park.mend();
  const told = { kind: "edge", action: "on", ok: false, attempts: 1, rev: 1 };
  expect(park.log.filter(({ kind }) => kind === "edge")).toMatchObject([told]);
  park.cut().to(min(20)).mend();
  expect(park.log.filter(({ kind }) => kind === "edge")).toHaveLength(1);
});

test.each([
  ["the city is back", (park: Park) => park.mend()],
  [
    "the program started again and the city was back",
    (park: Park) => park.crash().boot({ wrong_ms: 0, isSynced: true }).mend(),
  ],
])("a switch that was under way when %s is told, since the lamp may be lit", (_, ends) => {
  const park = aNight().to(min(5)).cut().to(min(10));
  park.to(park.now + 10_000, () => {
    if (park.state.mode === "alone" && park.state.lamps.a?.asked?.what === "on") ends(park);
  });
  expect(park.log.filter(({ kind }) => kind === "edge")).toMatchObject([
    { device: "a", action: "on", state: "unknown", ok: false, attempts: 1 },
  ]);
});

/** Alone with one lamp, by a monotonic clock that has run for long; `tell` answers what it asks of the hub. */
function alone(lamp: Partial<LampOnSite>) {
  const plan = aPlan([aLamp("a", { on: [] })], 48 * HOUR_MS);
  let state: Autonomy = {
    ...newAutonomy({ at: 0, mono: 0, isTrusted: true }),
    mode: "alone",
    plan,
    lamps: { a: { ...UNSEEN, ...lamp } },
  };
  const tell = (event: AgentEvent, mono: number, at = min(5)) => {
    const stepped = step(state, event, { at, mono, isTrusted: true });
    state = stepped.state;
    return stepped.acts.flatMap((act) => (act.do === "log" ? [] : act.do === "read" ? ["read"] : [act.action]));
  };
  return { tell, lamp: () => state.lamps["a"], mode: () => state.mode };
}

test("after a start, by a clock that begins anew, an OFF that is kept up is sent and a lamp is read at once", () => {
  const off = alone({ state: "on", isOurs: true, pursuit: { ...pursue("off", "By the plan", HOUR_MS), attempts: 3 } });
  off.tell({ type: "boot" }, 0);
  expect(off.tell({ type: "tick" }, 91_000)).toEqual(["off"]);
  const idle = alone({ state: "off", read_at: HOUR_MS });
  idle.tell({ type: "boot" }, 0);
  expect(idle.tell({ type: "tick" }, 91_000)).toEqual(["read"]);
});

test("an idle lamp is read every five minutes, and not more often", () => {
  const { tell } = alone({ state: "off" });
  const reads: number[] = [];
  for (let mono = 1_000; mono <= min(11); mono += 1_000)
    for (const _ of tell({ type: "tick" }, mono)) {
      reads.push(mono);
      tell({ type: "read", device: "a", state: "off" }, mono);
    }
  expect(reads).toEqual([1_000, 301_000, 601_000]);
});

test("alone, what the agent still hears of the city is no welcome", () => {
  const { tell, mode } = alone({});
  tell({ type: "heard" }, 1_000);
  expect(mode()).toBe("alone");
  tell({ type: "linked" }, 2_000);
  expect(mode()).toBe("linked");
});

test("what the city began just before the line was cut, and did not finish, is done", () => {
  const park = aNight().to(min(10) - 5_000);
  park.areHubsUp = false;
  park.to(min(10) + 15_000).cut();
  park.areHubsUp = true;
  expect([...park.to(min(13)).lit]).toEqual(["a"]);
});

test("a lamp is ours where we lit it or a plan says that the city did", () => {
  const isOurs = (before: boolean, lit_by_us: boolean) => {
    const { tell, lamp } = alone({ isOurs: before });
    tell({ type: "plan", plan: aPlan([aLamp("a", { lit_by_us })], 48 * HOUR_MS, 2) }, 1_000);
    return lamp()?.isOurs;
  };
  expect([isOurs(true, false), isOurs(false, true), isOurs(false, false)]).toEqual([true, true, false]);
});
