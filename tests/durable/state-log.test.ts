import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** '18:00:00 desired on On until 8:00 PM: Practice [schedule]' for each change of a light. */
async function changes(device_id: string): Promise<string[]> {
  const { results } = await sql("SELECT * FROM state_changes WHERE device_id = ? ORDER BY at, kind", device_id).all<{
    at: string;
    kind: string;
    state: string;
    sentence: string | null;
    schedule_ids: string | null;
    booked_until: string | null;
  }>();
  return results.map(({ at, kind, state, sentence, schedule_ids, booked_until }) =>
    [at.slice(11, 19), kind, state, sentence, schedule_ids, booked_until].filter((text) => text !== null).join(" "),
  );
}

test("what is wanted of a light, and what readings say, is logged where it changes", async () => {
  await aField("sl-a");
  await aSchedule("sl-a", "sl-a1", at("18:00:00"), at("20:00:00"));
  await inWorld("sl-a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("21:00:00"));
    expect(await changes("sl-a-lamp")).toEqual([
      '18:00:00 desired on On until 8:00 PM: Practice ["sl-a1"]',
      "18:00:08 reported on",
      "20:00:00 desired off Off: nothing is scheduled []",
      "20:00:08 reported off",
    ]);
  });
});

test("a window that stays dark is logged with the reason, and until when it runs", async () => {
  await aField("sl-b");
  await setting("sl-b", "BLACKOUT_WINDOW", "19:00-22:00").run();
  await aSchedule("sl-b", "sl-b1", at("18:00:00"), at("21:00:00"));
  await inWorld("sl-b", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("22:30:00"));
    expect((await changes("sl-b-lamp")).filter((line) => line.includes("desired"))).toEqual([
      '18:00:00 desired on On until 7:00 PM: Practice ["sl-b1"]',
      '19:00:00 desired off Off: blackout until 10:00 PM ["sl-b1"] 2026-06-10T21:00:00.000Z',
      "22:00:00 desired off Off: nothing is scheduled []",
    ]);
  });
});

test("of two windows that stay dark together each is logged until its own end", async () => {
  await aField("sl-two");
  await aSchedule("sl-two", "sl-two1", at("18:00:00"), at("20:00:00"));
  await aSchedule("sl-two", "sl-two2", at("18:00:00"), at("21:00:00"));
  await inWorld("sl-two", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("sl-two-lamp", "off");
    await world.to(at("22:00:00"));
    expect((await changes("sl-two-lamp")).filter((line) => line.includes("desired")).slice(1)).toEqual([
      '18:30:00 desired off Off: switched off by a person ["sl-two1","sl-two2"] 2026-06-10T21:00:00.000Z',
      '20:00:00 desired off Off: switched off by a person ["sl-two2"] 2026-06-10T21:00:00.000Z',
    ]);
  });
});

test("of two windows that stay dark together each is logged until its own end, also where nobody looked then", async () => {
  await aField("sl-gap");
  await aSchedule("sl-gap", "sl-gap1", at("18:00:00"), at("20:00:00"));
  await aSchedule("sl-gap", "sl-gap2", at("18:00:00"), at("21:00:00"));
  await inWorld("sl-gap", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("sl-gap-lamp", "off");
    await world.to(at("19:50:00"));
    world.die(40 * 60_000);
    world.sweepAfter(40 * 60_000);
    await world.to(at("20:45:00"));
    expect((await changes("sl-gap-lamp")).filter((line) => line.includes("desired")).slice(1)).toEqual([
      '18:30:00 desired off Off: switched off by a person ["sl-gap1","sl-gap2"] 2026-06-10T21:00:00.000Z',
      '20:00:00 desired off Off: switched off by a person ["sl-gap2"] 2026-06-10T21:00:00.000Z',
    ]);
  });
});

test("a booking that is canceled later leaves the log of its night as it was wanted", async () => {
  await aField("sl-c");
  await aSchedule("sl-c", "sl-c1", at("18:00:00"), at("20:00:00"));
  await inWorld("sl-c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'sl-c1'").run();
    await world.sync();
    await world.to(at("19:00:00"));
    expect((await changes("sl-c-lamp")).filter((line) => line.includes("desired"))).toEqual([
      '18:00:00 desired on On until 8:00 PM: Practice ["sl-c1"]',
      "18:30:00 desired off Off: nothing is scheduled []",
    ]);
  });
});

