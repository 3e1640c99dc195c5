import { expect, test } from "vitest";
import { explain } from "#durable/reconcile/explain";
import { inWorldOfLateRows as inWorld } from "#tests/support/engine";
import { aPermit, onlyBlackout } from "#tests/support/limits";
import { switches } from "#tests/support/switches";
import { aField, aSchedule, causes, events, holdOf, messages, notes, setting } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const RAIN = { reason: "rain" };
const POLICE = { reason: "police", emergency: true };

test("an OFF until 8:30 PM is dark until then, what still runs is lit again, and lists show it meanwhile", async () => {
  await aField("ho-a");
  await aSchedule("ho-a", "ho-a1", at("18:00:00"), at("22:00:00"));
  await inWorld("ho-a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    const until = at("20:30:00.000");
    expect(await world.toggle("ho-a-lamp", "off", { until, ...RAIN })).toMatchObject({
      success: true,
      state: "off",
      detail: "Off until 8:30 PM: rain",
    });
    expect(await holdOf("ho-a-lamp")).toEqual({
      action: "off",
      until,
      reason: "rain",
      by: "someone@parks.example",
      emergency: false,
    });
    await world.to(at("20:29:59"));
    expect(world.lamp("ho-a-lamp")).toBe("off");
    await world.to(at("20:30:10"));
    expect(world.lamp("ho-a-lamp")).toBe("on");
    expect(await holdOf("ho-a-lamp")).toBeNull();
    await world.to(at("23:00:00"));
    expect(world.lamp("ho-a-lamp")).toBe("off");
    expect((await notes("ho-a")).filter((note) => note.includes("Pressed"))).toEqual([
      "Pressed by someone@parks.example · until 8:30 PM: rain",
    ]);
  });
});

test("an ON until names the light's real end: its own, a blackout's, or the longest time on", async () => {
  await aField("ho-b", ["ho-b1", "ho-b2"]);
  await setting("ho-b", "HARD_CURFEW_OFF", "").run();
  await setting("ho-b", "BLACKOUT_WINDOW", "00:00-01:00").run();
  await setting("ho-b", "MAX_ON_DURATION_MIN", 400).run();
  await inWorld("ho-b", at("22:00:00"), async (world) => {
    await world.sync();
    const say = async (until: string) => (await world.toggle("ho-b1", "on", { until, ...RAIN })).detail;
    expect(await say(at("23:00:00"))).toBe("On until 11:00 PM: rain");
    expect(await say("2026-06-11T03:00:00Z")).toBe("On until 12:00 AM: blackout");
    await world.to("2026-06-11T00:00:10Z");
    expect(world.lamp("ho-b1")).toBe("off");
    expect(await holdOf("ho-b1")).toBeNull();
    await world.to("2026-06-11T01:30:00Z");
    expect(world.lamp("ho-b1")).toBe("off");
    expect(await say("2026-06-11T10:00:00Z")).toBe("On until 8:10 AM: 400 minutes reached");
    const plain = await world.toggle("ho-b2", "on", {});
    expect(plain).toMatchObject({ success: true, detail: null });
  });
});

test("an ON until names the end that a booking to come gives it, and what an emergency does not end", async () => {
  await aField("ho-long", ["ho-long1", "ho-long2"]);
  await setting("ho-long", "MAX_ON_DURATION_MIN", 240).run();
  await aSchedule("ho-long", "ho-longa", at("20:00:00"), at("23:30:00"), { device: "ho-long1" });
  await inWorld("ho-long", at("17:00:00"), async (world) => {
    await world.sync();
    const say = async (id: string, until: string, why: { reason: string; emergency?: boolean } = RAIN) =>
      (await world.toggle(id, "on", { until, ...why })).detail;
    // The booking begins the longest time on anew.
    expect(await say("ho-long1", at("22:00:00"))).toBe("On until 11:30 PM: Practice");
    await say("ho-long2", at("18:00:00"), POLICE);
    expect(await say("ho-long2", at("19:00:00"))).toBe("On until 7:00 PM: rain");
    await world.to(at("18:59:00"));
    expect([world.lamp("ho-long1"), world.lamp("ho-long2")]).toEqual(["on", "on"]);
    await world.to(at("23:29:00"));
    expect([world.lamp("ho-long1"), world.lamp("ho-long2")]).toEqual(["on", "off"]);
  });
});

