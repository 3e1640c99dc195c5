import { describe, expect, test } from "vitest";
import type { Target } from "#domain/schedule/target";
import { explain } from "#durable/reconcile/explain";
import { testSwitch } from "#durable/requests/connectivity";
import { limitsSince } from "#durable/state/limits-since";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, aScheduleEach, events, messages, notes, setting, sql } from "#tests/support/light";
import { aClosure, aGroup, aPermit, aPolicy, onlyBlackout } from "#tests/support/limits";
import { switches } from "#tests/support/switches";

/** Limits by place, as the engine obeys them. The longest time on is 240 minutes, and nothing is dark unless said. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const next = (clock: string) => `2026-06-11T${clock}Z`;

/** What the light of a field is at 20:00 that a person lit at 18:00: nothing ran from 18:01 to 19:40, and `change` was made then. */
async function litWhileAway(org: string, change: () => Promise<unknown>) {
  let lamp: "on" | "off" | null = null;
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:00"));
    await world.toggle(`${org}-lamp`, "on");
    await world.to(at("18:01:00"));
    world.die();
    await change();
    await world.restart(at("19:40:00"));
    await world.to(at("20:00:00"));
    lamp = world.lamp(`${org}-lamp`);
  });
  return lamp;
}

const leave = (org: string) => sql("DELETE FROM group_devices WHERE org_id = ?", org).run();
const reopen = (id: string) => sql("DELETE FROM closures WHERE id = ?", id).run();

describe("closures", () => {
  test("a closed field goes dark at once, refuses ON with the reason, and is lit again when it is reopened", async () => {
    await aField("wet");
    await onlyBlackout("wet");
    await aSchedule("wet", "wet1", at("18:00:00"), at("22:00:00"));
    await inWorld("wet", at("17:00:00"), async (world) => {
      await world.sync();
      const made = switches(world);
      await world.to(at("19:00:00"));
      await aClosure("wet", "wet-c", at("18:50:00"), null, { at: at("19:00:00") });
      await world.sync();
      await world.to(at("19:10:00"));
      expect(await world.toggle("wet-lamp", "on")).toMatchObject({
        success: false,
        detail: "Lights may not go on, closed: wet ground",
      });
      expect(explain(world.context, ["wet-lamp"])[0]).toMatchObject({
        reason: "closure",
        closure: { id: "wet-c", reason: "wet ground", until: null },
        guardrail: null,
      });
      await world.to(at("20:00:00"));
      await reopen("wet-c");
      await world.sync();
      expect(explain(world.context, ["wet-lamp"])[0]).toMatchObject({ reason: "claim", closure: null });
      await world.to(at("23:00:00"));
      expect(made).toEqual(["18:00 on", "19:00 off", "20:00 on", "22:00 off"]);
      expect(await messages("wet")).toEqual([]);
      expect((await notes("wet")).filter((note) => note.includes("closed: wet ground"))).not.toEqual([]);
    });
  });

  test("a closure ends a person's ON for good", async () => {
    await aField("over");
    await onlyBlackout("over");
    await inWorld("over", at("17:00:00"), async (world) => {
      await aClosure("over", "over-c", at("19:00:00"), at("19:30:00"));
      await world.sync();
      await world.to(at("18:00:00"));
      const made = switches(world);
      await world.toggle("over-lamp", "on");
      await world.to(at("23:00:00"));
      expect(made).toEqual(["18:00 on", "19:00 off"]);
    });
  });

  test("a closure is told also while a blackout lasts longer", async () => {
    await aField("both");
    await onlyBlackout("both", "18:00-23:00");
    await aClosure("both", "both-c", at("17:30:00"), at("19:00:00"));
    const closure = { id: "both-c", reason: "wet ground", until: at("19:00:00.000") };
    await inWorld("both", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("18:10:00"));
      const blackout = { kind: "blackout", until: at("23:00:00.000") };
      expect(explain(world.context, ["both-lamp"])[0]).toMatchObject({ closure, guardrail: blackout });
      await world.to(at("19:00:00"));
      expect(explain(world.context, ["both-lamp"])[0]).toMatchObject({ closure: null, guardrail: blackout });
    });
  });

  test("two closures that overlap keep it dark until the later one ends", async () => {
    await aField("twice");
    await onlyBlackout("twice");
    await aSchedule("twice", "twice1", at("18:00:00"), at("22:00:00"));
    await aClosure("twice", "twice-a", at("18:30:00"), at("19:30:00"));
    await aClosure("twice", "twice-b", at("19:00:00"), at("20:00:00"), { reason: "new turf" });
    await inWorld("twice", at("17:00:00"), async (world) => {
      await world.sync();
      const made = switches(world);
      await world.to(at("19:10:00"));
      expect((await world.toggle("twice-lamp", "on")).detail).toBe(
        "Lights may not go on, closed until Jun 10, 8:00 PM: new turf",
      );
      const [{ closure } = { closure: null }] = explain(world.context, ["twice-lamp"]);
      expect(closure).toEqual({ id: "twice-b", reason: "new turf", until: at("20:00:00.000") });
      await world.to(at("23:00:00"));
      expect(made).toEqual(["18:00 on", "18:30 off", "20:00 on", "22:00 off"]);
    });
  });

  test("a closure of a group or a light leaves the others of the area alone", async () => {
    const lamps = ["near", "far", "alone"].map((name) => `part-${name}`);
    await aField("part", lamps);
    await onlyBlackout("part");
    await aGroup("part", "part-g", ["part-near"]);
    await aScheduleEach("part", lamps, at("18:00:00"), at("20:00:00"));
    await aClosure("part", "part-c", at("17:00:00"), null, { target: { type: "group", id: "part-g" } });
    await aClosure("part", "part-d", at("17:00:00"), null, { target: { type: "device", id: "part-alone" } });
    await inWorld("part", at("17:30:00"), async (world) => {
      await world.sync();
      await world.to(at("18:10:00"));
      expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["off", "on", "off"]);
      await sql("DELETE FROM group_devices WHERE device_id = 'part-near'").run();
      await world.sync();
      await world.to(at("18:20:00"));
      expect(world.lamp("part-near")).toBe("on");
    });
  });

  test("a closure that begins while nothing runs is made up for: the ON that it ended does not come back", async () => {
    await aField("gap");
    await onlyBlackout("gap");
    await aClosure("gap", "gap-c", at("19:00:00"), at("19:30:00"));
    await inWorld("gap", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("18:30:00"));
      await world.toggle("gap-lamp", "on");
      await world.to(at("18:31:00"));
      world.die();
      const made = switches(world);
      await world.restart(at("19:40:00"));
      await world.to(at("20:00:00"));
      expect(made).toEqual(["19:40 off"]);
    });
  });

  test("a closure made while nothing ran closes from when it was made, not before", async () => {
    await aField("late");
    await onlyBlackout("late");
    await inWorld("late", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("18:00:00"));
      world.setDatabaseDown(true);
      await world.to(at("18:20:00"));
      await aClosure("late", "late-c", at("18:00:00"), at("18:30:00"), { at: at("18:31:00") });
      await world.to(at("18:29:00"));
      await world.toggle("late-lamp", "on");
      await world.to(at("18:40:00"));
      world.setDatabaseDown(false);
      await world.sync();
      await world.to(at("18:50:00"));
      expect(world.lamp("late-lamp")).toBe("on");
    });
  });

  test("an ON that waits for its next try does not leave for a place that was closed meanwhile", async () => {
    await aField("turn");
    await onlyBlackout("turn");
    await aSchedule("turn", "turn1", at("18:00:00"), at("22:00:00"));
    await inWorld("turn", at("17:00:00"), async (world) => {
      await world.sync();
      world.fault("lamp:turn-lamp", { kind: "offline" });
      const made = switches(world);
      await world.to(at("18:00:05"));
      await aClosure("turn", "turn-c", at("18:00:05"), null, { at: at("18:00:05") });
      await world.sync();
      world.fault("lamp:turn-lamp");
      await world.to(at("18:30:00"));
      expect(made.filter((line) => line.endsWith("on"))).toEqual(["18:00 on"]);
      expect(world.lamp("turn-lamp")).not.toBe("on");
    });
  });

  test("a connectivity test of a closed light is refused with the reason", async () => {
    await aField("probe");
    await onlyBlackout("probe");
    await aClosure("probe", "probe-c", at("17:00:00"), null);
    await inWorld("probe", at("17:30:00"), async (world) => {
      await world.sync();
      const answer = await testSwitch(world.context, "probe-lamp", "on");
      expect(answer.action_result).toMatchObject({ success: false, error: "Lights may not go on, closed: wet ground" });
    });
  });
});

