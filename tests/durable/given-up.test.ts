import { expect, test } from "vitest";
import { noAnswer } from "#durable/providers/no-answer";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, messages } from "#tests/support/light";

/** The simulated lamps take every ON, and no OFF. */
function refuseOff(world: World): () => void {
  return world.wrapProvider((real) => ({
    switch: async (address, action, timeout_ms, how) =>
      action === "off"
        ? noAnswer(address, "refused", "The device has no hub")
        : real.switch(address, action, timeout_ms, how),
  }));
}

function isTrying(world: World): boolean {
  return world.storage.sql.exec("SELECT 1 FROM commands").toArray().length > 0;
}

async function timesTold(org_id: string): Promise<number> {
  return (await messages(org_id)).filter((line) => line.startsWith("device_failed")).length;
}

test("an OFF that was given up is no recovery: what fails after it is the same incident, and people are told once", async () => {
  await aField("given-up");
  await aSchedule("given-up", "s", "2026-06-10T18:00:00Z", "2026-06-10T20:00:00Z");
  await inWorld("given-up", "2026-06-10T17:00:00Z", async (world) => {
    await world.sync();
    const mend = refuseOff(world);
    await world.to("2026-06-11T20:00:00Z");
    expect(isTrying(world)).toBe(true);
    await world.to("2026-06-11T21:00:00Z");
    expect(isTrying(world)).toBe(false);

    // A toggle is tried again for a day of its own.
    await world.toggle("given-up-lamp", "off");
    await world.to("2026-06-12T20:30:00Z");
    expect(isTrying(world)).toBe(true);
    await world.to("2026-06-12T22:30:00Z");
    expect(isTrying(world)).toBe(false);
    expect(await timesTold("given-up")).toBe(1);

    // Well again, and broken once more: that is another incident.
    mend();
    await world.toggle("given-up-lamp", "off");
    await world.to("2026-06-12T23:00:00Z");
    expect(world.lamp("given-up-lamp")).toBe("off");
    refuseOff(world);
    await world.toggle("given-up-lamp", "off");
    await world.to("2026-06-12T23:30:00Z");
    expect(await timesTold("given-up")).toBe(2);
  });
});