test("an emergency that an ON outlasts is answered with that ON's end, and not as if the emergency lasted so long", async () => {
  await aField("ho-out", ["ho-out1", "ho-out2"]);
  await setting("ho-out", "MAX_ON_DURATION_MIN", 240).run();
  await inWorld("ho-out", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle("ho-out1", "on");
    await world.toggle("ho-out2", "on", { until: at("20:00:00"), ...RAIN });
    const answer = async (id: string) => (await world.toggle(id, "on", { until: at("18:00:00"), ...POLICE })).detail;
    expect(await answer("ho-out1")).toBe("On until 9:00 PM: switched on by a person");
    expect(await answer("ho-out2")).toBe("On until 8:00 PM: switched on by a person");
  });
});

test("an ON until is refused by a blackout and changes nothing; an emergency is not", async () => {
  await aField("ho-c");
  await setting("ho-c", "BLACKOUT_WINDOW", "00:00-05:00").run();
  await inWorld("ho-c", "2026-06-11T00:10:00Z", async (world) => {
    await world.sync();
    const until = "2026-06-11T01:00:00.000Z";
    expect(await world.toggle("ho-c-lamp", "on", { until })).toMatchObject({
      success: false,
      detail: "Lights may not go on during the blackout, until 5:00 AM",
    });
    expect(await holdOf("ho-c-lamp")).toBeNull();
    const police = { until, reason: "police", emergency: true };
    expect(await world.toggle("ho-c-lamp", "on", police)).toMatchObject({
      success: true,
      detail: "On until 1:00 AM: police",
    });
    expect(await holdOf("ho-c-lamp")).toMatchObject({ emergency: true, reason: "police" });
    await world.to("2026-06-11T00:30:00Z");
    // A toggle during an emergency succeeds and changes nothing.
    expect(await world.toggle("ho-c-lamp", "on")).toMatchObject({ success: true });
    await world.to("2026-06-11T00:40:00Z");
    expect(await world.toggle("ho-c-lamp", "off")).toMatchObject({ success: true, state: "off" });
    await world.to("2026-06-11T00:59:00Z");
    expect(world.lamp("ho-c-lamp")).toBe("off");
    expect(await holdOf("ho-c-lamp")).toBeNull();
    expect(await messages("ho-c")).toEqual([]);
  });
});

test.each([
  ["hub", "an ON until", "", RAIN],
  ["hub", "an emergency", "00:00-23:00", POLICE],
  ["lamp", "an ON until", "", RAIN],
  ["lamp", "an emergency", "00:00-23:00", POLICE],
] as const)("while its %s is away %s is kept up until its end, and not after it", async (away, wish, blackout, why) => {
  const org = `ho-kept-${away}-${wish.slice(3, 5)}`;
  const lamps = [`${org}-1`, `${org}-2`] as const;
  await aField(org, [...lamps]);
  // A hub's return makes good what is still wanted; a lamp's is found by the watchdog.
  await setting(org, "HUB_CHECK_INTERVAL_SEC", 180).run();
  await setting(org, "WATCHDOG_ENABLED", away === "lamp").run();
  await setting(org, "BLACKOUT_WINDOW", blackout).run();
  await inWorld(org, at("18:00:00"), async (world) => {
    await world.sync();
    const gone = away === "hub" ? [`hub:${org}-hub`] : lamps.map((id) => `lamp:${id}`);
    for (const one of gone) world.fault(one, { kind: "offline" });
    const ends = [at("20:00:00.000"), at("18:30:00.000")] as const;
    for (const [nth, id] of lamps.entries()) {
      expect(await world.toggle(id, "on", { until: ends[nth], ...why })).toMatchObject({ success: false });
    }
    await world.to(at("18:40:00"));
    expect((await events(org)).filter((line) => line.endsWith("manual on fail 3"))).toHaveLength(2);
    expect(await holdOf(lamps[0])).toMatchObject({ action: "on", until: ends[0] });
    expect(await holdOf(lamps[1])).toBeNull();
    for (const one of gone) world.fault(one);
    await world.to(at("19:59:59"));
    expect(lamps.map((id) => world.lamp(id))).toEqual(["on", "off"]);
    await world.to(at("20:00:10"));
    expect(lamps.map((id) => world.lamp(id))).toEqual(["off", "off"]);
  });
});

