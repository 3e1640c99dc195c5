import { expect, test } from "vitest";
import { movedArea } from "#domain/schedule/positions";
import { sunAt } from "#domain/schedule/sun";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, causes, messages, notes, setting, sql } from "#tests/support/light";
import { onlyBlackout } from "#tests/support/limits";
import { switches } from "#tests/support/switches";

/** Nights that are skipped, calendars and the sun, changed while a window runs. Nothing is dark unless said. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const next = (clock: string) => `2026-06-11T${clock}Z`;
const TONIGHT = "2026-06-10";

/** What staff skip, by the date on which the window begins; none is unskipped. */
async function skip(world: World, id: string, ...dates: string[]): Promise<void> {
  const skips = JSON.stringify(dates.map((date) => ({ date, reason: null })));
  const changed_at = new Date(world.now).toISOString();
  await sql("UPDATE schedules SET skips = ?, updated_at = ? WHERE id = ?", skips, changed_at, id).run();
  await world.sync();
}

async function aCalendar(org_id: string, id: string, rule: "skip" | "only", dates: string[], schedule: string) {
  await sql(
    "INSERT INTO calendars (id, org_id, name, dates, created_at, updated_at) VALUES (?1, ?2, ?1, ?3, ?4, ?4)",
    id,
    org_id,
    JSON.stringify(dates.map((date) => ({ date, name: "Holiday" }))),
    "2026-01-01T00:00:00.000Z",
  ).run();
  await sql("UPDATE schedules SET calendar_id = ?, calendar_rule = ? WHERE id = ?", id, rule, schedule).run();
}

async function setDates(world: World, id: string, ...dates: string[]): Promise<void> {
  const named = JSON.stringify(dates.map((date) => ({ date, name: "Holiday" })));
  const changed_at = new Date(world.now).toISOString();
  await sql("UPDATE calendars SET dates = ?, updated_at = ? WHERE id = ?", named, changed_at, id).run();
  await world.sync();
}

/** What is recorded of the windows, apart from the commands that light them. */
const records = async (org_id: string) => (await causes(org_id)).filter((cause) => cause !== "attempt");

test("a skip of the window that runs puts its lamp out, and unskipped while it runs it is lit again", async () => {
  await aField("sk-run");
  await aSchedule("sk-run", "sk-run1", at("18:00:00"), at("22:00:00"), { rrule: "FREQ=DAILY" });
  await inWorld("sk-run", at("17:00:00"), async (world) => {
    await world.sync();
    const made = switches(world);
    await world.to(at("19:00:00"));
    await skip(world, "sk-run1", TONIGHT);
    await world.to(at("19:30:00"));
    expect(world.lamp("sk-run-lamp")).toBe("off");
    await skip(world, "sk-run1");
    await world.to(at("23:00:00"));
    expect(made).toEqual(["18:00 on", "19:00 off", "19:30 on", "22:00 off"]);
    expect(await records("sk-run")).toEqual([]);
    expect(await messages("sk-run")).toEqual([]);
  });
});

test("a window that runs past midnight is skipped by its own date, and the next night is lit", async () => {
  await aField("sk-late");
  await onlyBlackout("sk-late");
  await setting("sk-late", "MAX_ON_DURATION_MIN", 480).run();
  await aSchedule("sk-late", "sk-late1", at("20:00:00"), next("02:00:00"), { rrule: "FREQ=DAILY" });
  await inWorld("sk-late", at("17:00:00"), async (world) => {
    await world.sync();
    const made = switches(world);
    await world.to(next("00:30:00"));
    await skip(world, "sk-late1", TONIGHT);
    await world.to(next("21:00:00"));
    expect(made).toEqual(["20:00 on", "00:30 off", "20:00 on"]);
    expect(await records("sk-late")).toEqual([]);
  });
});

test("a single booking that was skipped is lit from when it is unskipped to its end", async () => {
  await aField("sk-once");
  await aSchedule("sk-once", "sk-once1", at("18:00:00"), at("22:00:00"));
  await inWorld("sk-once", at("16:00:00"), async (world) => {
    await world.sync();
    const made = switches(world);
    await world.to(at("17:00:00"));
    await skip(world, "sk-once1", TONIGHT);
    await world.to(at("19:00:00"));
    expect(made).toEqual([]);
    await skip(world, "sk-once1");
    await world.to(at("23:00:00"));
    expect(made).toEqual(["19:00 on", "22:00 off"]);
    expect(await records("sk-once")).toEqual([]);
  });
});

test("a night that is unskipped after its end was not missed", async () => {
  await aField("sk-over");
  await aSchedule("sk-over", "sk-over1", at("18:00:00"), at("22:00:00"), { rrule: "FREQ=DAILY" });
  await inWorld("sk-over", at("16:00:00"), async (world) => {
    await world.sync();
    await skip(world, "sk-over1", TONIGHT);
    await world.to(at("22:30:00"));
    await skip(world, "sk-over1");
    await world.to(at("23:00:00"));
    expect(await notes("sk-over")).toEqual([]);
  });
});

