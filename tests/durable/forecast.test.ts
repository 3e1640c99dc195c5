import { expect, test } from "vitest";
import { forecast } from "#durable/requests/forecast";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, setting } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const clockOf = (instant: number) => new Date(instant).toISOString().slice(11, 19);

/** 'on 18:00:00-20:00:00 On until 8:00 PM: Practice' for each segment of a light. */
function ahead(world: World, device_id: string, from: string, to: string): string[] {
  const span = { from: Date.parse(from), to: Date.parse(to) };
  const [light] = forecast(world.context, { device_ids: [device_id], ...span }).data;
  return (light?.segments ?? []).map(
    (segment) => `${segment.state} ${clockOf(segment.from)}-${clockOf(segment.to)} ${segment.sentence}`,
  );
}

test("a forecast begins with what is remembered of the light", async () => {
  await aField("fc-a");
  await aSchedule("fc-a", "fc-a1", at("18:00:00"), at("20:00:00"), { rrule: "FREQ=DAILY" });
  await inWorld("fc-a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    expect(ahead(world, "fc-a-lamp", at("18:00:00"), at("22:00:00"))).toEqual([
      "on 18:30:00-20:00:00 On until 8:00 PM: Practice",
      "off 20:00:00-22:00:00 Off: nothing is scheduled",
    ]);
    await world.toggle("fc-a-lamp", "off");
    const now = clockOf(world.now);
    expect(ahead(world, "fc-a-lamp", at("18:00:00"), at("22:00:00"))).toEqual([
      `off ${now}-20:00:00 Off: switched off by a person`,
      "off 20:00:00-22:00:00 Off: nothing is scheduled",
    ]);
    expect(ahead(world, "fc-a-lamp", "2026-06-11T17:00:00Z", "2026-06-11T19:00:00Z")).toEqual([
      "off 17:00:00-18:00:00 Off: nothing is scheduled",
      "on 18:00:00-19:00:00 On until 8:00 PM: Practice",
    ]);
  });
});

test("a light that the engine does not know is left out of the forecast", async () => {
  await aField("fc-b");
  await inWorld("fc-b", at("17:00:00"), async (world) => {
    await world.sync();
    const span = { from: Date.parse(at("17:00:00")), to: Date.parse(at("18:00:00")) };
    const { data, next } = forecast(world.context, { device_ids: ["nobody", "fc-b-lamp"], ...span });
    expect([data.map(({ device_id }) => device_id), next]).toEqual([["fc-b-lamp"], null]);
  });
});

test("a call stops after its share of work and says with which light to go on", async () => {
  const lamps = Array.from({ length: 3 }, (_, n) => `busy-${n}`);
  await aField("fc-c", lamps);
  await setting("fc-c", "MAX_ON_DURATION_MIN", 1440).run();
  for (let minute = 0; minute < 60; minute += 2) {
    const clock = (n: number) => at(`18:${String(n).padStart(2, "0")}:00`);
    for (const device of lamps)
      await aSchedule("fc-c", `${device}-${minute}`, clock(minute), clock(minute + 1), { device, rrule: "FREQ=DAILY" });
  }
  await inWorld("fc-c", at("17:00:00"), async (world) => {
    await world.sync();
    const span = { from: Date.parse(at("17:00:00")), to: Date.parse(at("17:00:00")) + 366 * 86_400_000 };
    const many = Array.from({ length: 60 }, (_, n) => lamps[n % 3] ?? "");
    const { data, next } = forecast(world.context, { device_ids: many, ...span });
    expect([data.length, next]).toEqual([5, many[5]]);
    const last = data[0]?.segments.at(-1);
    expect(last?.to).toBeLessThan(span.to);
  });
});