test("back to the schedule: what a person pressed is forgotten, and the light follows its window", async () => {
  await aField("ho-d");
  await aSchedule("ho-d", "ho-d1", at("18:00:00"), at("22:00:00"));
  await inWorld("ho-d", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await world.toggle("ho-d-lamp", "off");
    await world.to(at("19:20:00"));
    expect(await world.toggle("ho-d-lamp", "auto")).toEqual({
      success: true,
      action: "auto",
      state: "on",
      provider: "mock",
      detail: null,
    });
    expect(world.lamp("ho-d-lamp")).toBe("on");
    await world.to(at("19:30:00"));
    // Nothing is to be sent, so nobody waits.
    const began = world.now;
    expect(await world.toggle("ho-d-lamp", "auto")).toMatchObject({ success: true, state: "on", provider: null });
    expect(world.now).toBe(began);
    await world.to(at("23:00:00"));
    expect(world.lamp("ho-d-lamp")).toBe("off");
  });
});

test("an emergency's hold is shown while it lasts, and the hold beneath it after that", async () => {
  await aField("ho-e");
  await aSchedule("ho-e", "ho-e1", at("18:00:00"), at("23:00:00"));
  await setting("ho-e", "MAX_ON_DURATION_MIN", 480).run();
  await inWorld("ho-e", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await world.toggle("ho-e-lamp", "off", { until: at("22:00:00"), ...RAIN });
    await world.to(at("20:00:00"));
    await world.toggle("ho-e-lamp", "on", { until: at("20:30:00"), reason: "police", emergency: true });
    expect(await holdOf("ho-e-lamp")).toMatchObject({ emergency: true });
    await world.to(at("20:29:00"));
    expect(world.lamp("ho-e-lamp")).toBe("on");
    await world.to(at("20:31:00"));
    expect(world.lamp("ho-e-lamp")).toBe("off");
    expect(await holdOf("ho-e-lamp")).toMatchObject({ emergency: false, action: "off", reason: "rain" });
    await world.to(at("22:01:00"));
    expect(world.lamp("ho-e-lamp")).toBe("on");
  });
});

test("an emergency in place of another, or an OFF that ends one, leaves what it kept going as it was", async () => {
  for (const [org, toggle, dark] of [
    ["ho-n", { action: "on", until: at("20:30:00") }, "20:30"],
    ["ho-o", { action: "off", until: at("20:10:00") }, "20:00"],
  ] as const) {
    await aField(org);
    await aSchedule(org, `${org}1`, at("18:00:00"), at("23:30:00"));
    await onlyBlackout(org, "20:05-21:00");
    await setting(org, "MAX_ON_DURATION_MIN", 60).run();
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("18:30:00"));
      await world.toggle(`${org}-lamp`, "on", { until: at("22:00:00"), ...POLICE });
      await world.to(at("20:00:00"));
      const made = switches(world);
      const { action, until } = toggle;
      await world.toggle(`${org}-lamp`, action, { until, reason: "police", emergency: action === "on" });
      await world.to(at("23:00:00"));
      // Nobody cut it under the emergency: after the blackout its window goes on, for the longest time.
      expect(made.filter((line) => line !== "20:00 on")).toEqual([`${dark} off`, "21:00 on", "22:00 off"]);
      expect((await notes(org)).filter((note) => note.includes("minutes reached"))).toEqual([expect.any(String)]);
    });
  }
});