test("a day that joins a calendar of days off puts the lamp out, and taken back the rest of the window is lit", async () => {
  await aField("cal-off");
  await aSchedule("cal-off", "cal-off1", at("18:00:00"), at("22:00:00"), { rrule: "FREQ=DAILY" });
  await aCalendar("cal-off", "cal-off-c", "skip", [], "cal-off1");
  await inWorld("cal-off", at("17:00:00"), async (world) => {
    await world.sync();
    const made = switches(world);
    await world.to(at("19:00:00"));
    await setDates(world, "cal-off-c", TONIGHT);
    await world.to(at("19:30:00"));
    await setDates(world, "cal-off-c");
    await world.to(at("23:00:00"));
    expect(made).toEqual(["18:00 on", "19:00 off", "19:30 on", "22:00 off"]);
    expect(await records("cal-off")).toEqual([]);
  });
});

test("a calendar of match days lights the lamp from when today becomes one, and no longer than it is", async () => {
  await aField("cal-only");
  await aSchedule("cal-only", "cal-only1", at("18:00:00"), at("22:00:00"), { rrule: "FREQ=DAILY" });
  await aCalendar("cal-only", "cal-only-c", "only", ["2026-06-20"], "cal-only1");
  await inWorld("cal-only", at("17:00:00"), async (world) => {
    await world.sync();
    const made = switches(world);
    await world.to(at("19:00:00"));
    await setDates(world, "cal-only-c", TONIGHT, "2026-06-20");
    await world.to(at("20:00:00"));
    await setDates(world, "cal-only-c", "2026-06-20");
    await world.to(at("23:00:00"));
    expect(made).toEqual(["19:00 on", "20:00 off"]);
    expect(await records("cal-only")).toEqual([]);
  });
});

test("a night that leaves its calendar of days off after its end was not missed", async () => {
  await aField("cal-over");
  await aSchedule("cal-over", "cal-over1", at("18:00:00"), at("22:00:00"), { rrule: "FREQ=DAILY" });
  await aCalendar("cal-over", "cal-over-c", "skip", [TONIGHT], "cal-over1");
  await inWorld("cal-over", at("16:00:00"), async (world) => {
    await world.sync();
    await world.to(at("22:30:00"));
    await setDates(world, "cal-over-c");
    await world.to(at("23:00:00"));
    expect(await notes("cal-over")).toEqual([]);
  });
});

const GREENWICH = { lat: 51.5, lon: 0 };
/** Where the sun sets about three minutes later. */
const READING = { lat: 51.5, lon: -0.75 };
const CITY = { CITY_LAT: null, CITY_LON: null };
const sunsetAt = (place: typeof GREENWICH) =>
  sunAt(place)("sunset", Date.parse(at("12:00:00")), Date.parse(next("12:00:00"))) ?? NaN;

/** As the service writes it. */
async function place(org_id: string, from: typeof GREENWICH | null, to: typeof GREENWICH, now: number): Promise<void> {
  const before = from && { location: from, positions: movedArea(null, from, CITY, 0) };
  await sql(
    "UPDATE areas SET location = ?, positions = ?, updated_at = ? WHERE id = ?",
    JSON.stringify(to),
    JSON.stringify(movedArea(before, to, CITY, now)),
    new Date(now).toISOString(),
    `${org_id}-area`,
  ).run();
}

async function startBy(event: "sunset" | "dusk", schedule: string): Promise<void> {
  const start_sun = { event, offset_min: 0, not_before: null, not_after: null };
  await sql("UPDATE schedules SET start_sun = ? WHERE id = ?", JSON.stringify(start_sun), schedule).run();
}

test("from dusk to 8:30 PM nothing is lit in summer, and no night of it has a record", async () => {
  await aField("sun-none");
  await place("sun-none", null, GREENWICH, 0);
  await aSchedule("sun-none", "sun-none1", at("20:00:00"), at("20:30:00"), { rrule: "FREQ=DAILY" });
  await startBy("dusk", "sun-none1");
  await inWorld("sun-none", at("17:00:00"), async (world) => {
    await world.sync();
    const made = switches(world);
    await world.to(next("23:00:00"));
    expect(made).toEqual([]);
    expect(await notes("sun-none")).toEqual([]);
  });
});

test("OFF after sunset, then the area moves to where it sets after the OFF: dark, and the night has one record", async () => {
  await aField("sun-move");
  await place("sun-move", null, GREENWICH, 0);
  const sunset = sunsetAt(GREENWICH);
  const off_at = sunset + 60_000;
  expect(sunsetAt(READING)).toBeGreaterThan(off_at);
  await aSchedule("sun-move", "sun-move1", new Date(sunset).toISOString(), at("23:00:00"), { rrule: "FREQ=DAILY" });
  await startBy("sunset", "sun-move1");
  await inWorld("sun-move", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(off_at);
    expect(world.lamp("sun-move-lamp")).toBe("on");
    await world.toggle("sun-move-lamp", "off");
    await world.to(sunset + 600_000);
    const made = switches(world);
    await place("sun-move", GREENWICH, READING, world.now);
    await world.sync();
    await world.to(next("12:00:00"));
    expect(made).toEqual([]);
    const recorded = sql(
      "SELECT COUNT(*) AS n FROM scheduler_events WHERE org_id = 'sun-move' AND source = 'scheduler' AND action = 'on'",
    );
    expect(await recorded.first("n")).toBe(1);
  });
});
