import { expect, test } from "vitest";
import { memoryOf } from "#durable/state/device-memory";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, events, notes, setting, sql } from "#tests/support/light";
import { aGroup, aPermit, onlyBlackout } from "#tests/support/limits";
import { switches } from "#tests/support/switches";

/** What happens to a light while nobody looks, and is made up for, in its order, by the first look after that. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const next = (clock: string) => `2026-06-11T${clock}Z`;

/** A lamp that is switched on by hand, and a process that goes away a minute later. */
async function pressedThenGone(world: World, org: string, pressed: string): Promise<void> {
  await world.sync();
  await world.to(pressed);
  await world.toggle(`${org}-lamp`, "on");
  await world.to(Date.parse(pressed) + 60_000);
  world.die();
}

/** A person is quicker than the overdue alarm: the process is started again by the toggle. */
async function pressAfterGap(world: World, lamp: string, at: string): Promise<void> {
  world.now = Date.parse(at);
  await world.toggle(lamp, "on");
}

test("an ON that a blackout would have ended while the process was down stays ended", async () => {
  await aField("gap-night");
  await onlyBlackout("gap-night", "00:00-01:00");
  await inWorld("gap-night", at("22:00:00"), async (world) => {
    await pressedThenGone(world, "gap-night", at("23:00:00"));
    const made = switches(world);
    await world.restart(next("01:10:00"));
    await world.to(next("04:00:00"));
    expect(made).toEqual(["01:10 off"]);
    expect(world.lamp("gap-night-lamp")).toBe("off");
  });
});

test("an ON that a blackout would have ended stays ended, also where retention has deleted a permit of last year", async () => {
  await aField("gap-old");
  await onlyBlackout("gap-old", "00:00-01:00");
  await aPermit("gap-old", "gap-old-p", "2025-05-01T20:00:00Z", "2025-05-01T22:00:00Z");
  await inWorld("gap-old", at("22:00:00"), async (world) => {
    await pressedThenGone(world, "gap-old", at("23:00:00"));
    const made = switches(world);
    await sql("DELETE FROM permits WHERE id = 'gap-old-p'").run();
    await world.restart(next("01:10:00"));
    await world.to(next("04:00:00"));
    expect(made).toEqual(["01:10 off"]);
    expect(world.lamp("gap-old-lamp")).toBe("off");
  });
});

test("an ON that a window took over while the process was down ends with the window", async () => {
  await aField("gap-club");
  await aSchedule("gap-club", "gap-club1", at("18:00:00"), at("20:00:00"));
  await inWorld("gap-club", at("16:00:00"), async (world) => {
    await pressedThenGone(world, "gap-club", at("17:00:00"));
    const made = switches(world);
    await world.restart(at("20:05:00"));
    await world.to(at("22:00:00"));
    expect(made).toEqual(["20:05 off"]);
  });
});

test("an ON that a window took over while the database could not be asked ends with the window", async () => {
  await aField("gap-plan");
  await inWorld("gap-plan", at("16:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:00:00"));
    world.setDatabaseDown(true);
    await world.to(at("17:10:00"));
    await world.toggle("gap-plan-lamp", "on");
    await world.to(at("17:40:00"));
    await aSchedule("gap-plan", "gap-plan1", at("18:00:00"), at("20:00:00"), { at: at("17:30:00") });
    await world.to(at("20:05:00"));
    expect(world.lamp("gap-plan-lamp")).toBe("on");
    world.setDatabaseDown(false);
    await world.sync();
    await world.to(at("20:06:00"));
    expect(world.lamp("gap-plan-lamp")).toBe("off");
    expect((await notes("gap-plan")).filter((note) => /missed|skipped|cut/.test(note))).toEqual([
      "Practice · missed: nothing ran at the time",
    ]);
  });
});