test("the log of a light that D1 could not take is delivered later, in its order", async () => {
  await aField("sl-d");
  await aSchedule("sl-d", "sl-d1", at("18:00:00"), at("20:00:00"));
  await inWorld("sl-d", at("17:00:00"), async (world) => {
    await world.sync();
    world.setDatabaseDown(true);
    await world.to(at("20:30:00"));
    expect(await changes("sl-d-lamp")).toEqual([]);
    world.setDatabaseDown(false);
    await world.to(at("20:40:00"));
    expect((await changes("sl-d-lamp")).map((line) => line.slice(0, 20))).toEqual([
      "18:00:00 desired on ",
      "18:00:08 reported on",
      "20:00:00 desired off",
      "20:00:08 reported of",
    ]);
  });
});

test("what was wanted while nobody looked is logged as of then", async () => {
  await aField("sl-e");
  await aSchedule("sl-e", "sl-e1", at("18:00:00"), at("20:00:00"));
  await aSchedule("sl-e", "sl-e2", at("20:30:00"), at("20:45:00"));
  await inWorld("sl-e", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.die();
    await world.restart(at("21:00:00"));
    await world.to(at("21:00:30"));
    expect(await changes("sl-e-lamp")).toEqual([
      '18:00:00 desired on On until 8:00 PM: Practice ["sl-e1"]',
      "18:00:08 reported on",
      "20:00:00 desired off Off: nothing is scheduled []",
      '20:30:00 desired on On until 8:45 PM: Practice ["sl-e2"]',
      "20:45:00 desired off Off: nothing is scheduled []",
      "21:00:08 reported off",
    ]);
  });
});

test("what was wanted while nobody looked is not made up by a plan that was changed meanwhile", async () => {
  await aField("sl-f");
  await aSchedule("sl-f", "sl-f1", at("18:00:00"), at("20:00:00"));
  await inWorld("sl-f", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.die();
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'sl-f1'").run();
    await world.restart(at("19:30:00"));
    await world.to(at("21:00:00"));
    expect((await changes("sl-f-lamp")).filter((line) => line.includes("desired"))).toEqual([
      '18:00:00 desired on On until 8:00 PM: Practice ["sl-f1"]',
      "19:30:00 desired off Off: nothing is scheduled []",
    ]);
  });
});

const wanted = async (device_id: string) => (await changes(device_id)).filter((line) => line.includes("desired"));

test("what a light is wanted for is logged anew where its end moves, though nothing is switched", async () => {
  await aField("sl-g");
  await aSchedule("sl-g", "sl-g1", at("18:00:00"), at("23:00:00"));
  await inWorld("sl-g", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await setting("sl-g", "BLACKOUT_WINDOW", "21:00-22:00").run();
    await world.sync();
    await world.to(at("19:30:00"));
    await sql("UPDATE schedules SET title = 'Finals' WHERE id = 'sl-g1'").run();
    await world.sync();
    await world.to(at("20:00:00"));
    expect(await wanted("sl-g-lamp")).toEqual([
      '18:00:00 desired on On until 10:00 PM: Practice ["sl-g1"]',
      '19:00:00 desired on On until 9:00 PM: Practice ["sl-g1"]',
      '19:30:00 desired on On until 9:00 PM: Finals ["sl-g1"]',
    ]);
  });
});

test("a second ON of a person is logged with the end that it has", async () => {
  await aField("sl-h");
  await inWorld("sl-h", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle("sl-h-lamp", "on");
    await world.to(at("18:00:00"));
    await world.toggle("sl-h-lamp", "on");
    await world.to(at("21:30:00"));
    expect(await wanted("sl-h-lamp")).toEqual([
      "17:00:00 desired on On until 9:00 PM: switched on by a person []",
      "18:00:00 desired on On until 10:00 PM: switched on by a person []",
    ]);
  });
});
