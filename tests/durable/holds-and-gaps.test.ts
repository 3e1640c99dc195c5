import { expect, test } from "vitest";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, holdOf, notes } from "#tests/support/light";
import { aClosure, onlyBlackout } from "#tests/support/limits";
import { switches } from "#tests/support/switches";

/** A person's ON and OFF with an end, and an emergency, where nothing runs for a while. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const POLICE = { reason: "police", emergency: true };

/** Nothing runs from a minute after now to `back`; answers what is switched from then on. */
async function nothingRuns(world: World, back: string): Promise<string[]> {
  await world.to(world.now + 60_000);
  world.die();
  const made = switches(world);
  await world.restart(back);
  return made;
}

test("an OFF until goes on after a kill: dark until its end, then what still runs is lit again", async () => {
  await aField("hg-off");
  await aSchedule("hg-off", "hg-off1", at("18:00:00"), at("22:00:00"));
  await inWorld("hg-off", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await world.toggle("hg-off-lamp", "off", { until: at("20:30:00") });
    const made = await nothingRuns(world, at("20:00:00"));
    await world.to(at("23:00:00"));
    expect(made).toEqual(["20:30 on", "22:00 off"]);
  });
});

test("an OFF until that ends while nothing runs is over: what still runs is lit at once, and lists show no hold", async () => {
  await aField("hg-late");
  await aSchedule("hg-late", "hg-late1", at("18:00:00"), at("22:00:00"));
  await inWorld("hg-late", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await world.toggle("hg-late-lamp", "off", { until: at("20:30:00") });
    const made = await nothingRuns(world, at("21:00:00"));
    await world.to(at("21:01:00"));
    expect(await holdOf("hg-late-lamp")).toBeNull();
    await world.to(at("23:00:00"));
    expect(made).toEqual(["21:00 on", "22:00 off"]);
  });
});

test("a window that an OFF until held dark, and that ended while nothing ran, was not missed", async () => {
  await aField("hg-rec");
  await aSchedule("hg-rec", "hg-rec1", at("18:00:00"), at("20:00:00"));
  await inWorld("hg-rec", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle("hg-rec-lamp", "off", { until: at("20:30:00"), reason: "rain" });
    await world.to(at("18:30:00"));
    await nothingRuns(world, at("21:00:00"));
    await world.to(at("21:05:00"));
    expect((await notes("hg-rec")).filter((note) => note.startsWith("Practice"))).toEqual([
      "Practice · off until 8:30 PM: rain (someone)",
    ]);
  });
});

test("an ON until goes on after a kill and ends at its instant, or at once where that has passed", async () => {
  for (const [org, back, end] of [
    ["hg-on", at("20:00:00"), "20:30 off"],
    ["hg-past", at("21:00:00"), "21:00 off"],
  ] as const) {
    await aField(org);
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("19:00:00"));
      await world.toggle(`${org}-lamp`, "on", { until: at("20:30:00") });
      const made = await nothingRuns(world, back);
      await world.to(at("22:00:00"));
      expect(made).toEqual([end]);
      expect(await holdOf(`${org}-lamp`)).toBeNull();
    });
  }
});

test("an ON until that a closure would have ended while nothing ran stays ended", async () => {
  await aField("hg-shut");
  await onlyBlackout("hg-shut");
  await aClosure("hg-shut", "hg-shut-c", at("19:30:00"), at("20:00:00"));
  await inWorld("hg-shut", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await world.toggle("hg-shut-lamp", "on", { until: at("22:00:00") });
    const made = await nothingRuns(world, at("20:10:00"));
    await world.to(at("23:00:00"));
    expect(made).toEqual(["20:10 off"]);
    expect(await holdOf("hg-shut-lamp")).toBeNull();
  });
});

test("an emergency lights a dark field after a kill, too, and ends at its instant or at once where that has passed", async () => {
  for (const [org, back, end] of [
    ["hg-help", at("19:30:00"), "20:00 off"],
    ["hg-helped", at("21:00:00"), "21:00 off"],
  ] as const) {
    await aField(org);
    await onlyBlackout(org, "18:00-23:00");
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("19:00:00"));
      await world.toggle(`${org}-lamp`, "on", { until: at("20:00:00"), ...POLICE });
      const made = await nothingRuns(world, back);
      await world.to(at("23:30:00"));
      expect(made).toEqual([end]);
      expect(await holdOf(`${org}-lamp`)).toBeNull();
    });
  }
});

test("after an emergency that ended while nothing ran, the OFF until beneath it still holds", async () => {
  await aField("hg-under");
  await aSchedule("hg-under", "hg-under1", at("18:00:00"), at("22:30:00"));
  await inWorld("hg-under", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("hg-under-lamp", "off", { until: at("22:00:00"), reason: "rain" });
    await world.to(at("19:00:00"));
    await world.toggle("hg-under-lamp", "on", { until: at("20:00:00"), ...POLICE });
    const made = await nothingRuns(world, at("21:00:00"));
    await world.to(at("21:30:00"));
    expect(await holdOf("hg-under-lamp")).toMatchObject({ action: "off", reason: "rain", emergency: false });
    await world.to(at("23:00:00"));
    expect(made).toEqual(["21:00 off", "22:00 on", "22:30 off"]);
  });
});

test("an ON without an end that a blackout would have ended under an emergency does not come back after a gap", async () => {
  await aField("hg-plain");
  await onlyBlackout("hg-plain", "19:30-20:00");
  await inWorld("hg-plain", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("hg-plain-lamp", "on");
    await world.to(at("19:00:00"));
    await world.toggle("hg-plain-lamp", "on", { until: at("20:30:00"), ...POLICE });
    const made = await nothingRuns(world, at("20:10:00"));
    await world.to(at("22:30:00"));
    expect(made).toEqual(["20:30 off"]);
  });
});

test("an ON without an end that a window took over under an emergency ends with the window, also in a gap", async () => {
  await aField("hg-took");
  await onlyBlackout("hg-took");
  await aSchedule("hg-took", "hg-took1", at("19:30:00"), at("20:00:00"));
  await inWorld("hg-took", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("hg-took-lamp", "on");
    await world.to(at("19:00:00"));
    await world.toggle("hg-took-lamp", "on", { until: at("20:30:00"), ...POLICE });
    const made = await nothingRuns(world, at("20:10:00"));
    await world.to(at("22:30:00"));
    expect(made).toEqual(["20:30 off"]);
  });
});