test("a toggle after the gap is no part of what was missed", async () => {
  await aField("gap-press");
  await onlyBlackout("gap-press", "00:00-01:00");
  await aSchedule("gap-press", "gap-press1", next("01:02:00"), next("01:05:00"));
  await inWorld("gap-press", at("22:00:00"), async (world) => {
    await pressedThenGone(world, "gap-press", at("23:00:00"));
    await pressAfterGap(world, "gap-press-lamp", next("01:10:00"));
    await world.to(next("03:30:00"));
    expect(world.lamp("gap-press-lamp")).toBe("on");
    await world.to(next("05:11:00"));
    expect(world.lamp("gap-press-lamp")).toBe("off");
  });
});

test("a toggle that fails after the gap goes back to nothing that the gap has ended", async () => {
  await aField("gap-fail");
  await onlyBlackout("gap-fail", "00:00-01:00");
  await setting("gap-fail", "RETRY_BACKOFFS_SEC", []).run();
  await inWorld("gap-fail", at("22:00:00"), async (world) => {
    await pressedThenGone(world, "gap-fail", at("23:00:00"));
    world.fault("lamp:gap-fail-lamp", { kind: "offline" });
    await pressAfterGap(world, "gap-fail-lamp", next("01:10:00"));
    await world.to(next("01:20:00"));
    expect(await events("gap-fail")).toContain("01:10:00 manual on fail 1");
    expect(memoryOf(world.storage.sql, "gap-fail-lamp").on_at).toBeNull();
  });
});

test("a window that a guardrail cut short during the gap has that record, once, and its end", async () => {
  await aField("gap-cut");
  await onlyBlackout("gap-cut", "00:00-01:00");
  await aSchedule("gap-cut", "gap-cut1", at("23:00:00"), next("02:00:00"));
  await inWorld("gap-cut", at("22:00:00"), async (world) => {
    await world.sync();
    await world.to(at("23:50:00"));
    world.die();
    await world.restart(next("01:10:00"));
    await world.to(next("01:30:00"));
    expect(world.lamp("gap-cut-lamp")).toBe("on");
    await world.to(next("03:00:00"));
    expect((await notes("gap-cut")).filter((note) => /missed|skipped|cut/.test(note))).toEqual([
      "cut short: Practice · Off: blackout until 1:00 AM",
    ]);
    expect(world.lamp("gap-cut-lamp")).toBe("off");
  });
});

test("a lit window that a curfew cut short, and that was over when the gap ended, has that record, once", async () => {
  await aField("gap-over");
  await setting("gap-over", "HARD_CURFEW_OFF", "20:00").run();
  await aSchedule("gap-over", "gap-over1", at("18:00:00"), at("23:00:00"));
  await inWorld("gap-over", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    world.die();
    await world.restart(at("23:30:00"));
    await world.to(next("00:30:00"));
    expect(world.lamp("gap-over-lamp")).toBe("off");
    expect((await notes("gap-over")).filter((note) => /missed|skipped|cut/.test(note))).toEqual([
      "cut short: Practice · Off: curfew until 5:00 AM",
    ]);
  });
});

test("a window that began and was cut wholly during the gap was missed, and nothing else", async () => {
  await aField("gap-all");
  await onlyBlackout("gap-all", "00:00-01:00");
  await aSchedule("gap-all", "gap-all1", at("23:55:00"), next("00:30:00"));
  await inWorld("gap-all", at("22:00:00"), async (world) => {
    await pressedThenGone(world, "gap-all", at("23:00:00"));
    await world.restart(next("01:10:00"));
    await world.to(next("03:00:00"));
    expect((await notes("gap-all")).filter((note) => /missed|skipped|cut/.test(note))).toEqual([
      "Practice · missed: nothing ran at the time",
    ]);
  });
});

test("a light whose longest time was up during the gap is lit only by what began after that", async () => {
  await aField("gap-max");
  await setting("gap-max", "MAX_ON_DURATION_MIN", 240).run();
  await aSchedule("gap-max", "gap-max1", at("16:00:00"), at("23:00:00"), { title: "League" });
  await aSchedule("gap-max", "gap-max2", at("20:30:00"), at("22:00:00"));
  await inWorld("gap-max", at("15:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    world.die();
    await world.restart(at("21:00:00"));
    await world.to(at("21:59:00"));
    expect(world.lamp("gap-max-lamp")).toBe("on");
    await world.to(at("22:01:00"));
    expect(world.lamp("gap-max-lamp")).toBe("off");
    expect((await notes("gap-max")).filter((note) => /cut/.test(note))).toEqual([
      "cut short: League · Off: 240 minutes reached",
    ]);
  });
});

