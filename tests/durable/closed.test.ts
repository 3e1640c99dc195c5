import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, causes, messages, notes, sql } from "#tests/support/light";
import { aClosure } from "#tests/support/limits";

const at = (clock: string) => `2026-06-10T${clock}.000Z`;
const closedNotes = async (org: string) => (await notes(org)).filter((note) => note.includes("closed"));

test("closed at 19:00 it goes off, an ON is refused with the reason, reopened it is lit, and one record says so", async () => {
  await aField("cl-a");
  await aSchedule("cl-a", "cl-a1", at("18:00:00"), at("22:00:00"));
  await inWorld("cl-a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await aClosure("cl-a", "wet", at("19:00:00"), null, { at: at("19:00:00") });
    await world.sync();
    await world.to(at("19:10:00"));
    expect(world.lamp("cl-a-lamp")).toBe("off");
    expect(await world.toggle("cl-a-lamp", "on")).toMatchObject({
      success: false,
      detail: "Lights may not go on, closed: wet ground",
    });
    expect(await world.toggleMany(["cl-a-lamp"], "on")).toMatchObject([{ success: false, pending: false }]);
    await world.to(at("20:00:00"));
    await sql("DELETE FROM closures WHERE id = 'wet'").run();
    await world.sync();
    await world.to(at("20:00:10"));
    expect(world.lamp("cl-a-lamp")).toBe("on");
    await world.to(at("22:30:00"));
    expect(world.lamp("cl-a-lamp")).toBe("off");
    expect((await closedNotes("cl-a")).filter((note) => note.includes("Practice"))).toEqual([
      "cut short: Practice · closed: wet ground",
    ]);
    expect(await messages("cl-a")).toEqual([]);
  });
});

test("a booking that is closed for the whole of its window has its record at its end", async () => {
  await aField("cl-b");
  await aSchedule("cl-b", "cl-b1", at("18:00:00"), at("20:00:00"));
  await aClosure("cl-b", "wet-b", at("17:30:00"), at("21:00:00"));
  await inWorld("cl-b", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:59:59"));
    expect(await closedNotes("cl-b")).toEqual([]);
    await world.to(at("20:01:00"));
    expect(await closedNotes("cl-b")).toEqual(["Practice · closed: wet ground"]);
    expect(await causes("cl-b")).toEqual(["cut"]);
    expect(await messages("cl-b")).toEqual([]);
  });
});

test("a booking that is lit after it was reopened is ok, and nothing says that it was closed", async () => {
  await aField("cl-c");
  await aSchedule("cl-c", "cl-c1", at("18:00:00"), at("22:00:00"));
  await aClosure("cl-c", "wet-c", at("17:30:00"), at("19:00:00"));
  await inWorld("cl-c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    expect(world.lamp("cl-c-lamp")).toBe("off");
    await world.to(at("19:01:00"));
    expect(world.lamp("cl-c-lamp")).toBe("on");
    await world.to(at("22:30:00"));
    expect(await closedNotes("cl-c")).toEqual([]);
  });
});

test("a booking under an emergency in a closure is ok", async () => {
  await aField("cl-d");
  await aSchedule("cl-d", "cl-d1", at("18:00:00"), at("20:00:00"));
  await aClosure("cl-d", "wet-d", at("17:30:00"), at("21:00:00"));
  await inWorld("cl-d", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:10:00"));
    await world.toggle("cl-d-lamp", "on", { until: at("19:00:00"), reason: "police", emergency: true });
    await world.to(at("20:30:00"));
    expect(world.lamp("cl-d-lamp")).toBe("off");
    expect((await notes("cl-d")).filter((note) => note.startsWith("Practice"))).toEqual([]);
  });
});
