import { expect, test } from "vitest";
import type { Planned } from "#domain/resolve/claims";
import { preview } from "#durable/requests/preview";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, setting, sql } from "#tests/support/light";
import { aGroup, aPermit, aPolicy } from "#tests/support/limits";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const clockOf = (instant: number) => new Date(instant).toISOString().slice(11, 16);

function aPlan(start: string, end: string, over: Partial<Planned> = {}): Planned {
  const made = { created_at: at("12:00:00"), rrule: null, timezone: "UTC" };
  return { id: "", title: "Game", start_at: start, end_at: end, ...made, ...over };
}

/** '18:00-20:00 lit 18:00-19:00 (Blackout until 5:00 AM)' for each window. */
function told({ windows }: ReturnType<typeof preview>): string[] {
  return windows.map(({ start, end, lit, limits }) => {
    const spans = lit.map(({ from, to }) => ` ${clockOf(from)}-${clockOf(to)}`).join("");
    return `${clockOf(start)}-${clockOf(end)} lit${spans || " never"}${limits.map((l) => ` (${l})`).join("")}`;
  });
}

test("a preview shows the next ten windows, when they are lit and what keeps them dark", async () => {
  await aField("pv-a");
  await setting("pv-a", "BLACKOUT_WINDOW", "23:00-05:00").run();
  await inWorld("pv-a", at("12:00:00"), async (world) => {
    await world.sync();
    const lights = { type: "device" as const, id: "pv-a-lamp" };
    const daily = preview(world.context, {
      schedule: aPlan(at("22:00:00"), at("23:30:00"), { rrule: "FREQ=DAILY" }),
      lights,
    });
    expect(daily.windows).toHaveLength(10);
    expect(told(daily)[0]).toBe("22:00-23:30 lit 22:00-23:00 (Blackout until 5:00 AM)");
    const long = preview(world.context, { schedule: aPlan(at("13:00:00"), at("19:00:00")), lights });
    expect(told(long)).toEqual(["13:00-19:00 lit 13:00-17:00 (The limit of 240 minutes is reached at 5:00 PM)"]);
  });
});

test("of a window that runs, what overlapped it and is over is no conflict any more", async () => {
  await aField("pv-over");
  await aSchedule("pv-over", "training", at("18:00:00"), at("19:00:00"), { device: "pv-over-lamp" });
  await aSchedule("pv-over", "match", at("19:00:00"), at("21:00:00"), { device: "pv-over-lamp" });
  await inWorld("pv-over", at("20:00:00"), async (world) => {
    await world.sync();
    const lights = { type: "device" as const, id: "pv-over-lamp" };
    const seen = preview(world.context, { schedule: aPlan(at("17:00:00"), at("23:00:00")), lights });
    expect(seen.conflicts.map(({ schedule_id }) => schedule_id)).toEqual(["match"]);
  });
});

test("a preview of a window that runs begins with what is remembered of the light", async () => {
  await aField("pv-b");
  await inWorld("pv-b", at("18:30:00"), async (world) => {
    await world.sync();
    await world.toggle("pv-b-lamp", "off");
    const schedule = aPlan(at("18:00:00"), at("20:00:00"), { rrule: "FREQ=DAILY" });
    const lights = { type: "device" as const, id: "pv-b-lamp" };
    const saved = preview(world.context, { schedule, lights });
    expect(told(saved).slice(0, 2)).toEqual([
      "18:00-20:00 lit never (Switched off by a person)",
      "18:00-20:00 lit 18:00-20:00",
    ]);
    const isNew = preview(world.context, {
      schedule: { ...schedule, created_at: new Date(world.now + 1).toISOString() },
      lights,
    });
    expect(told(isNew)[0]).toMatch(/^18:00-20:00 lit 18:30-20:00/);
  });
});