test("a window that is moved to begin after a cut that fell into a gap lights the light again", async () => {
  await aField("gap-late");
  await setting("gap-late", "MAX_ON_DURATION_MIN", 60).run();
  await aSchedule("gap-late", "gap-late1", at("18:00:00"), at("23:00:00"));
  await inWorld("gap-late", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.die();
    const made = switches(world);
    await world.restart(at("20:30:00"));
    await world.to(at("21:00:00"));
    expect(made).toEqual(["20:30 off"]);
    expect((await notes("gap-late")).slice(-2)).toEqual([
      "cut short: Practice · Off: 60 minutes reached",
      "Off: 60 minutes reached",
    ]);
    await sql(
      "UPDATE schedules SET start_at = ?, updated_at = ? WHERE id = 'gap-late1'",
      at("20:00:00"),
      at("21:00:00"),
    ).run();
    await world.sync();
    await world.to(at("21:01:00"));
    expect(made.slice(1)).toEqual(["21:00 on"]);
    expect((await notes("gap-late")).filter((note) => /cut/.test(note))).toHaveLength(1);
  });
});

test("a permit that begins after a cut that fell into a gap undoes no cut", async () => {
  await aField("gap-permit");
  await setting("gap-permit", "MAX_ON_DURATION_MIN", 60).run();
  await aSchedule("gap-permit", "gap-permit1", at("18:00:00"), at("23:00:00"));
  await aPermit("gap-permit", "gap-permit-p", at("20:00:00"), at("22:00:00"));
  await inWorld("gap-permit", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.die();
    const made = switches(world);
    await world.restart(at("20:30:00"));
    await world.to(at("23:30:00"));
    expect(made).toEqual(["20:30 off"]);
    expect((await notes("gap-permit")).filter((note) => /cut/.test(note))).toHaveLength(1);
  });
});

test("an ON with an end goes back to nothing that was cut in the gap before it", async () => {
  await aField("gap-hold");
  await setting("gap-hold", "MAX_ON_DURATION_MIN", 60).run();
  await aSchedule("gap-hold", "gap-hold1", at("18:00:00"), at("23:00:00"));
  await inWorld("gap-hold", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.die();
    world.now = Date.parse(at("20:30:00"));
    await world.toggle("gap-hold-lamp", "on", { until: at("21:00:00") });
    const made = switches(world);
    await world.to(at("23:30:00"));
    expect(made).toEqual(["21:00 off"]);
    expect((await notes("gap-hold")).filter((note) => /cut/.test(note))).toHaveLength(1);
  });
});

test("a rule that is made now says nothing about an hour ago", async () => {
  await aField("gap-rule");
  await inWorld("gap-rule", at("16:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:00:00"));
    await world.toggle("gap-rule-lamp", "on");
    await world.to(at("20:00:00"));
    await setting("gap-rule", "BLACKOUT_WINDOW", "18:30-19:00").run();
    await world.sync();
    await world.to(at("20:30:00"));
    expect(world.lamp("gap-rule-lamp")).toBe("on");
  });
});

test("a window that is moved to an hour ago did not hold the light then", async () => {
  await aField("gap-move");
  await aSchedule("gap-move", "gap-move1", next("18:00:00"), next("19:00:00"));
  await inWorld("gap-move", at("16:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:00:00"));
    await world.toggle("gap-move-lamp", "on");
    await world.to(at("20:00:00"));
    await sql(
      "UPDATE schedules SET start_at = ?, end_at = ?, updated_at = ? WHERE id = 'gap-move1'",
      at("18:00:00"),
      at("19:00:00"),
      at("20:00:00"),
    ).run();
    await world.sync();
    await world.to(at("20:30:00"));
    expect(world.lamp("gap-move-lamp")).toBe("on");
    expect((await notes("gap-move")).filter((note) => /missed|skipped|cut/.test(note))).toEqual([]);
  });
});