describe("permits", () => {
  test("a permit lifts the curfew, but max on cuts before it begins", async () => {
    await aField("cup");
    await onlyBlackout("cup");
    await setting("cup", "HARD_CURFEW_OFF", "22:00").run();
    await aSchedule("cup", "cup1", at("17:00:00"), at("23:30:00"));
    await aPermit("cup", "cup-p", at("22:00:00"), at("23:30:00"));
    await inWorld("cup", at("16:00:00"), async (world) => {
      await world.sync();
      const made = switches(world);
      await world.to(next("05:00:00"));
      expect(made).toEqual(["17:00 on", "21:00 off"]);
    });
  });

  test("with a longer max on the permit keeps the light on to its end; taken back, the curfew bites at once", async () => {
    for (const org of ["final", "rain"]) {
      await aField(org);
      await onlyBlackout(org);
      await setting(org, "HARD_CURFEW_OFF", "22:00").run();
      await setting(org, "MAX_ON_DURATION_MIN", 480).run();
      await aSchedule(org, `${org}1`, at("17:00:00"), at("23:30:00"));
      await aPermit(org, `${org}-p`, at("22:00:00"), at("23:30:00"));
      await inWorld(org, at("16:00:00"), async (world) => {
        await world.sync();
        const made = switches(world);
        await world.to(at("22:40:00"));
        if (org === "rain") await sql("DELETE FROM permits WHERE id = 'rain-p'").run();
        await world.sync();
        await world.to(next("05:00:00"));
        expect(made).toEqual(["17:00 on", org === "rain" ? "22:40 off" : "23:30 off"]);
      });
    }
  });

  test("minutes under a permit count, so max on bites at its end", async () => {
    await aField("count");
    await onlyBlackout("count");
    await aSchedule("count", "count1", at("17:00:00"), at("23:00:00"));
    await aPermit("count", "count-p", at("20:00:00"), at("22:00:00"));
    await inWorld("count", at("16:00:00"), async (world) => {
      await world.sync();
      const made = switches(world);
      await world.to(at("23:30:00"));
      expect(made).toEqual(["17:00 on", "22:00 off"]);
    });
  });

  test("a person may switch on in a permit, and a closure beats it", async () => {
    await aField("lift");
    await onlyBlackout("lift");
    await setting("lift", "BLACKOUT_WINDOW", "17:00-23:00").run();
    await aPermit("lift", "lift-p", at("18:00:00"), at("20:00:00"));
    await inWorld("lift", at("16:00:00"), async (world) => {
      await world.sync();
      await world.to(at("17:30:00"));
      expect((await world.toggle("lift-lamp", "on")).success).toBe(false);
      await world.to(at("18:00:00"));
      expect((await world.toggle("lift-lamp", "on")).success).toBe(true);
      await aClosure("lift", "lift-c", at("18:30:00"), null);
      await world.sync();
      await world.to(at("18:40:00"));
      expect(world.lamp("lift-lamp")).toBe("off");
      expect((await world.toggle("lift-lamp", "on")).detail).toBe("Lights may not go on, closed: wet ground");
    });
  });
});