test("an ON after a window is not ended by it, though the plan changes later", async () => {
  await aField("ho-s");
  await aSchedule("ho-s", "ho-s1", at("18:00:00"), at("19:00:00"));
  await inWorld("ho-s", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:00:00"));
    await world.toggle("ho-s-lamp", "on");
    await world.to(at("20:10:00"));
    await aSchedule("ho-s", "ho-s2", "2026-06-11T18:00:00Z", "2026-06-11T19:00:00Z");
    await world.sync();
    await world.to(at("21:00:00"));
    expect(world.lamp("ho-s-lamp")).toBe("on");
  });
});

test("what an emergency kept going was not cut under it, though the plan changes when another took its place", async () => {
  await aField("ho-p");
  await aSchedule("ho-p", "ho-p1", at("18:00:00"), at("23:30:00"));
  await onlyBlackout("ho-p", "20:05-21:00");
  await setting("ho-p", "MAX_ON_DURATION_MIN", 60).run();
  await inWorld("ho-p", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("ho-p-lamp", "on", { until: at("22:00:00"), ...POLICE });
    await world.to(at("20:00:00"));
    await world.toggle("ho-p-lamp", "on", { until: at("20:30:00"), ...POLICE });
    await world.to(at("20:10:00"));
    await aSchedule("ho-p", "ho-p2", "2026-06-11T18:00:00Z", "2026-06-11T19:00:00Z");
    const made = switches(world);
    await world.sync();
    await world.to(at("23:00:00"));
    expect(made).toEqual(["20:30 off", "21:00 on", "22:00 off"]);
    expect((await notes("ho-p")).filter((note) => note.includes("minutes reached"))).toEqual([expect.any(String)]);
  });
});

test("what an emergency kept going was not cut under it, though the plan changes after its end", async () => {
  await aField("ho-q");
  await aSchedule("ho-q", "ho-q1", at("18:00:00"), at("23:30:00"));
  await onlyBlackout("ho-q", "02:00-03:00");
  await setting("ho-q", "MAX_ON_DURATION_MIN", 60).run();
  await inWorld("ho-q", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("ho-q-lamp", "on", { until: at("20:30:00"), ...POLICE });
    await aPermit("ho-q", "ho-qp", at("20:15:00"), at("22:00:00"), { at: at("18:30:00") });
    await world.sync();
    await world.to(at("20:40:00"));
    await aSchedule("ho-q", "ho-q2", "2026-06-11T18:00:00Z", "2026-06-11T19:00:00Z");
    const made = switches(world);
    await world.sync();
    await world.to(at("23:00:00"));
    expect(made).toEqual(["22:00 off"]);
  });
});

test("a window under an OFF until has one record, which says so and notifies nobody", async () => {
  await aField("ho-f");
  await aSchedule("ho-f", "ho-f1", at("18:00:00"), at("20:00:00"));
  await inWorld("ho-f", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle("ho-f-lamp", "off", { until: at("20:30:00"), ...RAIN });
    await world.to(at("21:00:00"));
    expect((await notes("ho-f")).filter((note) => note.startsWith("Practice"))).toEqual([
      "Practice · off until 8:30 PM: rain (someone)",
    ]);
    expect((await causes("ho-f")).at(-1)).toBe("cut");
    expect(await messages("ho-f")).toEqual([]);
  });
});

test("a window in which an ON until lights the lamp is ok, though an OFF had ended its claim", async () => {
  await aField("ho-g");
  await aSchedule("ho-g", "ho-g1", at("18:00:00"), at("20:00:00"));
  await inWorld("ho-g", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:59:00"));
    world.fault("hub:ho-g-hub", { kind: "offline" });
    await world.to(at("18:00:05"));
    await world.toggle("ho-g-lamp", "off");
    world.fault("hub:ho-g-hub");
    await world.to(at("18:30:00"));
    expect(await world.toggle("ho-g-lamp", "on", { until: at("19:00:00") })).toMatchObject({ success: true });
    await world.to(at("20:30:00"));
    expect((await notes("ho-g")).filter((note) => note.startsWith("Practice"))).toEqual([]);
  });
});