const edit = (id: string, column: "end_at" | "skips", to: string, changed: string) =>
  sql(`UPDATE schedules SET ${column} = ?, updated_at = ? WHERE id = ?`, to, changed, id).run();

test.each([
  ["at once", "edit-now", 0],
  ["while nothing ran", "edit-gap", 60],
])(
  "two clubs share a light, and the second one's booking is lengthened while it runs, %s: it stays lit",
  async (...of) => {
    const [, org, away_min] = of;
    await aField(org);
    await onlyBlackout(org);
    await aSchedule(org, `${org}1`, at("17:00:00"), at("23:00:00"), { title: "First" });
    await aSchedule(org, `${org}2`, at("20:00:00"), at("23:00:00"), { title: "Second" });
    await inWorld(org, at("16:00:00"), async (world) => {
      await world.sync();
      await world.to(at("20:30:00"));
      if (away_min > 0) world.die(away_min * 60_000);
      await world.to(at("21:20:00"));
      // The first one alone would have been cut at 21:00, after four hours.
      await edit(`${org}2`, "end_at", at("23:30:00"), at("21:20:00"));
      await world.sync();
      await world.restart(at("21:40:00"));
      await world.to(at("23:20:00"));
      expect(world.lamp(`${org}-lamp`)).toBe("on");
      await world.to(at("23:59:00"));
      expect(world.lamp(`${org}-lamp`)).toBe("off");
      expect((await notes(org)).filter((note) => note.includes("cut short"))).toEqual([]);
    });
  },
);

test("a booking that is lengthened, and gets another title after that, has held its light as it was until then", async () => {
  await aField("titled");
  await onlyBlackout("titled");
  await aSchedule("titled", "titled1", at("17:00:00"), at("23:00:00"));
  await aSchedule("titled", "titled2", at("20:00:00"), at("23:00:00"));
  await inWorld("titled", at("16:00:00"), async (world) => {
    await world.sync();
    await world.to(at("21:30:00"));
    world.setDatabaseDown(true);
    await world.to(at("21:40:00"));
    await edit("titled2", "end_at", at("23:30:00"), at("21:40:00"));
    await sql("UPDATE schedules SET title = 'Finals' WHERE id = 'titled2'").run();
    world.setDatabaseDown(false);
    await world.sync();
    const body = () =>
      world.storage.sql.exec("SELECT body FROM plan WHERE kind = 'schedule' AND id = 'titled2'").one()["body"];
    const before = body();
    await sql("DELETE FROM changes WHERE org_id = 'titled'").run();
    await sql("UPDATE organizations SET config_version = config_version + 1 WHERE id = 'titled'").run();
    await world.sync();
    expect(body()).toBe(before);
    await world.to(at("23:20:00"));
    expect(world.lamp("titled-lamp")).toBe("on");
  });
});

test.each([
  [
    "its calendar names another day",
    "held-calendar",
    `UPDATE calendars SET dates = '[{"date":"2026-06-19","name":"A day off"}]', updated_at = ? WHERE org_id = ?`,
  ],
  [
    "its area becomes one of another type",
    "held-type",
    "UPDATE areas SET type = 'park', updated_at = ? WHERE org_id = ?",
  ],
  [
    "its area gets another position",
    "held-place",
    `UPDATE areas SET location = '{"lat":40,"lon":0}', updated_at = ? WHERE org_id = ?`,
  ],
  [
    "it moves to another area",
    "held-moved",
    "UPDATE devices SET area_id = org_id || '-other', updated_at = ? WHERE org_id = ?",
  ],
])("a booking of a light that was lit by hand runs on where %s", async (_, org, change) => {
  await aField(org);
  await onlyBlackout(org);
  await sql("INSERT INTO areas (id, org_id, name) VALUES (?1 || '-other', ?1, 'Field 4')", org).run();
  await sql("INSERT INTO calendars (id, org_id, name, dates) VALUES (?1 || '-k', ?1, 'Off', '[]')", org).run();
  await aSchedule(org, `${org}1`, at("20:00:00"), at("23:00:00"));
  await sql("UPDATE schedules SET calendar_id = org_id || '-k', calendar_rule = 'skip' WHERE org_id = ?", org).run();
  await inWorld(org, at("16:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:00:00"));
    await world.toggle(`${org}-lamp`, "on", { until: at("23:00:00") });
    await world.to(at("21:30:00"));
    await sql(change, at("21:30:00"), org).run();
    await world.sync();
    await world.to(at("22:50:00"));
    expect(world.lamp(`${org}-lamp`)).toBe("on");
  });
});