describe("permits that go", () => {
  test.each([
    ["what a person lit goes on", "permit-hold", false],
    ["its own booking is not cut", "permit-own", true],
  ])("a light that moves away from where a permit let it burn has burned by it: %s", async (_, org, isBooked) => {
    await aField(org);
    await onlyBlackout(org, "19:00-20:00");
    await sql("INSERT INTO areas (id, org_id, name) VALUES (?1 || '-there', ?1, 'There')", org).run();
    await aPermit(org, `${org}-p`, at("18:00:00"), at("23:00:00"));
    if (isBooked) await aSchedule(org, `${org}1`, at("18:30:00"), at("22:00:00"));
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("18:40:00"));
      if (!isBooked) await world.toggle(`${org}-lamp`, "on", { until: at("22:00:00") });
      await world.to(at("21:00:00"));
      await sql(
        "UPDATE devices SET area_id = ?1 || '-there', area_since = ?2, updated_at = ?2 WHERE org_id = ?1",
        org,
        at("21:00:00"),
      ).run();
      await world.sync();
      await world.to(at("21:50:00"));
      expect(world.lamp(`${org}-lamp`)).toBe("on");
      expect((await notes(org)).filter((note) => note.includes("cut short"))).toEqual([]);
    });
  });

  test("a permit that is over and deleted has let burn what it did: nothing is cut, and no light goes off", async () => {
    await aField("tidy", ["tidy-booked", "tidy-pressed"]);
    await onlyBlackout("tidy", "20:00-20:30");
    await setting("tidy", "MAX_ON_DURATION_MIN", 600).run();
    await aPermit("tidy", "tidy-p", at("19:50:00"), at("20:40:00"));
    await aSchedule("tidy", "tidy1", at("18:00:00"), at("23:00:00"), { device: "tidy-booked" });
    await inWorld("tidy", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("19:00:00"));
      await world.toggle("tidy-pressed", "on");
      await world.to(at("21:00:00"));
      const made = switches(world);
      await sql("DELETE FROM permits WHERE id = 'tidy-p'").run();
      await world.sync();
      await world.to(at("22:00:00"));
      expect(made).toEqual([]);
      expect((await notes("tidy")).filter((note) => note.includes("cut short"))).toEqual([]);
      expect(limitsSince(world.context.sql).gone).toEqual({ "area:tidy-area": Date.parse(at("21:00:00")) });
    });
  });

  /** While nothing ran, from 18:01 to 19:40; the blackout is from 18:30 to 19:00. */
  const lifted = (org: string, more: { target?: Target; at?: string } = {}) =>
    aPermit(org, `${org}-p`, at("18:20:00"), at("19:10:00"), more);
  const takenBack = (org: string) => sql("DELETE FROM permits WHERE id = ?", `${org}-p`).run();
  const anew = (org: string) => sql("DELETE FROM changes WHERE org_id = ?", org).run();
  const replaced = async (org: string) => {
    await takenBack(org);
    await aPermit(org, `${org}-q`, at("18:50:00"), at("19:30:00"), { at: at("18:50:00") });
  };

  test.each<[string, string, (org: string) => Promise<unknown>, (org: string) => Promise<unknown>]>([
    ["is deleted", "lift-gone", lifted, takenBack],
    ["is replaced by another", "lift-other", lifted, replaced],
    [
      "is replaced by another, where all is read anew",
      "lift-anew",
      lifted,
      async (org) => {
        await replaced(org);
        await anew(org);
      },
    ],
    [
      "is for a group that its light leaves",
      "lift-left",
      (org) => lifted(org, { target: { type: "group", id: `${org}-g` } }),
      leave,
    ],
    [
      "is deleted with its group",
      "lift-group",
      (org) => lifted(org, { target: { type: "group", id: `${org}-g` } }),
      (org) => sql("DELETE FROM device_groups WHERE org_id = ?", org).run(),
    ],
    [
      "is deleted where the light has come to",
      "lift-there",
      (org) => lifted(org, { target: { type: "area", id: `${org}-there` } }),
      async (org) => {
        await sql(
          "UPDATE devices SET area_id = ?1 || '-there', area_since = ?2, updated_at = ?2 WHERE org_id = ?1",
          org,
          at("18:10:00"),
        ).run();
        await takenBack(org);
      },
    ],
  ])("what a permit let burn that %s while nothing ran burns on", async (_, org, given, change) => {
    await aField(org);
    await onlyBlackout(org, "18:30-19:00");
    await sql("INSERT INTO areas (id, org_id, name, type) VALUES (?1 || '-there', ?1, 'There', 'field')", org).run();
    await aGroup(org, `${org}-g`, [`${org}-lamp`]);
    await given(org);
    expect(await litWhileAway(org, () => change(org))).toBe("on");
  });

  const joinAgain = async (org: string) => {
    await leave(org);
    await sql(
      "INSERT INTO group_devices (org_id, group_id, device_id, added_at) VALUES (?1, ?1 || '-g', ?1 || '-lamp', ?2)",
      org,
      at("19:30:00"),
    ).run();
  };

  /** The area has another one, which stays. */
  test.each([
    ["leaves, where that of its area began later", "both-later", at("18:45:00"), at("19:10:00"), leave],
    ["leaves, where that of its area ended sooner", "both-sooner", at("18:20:00"), at("18:45:00"), leave],
    ["leaves and joins again", "both-again", at("18:20:00"), at("18:25:00"), joinAgain],
  ])(
    "what a permit let burn of a group that its light %s while nothing ran burns on",
    async (_, org, from, to, change) => {
      await aField(org);
      await onlyBlackout(org, "18:30-19:00");
      await aGroup(org, `${org}-g`, [`${org}-lamp`]);
      await lifted(org, { target: { type: "group", id: `${org}-g` } });
      await aPermit(org, `${org}-q`, from, to);
      expect(await litWhileAway(org, () => change(org))).toBe("on");
    },
  );

  test("a permit that stays while its light leaves a group leaves what was ended as it was", async () => {
    await aField("stays");
    await onlyBlackout("stays", "18:30-19:00");
    await aGroup("stays", "stays-g", ["stays-lamp"]);
    await aPermit("stays", "stays-p", at("18:20:00"), at("18:25:00"));
    expect(await litWhileAway("stays", () => leave("stays"))).toBe("off");
  });

  test.each<[string, string, (org: string) => Promise<unknown>]>([
    ["had not begun", "soon", (org) => aPermit(org, `${org}-p`, at("19:50:00"), at("20:10:00"))],
    ["was for another light", "aside", (org) => lifted(org, { target: { type: "device", id: `${org}-other` } })],
  ])("a permit that %s, and goes while nothing ran, leaves what was ended as it was", async (_, org, given) => {
    await aField(org, [`${org}-lamp`, `${org}-other`]);
    await onlyBlackout(org, "18:30-19:00");
    await given(org);
    expect(await litWhileAway(org, () => takenBack(org))).toBe("off");
  });
});