test("a toggle of many is one transaction, and those that no answer has come for are pending", async () => {
  const lamps = ["ho-h1", "ho-h2", "ho-h3"];
  await aField("ho-h", lamps);
  await inWorld("ho-h", at("17:00:00"), async (world) => {
    await world.sync();
    const began = world.now;
    expect(await world.toggleMany(lamps, "on", { until: at("18:00:00"), ...RAIN })).toEqual(
      lamps.map((device_id) => ({ device_id, success: true, pending: false, detail: "On until 6:00 PM: rain" })),
    );
    expect(world.now - began).toBeLessThan(9_000);
    for (const lamp of lamps) expect(world.lamp(lamp)).toBe("on");
    expect(await world.toggleMany(["nobody", "ho-h1"], "off")).toEqual([
      {
        device_id: "nobody",
        success: false,
        pending: false,
        detail: "The device is not known to the scheduler yet. Try again.",
      },
      { device_id: "ho-h1", success: true, pending: false, detail: null },
    ]);
    await world.to(at("18:01:00"));
    for (const lamp of lamps) expect(world.lamp(lamp)).toBe("off");
    expect((await events("ho-h")).filter((line) => line.includes("fail"))).toEqual([]);
  });
});

test("a light that was lit until an end after its OFF is not said to be off by that", async () => {
  await aField("ho-say");
  await inWorld("ho-say", at("17:00:00"), async (world) => {
    await world.sync();
    const sentence = () => explain(world.context, ["ho-say-lamp"])[0]?.sentence;
    await world.toggle("ho-say-lamp", "on");
    await world.to(at("17:30:00"));
    await world.toggle("ho-say-lamp", "off");
    await world.to(at("17:31:00"));
    expect(sentence()).toMatch(/^Off by /);
    await world.toggle("ho-say-lamp", "on", { until: at("18:00:00") });
    await world.to(at("18:01:00"));
    expect(sentence()).toBe("Off: nothing is scheduled");
  });
});

test.each([
  ["an ON with an end", "ho-cut", {}],
  ["an emergency", "ho-cute", POLICE],
] as const)(
  "a light that the longest time on cut, and %s lit after that, is not said to be off by the cut",
  async (_what, org, wish) => {
    await aField(org);
    await setting(org, "MAX_ON_DURATION_MIN", "60").run();
    await aSchedule(org, `${org}1`, at("17:00:00"), at("19:00:00"));
    await inWorld(org, at("16:30:00"), async (world) => {
      await world.sync();
      const sentence = () => explain(world.context, [`${org}-lamp`])[0]?.sentence;
      await world.to(at("18:01:00"));
      expect(sentence()).toBe("Off: 60 minutes reached at 6:00 PM; nothing is scheduled after Practice");
      await world.to(at("19:30:00"));
      expect(sentence()).toBe("Off: 60 minutes reached at 6:00 PM; nothing is scheduled");
      await world.toggle(`${org}-lamp`, "on", { until: at("20:00:00"), ...wish });
      await world.to(at("20:01:00"));
      expect(sentence()).toBe("Off: nothing is scheduled");
    });
  },
);

test("a light whose ON with an end the longest time on cut is said to be off by that, also where that was missed", async () => {
  await aField("ho-gap");
  await setting("ho-gap", "MAX_ON_DURATION_MIN", "60").run();
  await inWorld("ho-gap", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle("ho-gap-lamp", "on", { until: at("20:00:00") });
    await world.to(at("17:30:00"));
    world.die(3_600_000);
    await world.to(at("18:31:00"));
    expect(explain(world.context, ["ho-gap-lamp"])[0]?.sentence).toMatch(/^Off: 60 minutes reached at 6:00 PM/);
  });
});