test("a booking that nobody served was missed, also where its area got another position meanwhile", async () => {
  await aField("gap-place");
  await aSchedule("gap-place", "gap-place1", at("18:00:00"), at("20:00:00"));
  await inWorld("gap-place", at("17:00:00"), async (world) => {
    await world.sync();
    world.die();
    const query = `UPDATE areas SET location = '{"lat":40,"lon":0}', updated_at = ? WHERE org_id = 'gap-place'`;
    await sql(query, at("19:00:00")).run();
    await world.restart(at("20:05:00"));
    await world.to(at("20:10:00"));
    expect(await notes("gap-place")).toEqual(["Practice · missed: nothing ran at the time"]);
  });
});

test.each([
  ["while it runs", "sun-now", 0],
  ["and an hour later, while nothing ran, once more", "sun-twice", 60],
])("a booking by the sun has held its light from where its area was when it began, moved %s", async (...of) => {
  const [, org, away_min] = of;
  const place = (lat: number, since: string) => ({ lat, lon: 0, since });
  const positions = [place(40, "1970-01-01T00:00:00Z"), place(40.1, at("20:40:00")), place(40.2, at("21:40:00"))];
  const move = (to: number) =>
    sql(
      "UPDATE areas SET location = ?, positions = ?, updated_at = ? WHERE org_id = ?",
      JSON.stringify({ lat: positions[to]?.lat, lon: 0 }),
      JSON.stringify(positions.slice(0, to + 1)),
      positions[to]?.since ?? "",
      org,
    ).run();
  await aField(org);
  await onlyBlackout(org);
  await move(0);
  await aSchedule(org, `${org}1`, at("19:30:00"), at("23:00:00"));
  await sql(`UPDATE schedules SET start_sun = '{"event":"sunset","offset_min":0}' WHERE org_id = ?`, org).run();
  await inWorld(org, at("15:00:00"), async (world) => {
    await world.sync();
    await world.to(at("16:30:00"));
    await world.toggle(`${org}-lamp`, "on", { until: at("23:00:00") });
    await world.to(at("20:30:00"));
    if (away_min > 0) {
      world.die();
      world.now = Date.parse(at("21:41:00"));
      await move(2);
      await world.restart(at("21:42:00"));
    } else {
      await world.to(at("20:40:00"));
      await move(1);
    }
    await world.sync();
    await world.to(at("22:50:00"));
    expect(world.lamp(`${org}-lamp`)).toBe("on");
  });
});

test("a booking that is changed from its light to the whole area while it runs has held the light until then", async () => {
  await aField("widened");
  await onlyBlackout("widened");
  await aSchedule("widened", "widened1", at("17:00:00"), at("23:00:00"), { title: "First" });
  await aSchedule("widened", "widened2", at("20:00:00"), at("23:00:00"), { title: "Second" });
  await inWorld("widened", at("16:00:00"), async (world) => {
    await world.sync();
    await world.to(at("21:30:00"));
    await sql(
      "UPDATE schedules SET device_id = NULL, area_id = org_id || '-area', target_since = ?1, updated_at = ?1 WHERE id = 'widened2'",
      at("21:30:00"),
    ).run();
    await world.sync();
    await world.to(at("23:30:00"));
    expect((await notes("widened")).filter((note) => note.includes("cut short"))).toEqual([]);
  });
});