describe("policies", () => {
  test("a path burns from dusk to dawn beside fields that are dark at ten", async () => {
    await aField("city", ["path-lamp", "field-lamp"]);
    await sql("INSERT INTO areas (id, org_id, name, type) VALUES ('city-path', 'city', 'Path', 'path')").run();
    await sql("UPDATE devices SET area_id = 'city-path', hub_id = NULL WHERE id = 'path-lamp'").run();
    await aPolicy("city", "type", "path", { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "", MAX_ON_DURATION_MIN: 960 });
    await aPolicy("city", "type", "field", { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "22:00-05:00" });
    for (const lamp of ["path-lamp", "field-lamp"]) {
      await aSchedule("city", `s-${lamp}`, at("20:36:00"), next("05:12:00"), { device: lamp });
    }
    await inWorld("city", at("20:00:00"), async (world) => {
      await world.sync();
      await world.to(at("21:59:00"));
      expect([world.lamp("path-lamp"), world.lamp("field-lamp")]).toEqual(["on", "on"]);
      await world.to(at("22:01:00"));
      expect([world.lamp("path-lamp"), world.lamp("field-lamp")]).toEqual(["on", "off"]);
      expect((await world.toggle("field-lamp", "on")).detail).toBe(
        "Lights may not go on during the blackout, until 5:00 AM",
      );
      await world.to(next("05:11:00"));
      expect([world.lamp("path-lamp"), world.lamp("field-lamp")]).toEqual(["on", "on"]);
      await world.to(next("05:20:00"));
      expect([world.lamp("path-lamp"), world.lamp("field-lamp")]).toEqual(["off", "off"]);
    });
  });

  test("without a longest time on a booking is uncut, and a plain ON takes the organization's", async () => {
    await aField("free", ["free-booked", "free-pressed"]);
    await onlyBlackout("free");
    await aPolicy("free", "area", "free-area", { MAX_ON_DURATION_MIN: 0 });
    await aSchedule("free", "free1", at("12:00:00"), at("20:00:00"), { device: "free-booked" });
    await inWorld("free", at("11:00:00"), async (world) => {
      await world.sync();
      await world.to(at("12:00:00"));
      await world.toggle("free-pressed", "on");
      await world.to(at("15:59:00"));
      expect([world.lamp("free-booked"), world.lamp("free-pressed")]).toEqual(["on", "on"]);
      await world.to(at("16:01:00"));
      expect([world.lamp("free-booked"), world.lamp("free-pressed")]).toEqual(["on", "off"]);
      await world.to(at("19:59:00"));
      expect(world.lamp("free-booked")).toBe("on");
    });
  });

  test("a group's policy darkens its lamps and no other", async () => {
    await aField("team", ["team-in", "team-out"]);
    await onlyBlackout("team");
    await aGroup("team", "team-group", ["team-in"]);
    await aPolicy("team", "group", "team-group", { BLACKOUT_WINDOW: "20:00-23:00" });
    await aScheduleEach("team", ["team-in", "team-out"], at("18:00:00"), at("21:00:00"));
    await inWorld("team", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("19:59:00"));
      expect([world.lamp("team-in"), world.lamp("team-out")]).toEqual(["on", "on"]);
      await world.to(at("20:01:00"));
      expect([world.lamp("team-in"), world.lamp("team-out")]).toEqual(["off", "on"]);
    });
  });

  test("a policy is obeyed at once, and so is its removal", async () => {
    await aField("once");
    await onlyBlackout("once");
    await aSchedule("once", "once1", at("18:00:00"), at("22:00:00"));
    await inWorld("once", at("17:00:00"), async (world) => {
      await world.sync();
      const made = switches(world);
      await world.to(at("19:00:00"));
      await aPolicy("once", "area", "once-area", { BLACKOUT_WINDOW: "18:00-23:00" }, at("19:00:00"));
      await world.sync();
      await world.to(at("20:00:00"));
      await sql("DELETE FROM policies WHERE org_id = 'once'").run();
      await world.sync();
      await world.to(at("23:00:00"));
      expect(made).toEqual(["18:00 on", "19:00 off", "20:00 on", "22:00 off"]);
    });
  });

  test("a policy that was not in force while nothing ran ends nothing of that time", async () => {
    await aField("then");
    await onlyBlackout("then");
    const lamp = await litWhileAway("then", async () => {
      await aPolicy("then", "area", "then-area", { BLACKOUT_WINDOW: "18:30-19:00" }, at("19:30:00"));
    });
    expect(lamp).toBe("on");
  });

  test("what a policy that came while nothing ran ended after that stays ended", async () => {
    await aField("came");
    await onlyBlackout("came");
    const lamp = await litWhileAway("came", async () => {
      await aPolicy("came", "area", "came-area", { BLACKOUT_WINDOW: "18:30-19:00" }, at("18:20:00"));
    });
    expect(lamp).toBe("off");
  });

  test("what a light's own policy ended while nothing ran stays ended, whatever the organization changed meanwhile", async () => {
    await aField("own");
    await onlyBlackout("own");
    await setting("own", "MAX_ON_DURATION_MIN", 240).run();
    await aPolicy("own", "area", "own-area", { BLACKOUT_WINDOW: "18:30-19:00" });
    const lamp = await litWhileAway("own", async () => {
      await setting("own", "BLACKOUT_WINDOW", "03:00-04:00", at("19:30:00")).run();
    });
    expect(lamp).toBe("off");
  });

  test("a policy that goes while nothing ran leaves what other lights' limits ended as it was", async () => {
    const lamps = ["gone-own", "gone-other"];
    await aField("gone", lamps);
    await onlyBlackout("gone", "18:30-19:00");
    await aGroup("gone", "gone-g", ["gone-own"]);
    await aPolicy("gone", "group", "gone-g", { BLACKOUT_WINDOW: "" });
    await inWorld("gone", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("18:00:00"));
      for (const lamp of lamps) await world.toggle(lamp, "on");
      await world.to(at("18:01:00"));
      world.die();
      await sql("DELETE FROM policies WHERE org_id = 'gone'").run();
      await world.restart(at("19:40:00"));
      await world.to(at("20:00:00"));
      expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["on", "off"]);
    });
  });

  /** Both come with one pull: the row of what is younger says nothing of when the other was. */
  test.each([
    [
      "limits of the city",
      "left",
      (org: string) => setting(org, "BLACKOUT_WINDOW", "18:30-19:00", at("18:10:00")).run(),
    ],
    [
      "another group",
      "joined",
      async (org: string) => {
        await aGroup(org, `${org}-h`, []);
        await aPolicy(org, "group", `${org}-h`, { BLACKOUT_WINDOW: "18:30-19:00" });
        await sql(
          "INSERT INTO group_devices (org_id, group_id, device_id, added_at) VALUES (?1, ?1 || '-h', ?1 || '-lamp', ?2)",
          org,
          at("18:10:00"),
        ).run();
      },
    ],
  ])(
    "what a light's group had kept from it while nothing ran ends nothing, also where %s came then",
    async (_, org, change) => {
      await aField(org);
      await onlyBlackout(org);
      await aGroup(org, `${org}-g`, [`${org}-lamp`]);
      await aPolicy(org, "group", `${org}-g`, { BLACKOUT_WINDOW: "" });
      const lamp = await litWhileAway(org, async () => {
        await change(org);
        await sql("DELETE FROM group_devices WHERE group_id = ?", `${org}-g`).run();
      });
      expect(lamp).toBe("on");
    },
  );

  test.each<[string, string, (org: string) => Promise<unknown>]>([
    ["leaves its group", "whole-left", leave],
    [
      "leaves its group, and its policy goes",
      "whole-policy",
      async (org) => {
        await leave(org);
        await sql("DELETE FROM policies WHERE org_id = ?", org).run();
      },
    ],
    [
      "has its group deleted",
      "whole-group",
      async (org) => {
        await sql("DELETE FROM policies WHERE org_id = ?", org).run();
        await sql("DELETE FROM device_groups WHERE org_id = ?", org).run();
      },
    ],
    [
      "has its area made one of another type",
      "whole-type",
      async (org) => {
        await leave(org);
        await aPolicy(org, "type", "path", { BLACKOUT_WINDOW: "18:30-19:00" });
        await sql("UPDATE areas SET type = 'path' WHERE org_id = ?", org).run();
      },
    ],
  ])("a light that %s while nothing ran was not dark before, also where all is read anew", async (_, org, change) => {
    await aField(org);
    await onlyBlackout(org, org === "whole-type" ? "" : "18:30-19:00");
    await aGroup(org, `${org}-g`, [`${org}-lamp`]);
    await aPolicy(org, "group", `${org}-g`, { BLACKOUT_WINDOW: "" });
    const lamp = await litWhileAway(org, async () => {
      await change(org);
      await sql("DELETE FROM changes WHERE org_id = ?", org).run();
    });
    expect(lamp).toBe("on");
  });

  test.each([
    ["once, where it lets go of all", "all", [], ["area:let-all-area"]],
    [
      "for each, where another says the same to one",
      "some",
      ["let-some-3"],
      ["device:let-some-1", "device:let-some-2"],
    ],
  ])("a policy that goes is noted %s", async (_, name, others, noted) => {
    const org = `let-${name}`;
    await aField(
      org,
      [1, 2, 3].map((n) => `${org}-${n}`),
    );
    await aGroup(org, `${org}-g`, others);
    for (const scope of ["area", "group"] as const)
      await aPolicy(org, scope, `${org}-${scope === "area" ? scope : "g"}`, { BLACKOUT_WINDOW: "03:00-04:00" });
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      await sql("DELETE FROM policies WHERE org_id = ? AND scope = 'area'", org).run();
      await world.sync();
      expect(Object.keys(limitsSince(world.context.sql).gone)).toEqual(noted);
    });
  });

  test.each([
    ["said nothing", {}],
    ["another one came before", { BLACKOUT_WINDOW: "" }],
  ])(
    "a policy that goes while nothing ran, of which a light had nothing since it %s, leaves what was ended as it was",
    async (_, said) => {
      const org = `had-${Object.keys(said).length}`;
      await aField(org);
      await onlyBlackout(org);
      await aGroup(org, `${org}-g`, [`${org}-lamp`]);
      await aPolicy(org, "group", `${org}-g`, { BLACKOUT_WINDOW: "18:30-19:00" });
      await aPolicy(org, "area", `${org}-area`, said);
      const lamp = await litWhileAway(org, async () => {
        await sql("DELETE FROM policies WHERE scope_id = ?", `${org}-area`).run();
      });
      expect(lamp).toBe("off");
    },
  );

  test.each([
    [
      "moved",
      (org: string) =>
        sql(
          "UPDATE devices SET area_id = 'moved-there', area_since = ?2, updated_at = ?2 WHERE org_id = ?1",
          org,
          at("18:10:00"),
        ),
    ],
    [
      "joins",
      (org: string) =>
        sql(
          "INSERT INTO group_devices (org_id, group_id, device_id, added_at) VALUES (?1, ?1 || '-g', ?1 || '-lamp', ?2)",
          org,
          at("18:10:00"),
        ),
    ],
  ])(
    "a light that %s to where a policy goes while nothing ran was not dark while that let it burn",
    async (org, come) => {
      await aField(org);
      await onlyBlackout(org, "18:30-19:00");
      await sql("INSERT INTO areas (id, org_id, name, type) VALUES (?1 || '-there', ?1, 'There', 'field')", org).run();
      await aGroup(org, `${org}-g`, []);
      await aPolicy(org, "area", `${org}-area`, { BLACKOUT_WINDOW: "" });
      await aPolicy(org, "area", `${org}-there`, { BLACKOUT_WINDOW: "" });
      await aPolicy(org, "group", `${org}-g`, { BLACKOUT_WINDOW: "03:00-04:00" });
      if (org === "joins") await sql("DELETE FROM policies WHERE scope_id = 'joins-area'").run();
      const lamp = await litWhileAway(org, async () => {
        await come(org).run();
        await sql("DELETE FROM policies WHERE org_id = ? AND scope_id <> ?", org, `${org}-area`).run();
      });
      expect(lamp).toBe("on");
    },
  );

  test.each([
    ["in its changes", "retyped", []],
    ["where all is read anew", "retyped-anew", ["DELETE FROM changes WHERE org_id = ?"]],
  ])(
    "a light that moves to an area that is made one of another type after that was not dark before, %s",
    async (_, org, more) => {
      await aField(org);
      await onlyBlackout(org);
      await sql("INSERT INTO areas (id, org_id, name, type) VALUES (?1 || '-there', ?1, 'There', 'field')", org).run();
      await aPolicy(org, "type", "path", { BLACKOUT_WINDOW: "18:30-19:00" });
      const lamp = await litWhileAway(org, async () => {
        await sql(
          "UPDATE devices SET area_id = ?1 || '-there', area_since = ?2, updated_at = ?2 WHERE org_id = ?1",
          org,
          at("18:10:00"),
        ).run();
        await sql("UPDATE areas SET type = 'path', updated_at = ? WHERE id = ?", at("19:20:00"), `${org}-there`).run();
        for (const query of more) await sql(query, org).run();
      });
      expect(lamp).toBe("on");
    },
  );

  test("what a policy said is not known for two days after it went, whatever goes meanwhile, and then forgotten", async () => {
    await aField("two");
    const goes = async (world: World, type: string) => {
      await aPolicy("two", "type", type, { MAX_ON_DURATION_MIN: 60 });
      await sql("UPDATE areas SET type = ? WHERE org_id = 'two'", type).run();
      await world.sync();
      await sql("DELETE FROM policies WHERE org_id = 'two'").run();
      await world.sync();
      return limitsSince(world.context.sql).gone;
    };
    await inWorld("two", at("17:00:00"), async (world) => {
      await world.sync();
      await goes(world, "park");
      await world.to("2026-06-12T16:59:59Z");
      const first = { "type:park": Date.parse(at("17:00:00")) };
      expect(await goes(world, "path")).toMatchObject({ ...first, "type:path": Date.parse("2026-06-12T16:59:59Z") });
      await world.to("2026-06-14T10:00:00Z");
      expect(Object.keys(await goes(world, "river"))).not.toContain("type:park");
    });
  });

  test("a light that moves to an area that has another name since, and is of its type, obeyed the limits from then on", async () => {
    await aField("named");
    await onlyBlackout("named", "18:30-19:00");
    await sql("INSERT INTO areas (id, org_id, name, type) VALUES ('named-there', 'named', 'There', 'field')").run();
    const lamp = await litWhileAway("named", async () => {
      await sql(
        "UPDATE devices SET area_id = 'named-there', area_since = ?1, updated_at = ?1 WHERE org_id = 'named'",
        at("18:10:00"),
      ).run();
      await sql("UPDATE areas SET name = 'Here' WHERE id = 'named-there'").run();
      await aGroup("named", "named-g", ["named-lamp"]);
    });
    expect(lamp).toBe("off");
  });

  test("a light whose area is made one of another type while nothing ran was not dark before by that type's limits", async () => {
    await aField("turned");
    await onlyBlackout("turned");
    await aPolicy("turned", "type", "path", { BLACKOUT_WINDOW: "18:30-19:00" });
    const retype = () => sql("UPDATE areas SET type = 'path', updated_at = ? WHERE org_id = 'turned'", at("19:20:00"));
    expect(await litWhileAway("turned", () => retype().run())).toBe("on");
  });

  test("a light that moves to an area with a policy of its own was not dark before by that", async () => {
    await aField("moved-in");
    await onlyBlackout("moved-in");
    await sql("INSERT INTO areas (id, org_id, name, type) VALUES ('moved-in-park', 'moved-in', 'There', 'park')").run();
    await aPolicy("moved-in", "area", "moved-in-park", { BLACKOUT_WINDOW: "18:30-19:00" });
    const move =
      "UPDATE devices SET area_id = 'moved-in-park', area_since = ?1, updated_at = ?1 WHERE org_id = 'moved-in'";
    expect(await litWhileAway("moved-in", () => sql(move, at("19:20:00")).run())).toBe("on");
  });

  test("what the city's limits ended since they changed stays ended where its light left a group without limits then", async () => {
    await aField("plain");
    await onlyBlackout("plain");
    await aGroup("plain", "plain-g", ["plain-lamp"]);
    const lamp = await litWhileAway("plain", async () => {
      await setting("plain", "BLACKOUT_WINDOW", "18:30-19:00", at("18:10:00")).run();
      await leave("plain");
    });
    expect(lamp).toBe("off");
  });

  test("what the limits of where a light has moved to ended since then stays ended where its groups changed, too", async () => {
    await aField("there");
    await onlyBlackout("there");
    await sql("INSERT INTO areas (id, org_id, name, type) VALUES ('there-park', 'there', 'There', 'park')").run();
    await aPolicy("there", "area", "there-park", { BLACKOUT_WINDOW: "18:30-19:00" });
    await aGroup("there", "there-g", ["there-lamp"]);
    const lamp = await litWhileAway("there", async () => {
      await sql(
        "UPDATE devices SET area_id = 'there-park', area_since = ?1, updated_at = ?1 WHERE org_id = 'there'",
        at("18:10:00"),
      ).run();
      await leave("there");
    });
    expect(lamp).toBe("off");
  });

  test("a light that comes with the pull in which its area's policy goes is lit", async () => {
    await aField("fresh");
    await onlyBlackout("fresh");
    await aPolicy("fresh", "area", "fresh-area", { BLACKOUT_WINDOW: "18:00-23:00" });
    await inWorld("fresh", at("17:00:00"), async (world) => {
      await world.sync();
      await sql(
        "INSERT INTO devices (id, org_id, area_id, hub_id, name) VALUES ('fresh-new', 'fresh', 'fresh-area', 'fresh-hub', 'New')",
      ).run();
      await aSchedule("fresh", "fresh1", at("18:00:00"), at("20:00:00"), { device: "fresh-new" });
      await sql("DELETE FROM policies WHERE org_id = 'fresh'").run();
      await world.sync();
      await world.to(at("18:30:00"));
      expect(world.lamp("fresh-new")).toBe("on");
    });
  });

  test("a policy that was made and deleted while nothing ran leaves what was ended as it was", async () => {
    await aField("brief");
    await onlyBlackout("brief", "18:30-19:00");
    const lamp = await litWhileAway("brief", async () => {
      await aPolicy("brief", "area", "brief-area", { MAX_ON_DURATION_MIN: 60 }, at("19:10:00"));
      await sql("DELETE FROM policies WHERE org_id = 'brief'").run();
    });
    expect(lamp).toBe("off");
  });

  test("a policy of one area looks only at its lights", async () => {
    const lamps = Array.from({ length: 40 }, (_, n) => `only-${n}`);
    await aField("only", lamps);
    await onlyBlackout("only");
    await sql("INSERT INTO areas (id, org_id, name, type) VALUES ('only-small', 'only', 'Small', 'river')").run();
    await sql("UPDATE devices SET area_id = 'only-small', hub_id = NULL WHERE id IN ('only-0', 'only-1')").run();
    await inWorld("only", at("17:00:00"), async (world) => {
      await world.sync();
      const lookedSince = (instant: string) =>
        world.storage.sql
          .exec<{ device_id: string }>(
            "SELECT device_id FROM device_memory WHERE reconciled_at >= ? ORDER BY device_id",
            Date.parse(instant),
          )
          .toArray()
          .map(({ device_id }) => device_id);
      await world.to(at("17:30:00"));
      await aPolicy("only", "area", "only-small", { MAX_ON_DURATION_MIN: 60 });
      await world.sync();
      expect(lookedSince(at("17:30:00"))).toEqual(["only-0", "only-1"]);
      await world.to(at("17:40:00"));
      await aPolicy("only", "type", "river", { MAX_ON_DURATION_MIN: 90 });
      await aClosure("only", "only-c", at("18:00:00"), null, { target: { type: "device", id: "only-7" } });
      await world.sync();
      expect(lookedSince(at("17:40:00"))).toEqual(["only-0", "only-1", "only-7"]);
      await world.to(at("17:50:00"));
      await sql("DELETE FROM closures WHERE id = 'only-c'").run();
      await aPermit("only", "only-p", at("18:00:00"), at("19:00:00"), { target: { type: "device", id: "only-9" } });
      await world.sync();
      expect(lookedSince(at("17:50:00"))).toEqual(["only-7", "only-9"]);
    });
  });
});