test("a preview for several lights says how many of them stay dark, and names other bookings once", async () => {
  await aField("pv-c", ["pv-c1", "pv-c2", "pv-c3"]);
  await aSchedule("pv-c", "pv-cs", at("19:00:00"), at("21:00:00"), { device: "pv-c2", title: "Finals" });
  await inWorld("pv-c", at("12:00:00"), async (world) => {
    await world.sync();
    world.tamper(
      "UPDATE device_memory SET hold_action = 'off', hold_until = ? WHERE device_id = 'pv-c3'",
      Date.parse(at("19:30:00")),
    );
    const schedule = aPlan(at("18:00:00"), at("20:00:00"));
    const lights = { device_ids: ["pv-c1", "pv-c2", "pv-c3"] };
    const seen = preview(world.context, { schedule, lights });
    expect(told(seen)).toEqual([
      "18:00-20:00 lit 18:00-20:00 (1 of 3 lights: off until 7:30 PM: switched off by a person)",
    ]);
    expect(seen.conflicts).toEqual([
      { schedule_id: "pv-cs", title: "Finals", start: Date.parse(at("19:00:00")), end: Date.parse(at("21:00:00")) },
    ]);
    const edited = preview(world.context, { schedule: { ...schedule, id: "pv-cs" }, lights });
    expect(edited.conflicts).toEqual([]);
  });
});

test("a preview in an inactive area lights nothing", async () => {
  await aField("pv-d");
  await sql("UPDATE areas SET active = 0 WHERE org_id = 'pv-d'").run();
  await inWorld("pv-d", at("12:00:00"), async (world) => {
    await world.sync();
    const schedule = aPlan(at("18:00:00"), at("20:00:00"));
    const seen = preview(world.context, { schedule, lights: { type: "area", id: "pv-d-area" } });
    expect([told(seen), seen.isActive]).toEqual([["18:00-20:00 lit never"], false]);
  });
});

test("a person's ON without an end lights a window of an inactive area no longer than it lasts", async () => {
  await aField("pv-on");
  await sql("UPDATE areas SET active = 0 WHERE org_id = 'pv-on'").run();
  await aPermit("pv-on", "pv-on-permit", at("18:00:00"), at("20:00:00"));
  await inWorld("pv-on", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle("pv-on-lamp", "on");
    const seen = (start: string, end: string) =>
      told(preview(world.context, { schedule: aPlan(at(start), at(end)), lights: { type: "area", id: "pv-on-area" } }));
    expect(seen("18:30:00", "19:30:00")).toEqual(["18:30-19:30 lit never"]);
    // It is on for 240 minutes at most.
    expect(seen("15:00:00", "17:00:00")).toEqual(["15:00-17:00 lit 15:00-16:00"]);
  });
});

test("a preview says in words when lights reach the longest time on, and that they did", async () => {
  const lamps = ["pv-e1", "pv-e2", "pv-e3"];
  await aField("pv-e", lamps);
  await aPolicy("pv-e", "area", "pv-e-area", { BLACKOUT_WINDOW: "", MAX_ON_DURATION_MIN: 60 });
  await aGroup("pv-e", "pv-eg", ["pv-e1", "pv-e2"]);
  await aPolicy("pv-e", "group", "pv-eg", { MAX_ON_DURATION_MIN: 30 });
  await inWorld("pv-e", at("12:00:00"), async (world) => {
    await world.sync();
    const schedule = aPlan(at("18:00:00"), at("20:00:00"));
    const foreseen = preview(world.context, { schedule, lights: { device_ids: lamps } });
    expect(foreseen.windows.map(({ limits }) => limits)).toEqual([
      [
        "2 of 3 lights reach their limit of 30 minutes at 6:30 PM",
        "1 of 3 lights reaches its limit of 60 minutes at 7:00 PM",
      ],
    ]);
    await aSchedule("pv-e", "pv-es", at("18:00:00"), at("20:00:00"), { device: "pv-e3", title: "Game" });
    await world.sync();
    await world.to(at("19:30:00"));
    const running = { schedule: { ...schedule, id: "pv-es" }, lights: { type: "device", id: "pv-e3" } } as const;
    expect(told(preview(world.context, running))).toEqual([
      "18:00-20:00 lit never (The limit of 60 minutes was reached at 7:00 PM)",
    ]);
  });
});