test("a booking of a group that becomes one of its area had never held a light beside the group", async () => {
  await aField("beside", ["beside-a", "beside-b"]);
  await onlyBlackout("beside");
  await aGroup("beside", "beside-g", ["beside-a"]);
  await aSchedule("beside", "beside-1", at("18:00:00"), at("19:30:00"), { device: "beside-a" });
  await sql("UPDATE schedules SET device_id = NULL, group_id = 'beside-g' WHERE id = 'beside-1'").run();
  await inWorld("beside", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("beside-b", "on");
    await world.to(at("19:00:00"));
    world.die();
    await sql(
      `UPDATE schedules SET group_id = NULL, area_id = 'beside-area', start_at = ?1, end_at = ?2, target_since = ?3, updated_at = ?3
       WHERE id = 'beside-1'`,
      "2026-06-12T18:00:00Z",
      "2026-06-12T19:30:00Z",
      at("19:45:00"),
    ).run();
    await world.restart(at("20:00:00"));
    await world.to(at("20:10:00"));
    expect([world.lamp("beside-a"), world.lamp("beside-b")]).toEqual(["off", "on"]);
  });
});

test("a booking whose night was skipped while it ran is cut by what it had held on beyond", async () => {
  await aField("skip-run");
  await onlyBlackout("skip-run");
  await aSchedule("skip-run", "skip-run1", at("17:00:00"), at("23:00:00"), { title: "First" });
  await aSchedule("skip-run", "skip-run2", at("20:00:00"), at("23:00:00"), { title: "Second", rrule: "FREQ=DAILY" });
  await inWorld("skip-run", at("16:00:00"), async (world) => {
    await world.sync();
    const made = switches(world);
    await world.to(at("21:30:00"));
    await edit("skip-run2", "skips", JSON.stringify([{ date: "2026-06-10", reason: "" }]), at("21:30:00"));
    await world.sync();
    await world.to(at("23:30:00"));
    expect(made).toEqual(["17:00 on", "21:30 off"]);
    expect((await notes("skip-run")).filter((note) => note.includes("cut short"))).toEqual([
      "cut short: First · Off: 240 minutes reached",
    ]);
  });
});

test("a process that dies while it makes up for a gap leaves the next one to do it", async () => {
  await aField("gap-die");
  await aSchedule("gap-die", "gap-die1", at("18:00:00"), at("20:00:00"));
  for (let points = 1; points <= 12; points += 1) {
    await sql("DELETE FROM scheduler_events WHERE org_id = 'gap-die'").run();
    await inWorld("gap-die", at("16:00:00"), async (world) => {
      await pressedThenGone(world, "gap-die", at("17:00:00"));
      world.dieAfter(points, 0);
      await world.restart(at("20:05:00"));
      await world.to(at("20:06:00"));
      await world.ring();
      await world.to(at("20:30:00"));
      expect(world.lamp("gap-die-lamp"), `after ${points} steps`).toBe("off");
      const missed = (await notes("gap-die")).filter((note) => /missed|skipped|cut/.test(note));
      expect(missed, `after ${points} steps`).toHaveLength(1);
    });
  }
});

test("a gap of many windows is made up to a bound, and the log says so", async () => {
  await aField("gap-long");
  for (let n = 0; n < 300; n += 1) {
    const start = Date.parse(at("18:00:00")) + n * 60_000;
    await aSchedule("gap-long", `gap-long${n}`, new Date(start).toISOString(), new Date(start + 5_000).toISOString());
  }
  await inWorld("gap-long", at("16:00:00"), async (world) => {
    await pressedThenGone(world, "gap-long", at("17:00:00"));
    await world.restart(at("23:05:00"));
    await world.to(at("23:06:00"));
    expect(world.lamp("gap-long-lamp")).toBe("off");
    expect(world.lines.filter(({ event }) => event === "evaluations.cut")).toMatchObject([
      { level: "warn", device_id: "gap-long-lamp", reason: "more than 500 evaluations were missed" },
    ]);
  });
});