describe("records", () => {
  test("a window that was never lit because it was closed has one record, which says so, and nobody is told", async () => {
    await aField("shut");
    await onlyBlackout("shut");
    await aSchedule("shut", "shut1", at("18:00:00"), at("20:00:00"));
    await aClosure("shut", "shut-c", at("17:00:00"), null);
    await inWorld("shut", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("20:30:00"));
      expect(await events("shut")).toEqual(["20:00:00 scheduler on fail 0"]);
      expect(await notes("shut")).toEqual(["Practice · closed: wet ground"]);
      expect(await messages("shut")).toEqual([]);
    });
  });

  test("a window that a closure darkens has that record then, once, also where it is lit again", async () => {
    await aField("torn");
    await onlyBlackout("torn");
    await aSchedule("torn", "torn1", at("18:00:00"), at("22:00:00"));
    await aClosure("torn", "torn-a", at("19:00:00"), at("20:00:00"));
    await aClosure("torn", "torn-b", at("21:00:00"), null);
    await inWorld("torn", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("22:30:00"));
      expect((await notes("torn")).filter((note) => note.includes("cut short"))).toEqual([
        "cut short: Practice · closed: wet ground",
      ]);
      expect(await messages("torn")).toEqual([]);
    });
  });

  test("a window that is closed at first and reopened while it runs is ok", async () => {
    await aField("open");
    await onlyBlackout("open");
    await aSchedule("open", "open1", at("18:00:00"), at("22:00:00"));
    await aClosure("open", "open-c", at("17:00:00"), at("19:00:00"));
    await inWorld("open", at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("21:00:00"));
      expect(await events("open")).toEqual([expect.stringMatching(/^19:00:\d\d scheduler on ok 1$/)]);
    });
  });
});
