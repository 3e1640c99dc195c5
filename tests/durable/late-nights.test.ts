import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, notes, setting, sql } from "#tests/support/light";
import { aGroup, aPolicy } from "#tests/support/limits";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** A field whose booking from 6 PM to 7 PM is left out by a calendar. */
async function aDayOff(org_id: string): Promise<void> {
  await aField(org_id);
  await sql(
    "INSERT INTO calendars (id, org_id, name, dates) VALUES (?1 || '-k', ?1, 'Off', ?2)",
    org_id,
    JSON.stringify([{ date: "2026-06-10", name: "A day off" }]),
  ).run();
  await aSchedule(org_id, `${org_id}-s`, at("18:00:00"), at("19:00:00"));
  await sql(
    "UPDATE schedules SET calendar_id = ?1 || '-k', calendar_rule = 'skip', updated_at = ?2 WHERE org_id = ?1",
    org_id,
    at("10:00:00"),
  ).run();
}

test("a night that a calendar gives back once it is over was not missed", async () => {
  await aDayOff("a");
  await inWorld("a", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:00:00"));
    await sql("UPDATE calendars SET dates = '[]', updated_at = ? WHERE org_id = 'a'", at("20:00:00")).run();
    await world.sync();
    await world.to(at("20:10:00"));
    expect(await notes("a")).toEqual([]);
  });
});

test("a night that a new position of the city moves into the past was not missed", async () => {
  await aField("b");
  const position = (lon: number, since: string) => ({ lat: 37.8, lon, since });
  const always = new Date(0).toISOString();
  await setting("b", "CITY_LAT", 37.8).run();
  await setting("b", "CITY_LON", -30).run();
  await setting("b", "CITY_POSITIONS", [position(-30, always)]).run();
  const sun = JSON.stringify({ event: "sunset", offset_min: 0, not_before: null, not_after: null });
  await sql(
    `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, start_sun, end_sun, timezone, created_at, updated_at)
     VALUES ('b-s', 'b', 'b-lamp', 'Dusk', ?1, ?2, ?3, ?4, 'UTC', '2026-01-01', '2026-01-01')`,
    at("21:20:00"),
    at("22:20:00"),
    sun,
    sun.replace('"offset_min":0', '"offset_min":60'),
  ).run();
  await inWorld("b", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("21:00:00"));
    // Two hours of the sun to the east: its sunset was at about 7:20 PM, and the night would be over.
    await setting("b", "CITY_LON", 0, at("21:00:00")).run();
    await setting("b", "CITY_POSITIONS", [position(-30, always), position(0, at("21:00:00"))], at("21:00:00")).run();
    await world.sync();
    await world.to(at("23:00:00"));
    expect(await notes("b")).toEqual([]);
  });
});

test.each([
  ["before", "2026-01-01"],
  ["later", at("12:30:00")],
])(
  "a lamp that leaves its group was not dark while the group's policy let it burn, also with limits of the city from %s",
  async (org, since) => {
    await aField(org);
    await aGroup(org, `${org}-g`, [`${org}-lamp`]);
    await setting(org, "HARD_CURFEW_OFF", "", "2026-01-01").run();
    await aPolicy(org, "group", `${org}-g`, { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "" });
    await inWorld(org, at("12:00:00"), async (world) => {
      await world.sync();
      await world.to(at("13:00:00"));
      await setting(org, "BLACKOUT_WINDOW", "20:00-20:30", since).run();
      await world.sync();
      await world.to(at("19:30:00"));
      await world.toggle(`${org}-lamp`, "on");
      await world.to(at("21:00:00"));
      expect(world.lamp(`${org}-lamp`)).toBe("on");
      await sql("DELETE FROM group_devices WHERE org_id = ?", org).run();
      await world.sync();
      await world.to(at("21:01:00"));
      expect(world.lamp(`${org}-lamp`)).toBe("on");
    });
  },
);
