import { testSwitch } from "#durable/requests/connectivity";
import { enqueuePoll } from "#durable/commands/polls";
import { transact } from "#durable/state/context";
import { expect, test } from "vitest";
import { toggle, toggleMany } from "#durable/requests/toggle";
import type { SwitchAction } from "#domain/enums";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, causes, deviceRow, events, notes, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const byBob = (world: World, device_id: string, action: SwitchAction) =>
  toggle(world.context, { device_id, action, actor: { id: "bob", email: "bob@parks.example" } });

test("a toggle that was sent and not yet verified is a retry once another supersedes it, and who waits is told", async () => {
  await aField("sup-a");
  await inWorld("sup-a", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:sup-a-lamp", { kind: "slow", ms: 5_000 });
    const first = byBob(world, "sup-a-lamp", "on");
    await world.calm();
    await world.to(at("12:00:01"));
    await world.toggle("sup-a-lamp", "off");
    expect(await first).toEqual({
      success: false,
      action: "on",
      state: "unknown",
      provider: null,
      detail: "Not done: replaced by a newer press",
    });
    await world.to(at("12:01:00"));
    expect(world.lamp("sup-a-lamp")).toBe("off");
    expect((await events("sup-a")).slice(0, 2)).toEqual([
      "12:00:01 manual on retry 1",
      expect.stringContaining("manual off ok 1"),
    ]);
    expect((await notes("sup-a"))[0]).toBe("Pressed by bob@parks.example · replaced by a newer press");
    expect((await causes("sup-a")).slice(0, 2)).toEqual(["replaced", "attempt"]);
  });
});

test("a toggle that never left is a fail with attempts 0 once another supersedes it", async () => {
  await aField("sup-b", ["sup-b-1", "sup-b-2"]);
  await inWorld("sup-b", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:sup-b-1", { kind: "slow", ms: 4_000 });
    void byBob(world, "sup-b-1", "on");
    await world.calm();
    void byBob(world, "sup-b-2", "on");
    await world.to(at("12:00:01"));
    await world.toggle("sup-b-2", "off");
    const told = await notes("sup-b");
    expect((await events("sup-b"))[0]).toBe("12:00:01 manual on fail 0");
    expect(told[0]).toBe("Pressed by bob@parks.example · not sent, replaced by a newer press");
    expect(world.lamp("sup-b-2")).toBe("off");
  });
});

test("lamps without a hub wait for nobody but themselves", async () => {
  await aField("sup-c", ["sup-c-1", "sup-c-2"]);
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = 'sup-c'").run();
  for (const lamp of ["sup-c-1", "sup-c-2"]) {
    await aSchedule("sup-c", `${lamp}-s`, at("18:00:00"), at("20:00:00"), { device: lamp });
  }
  await inWorld("sup-c", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:sup-c-1", { kind: "slow", ms: 7_000 });
    await world.to(at("18:00:01"));
    expect(world.lamp("sup-c-2")).toBe("on");
    expect((await deviceRow("sup-c-2")).current_state).toBe("on");
  });
});

test("each of two lit lamps that are deleted gets the OFF that it is owed", async () => {
  const lamps = ["sup-d-1", "sup-d-2"];
  await aField("sup-d", lamps);
  for (const lamp of lamps) {
    await aSchedule("sup-d", `${lamp}-s`, at("18:00:00"), at("20:00:00"), { device: lamp });
  }
  await inWorld("sup-d", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["on", "on"]);
    await sql("DELETE FROM devices WHERE org_id = 'sup-d'").run();
    await world.sync();
    await world.to(at("18:31:00"));
    expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["off", "off"]);
    expect((await events("sup-d")).slice(2)).toEqual(["18:30:08 scheduler off ok 1", "18:30:08 scheduler off ok 1"]);
  });
});

test("a toggle of a light that is deleted meanwhile is told why it was not done", async () => {
  await aField("taken");
  await inWorld("taken", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:taken-lamp", { kind: "slow", ms: 4_000 });
    const answers: (string | null)[] = [];
    world.beginToggle("taken-lamp", "on", ({ detail }) => answers.push(detail));
    await world.to(at("12:00:01"));
    await sql("DELETE FROM devices WHERE id = 'taken-lamp'").run();
    await world.sync();
    await world.to(at("12:01:00"));
    expect(answers).toEqual(["Not done: the device was deleted"]);
    expect(world.lamp("taken-lamp")).toBe("off");
  });
});

test.each(["on", "off"] as const)(
  "a toggle of a light that gets another hub meanwhile is tried by that, and says so: %s",
  async (action) => {
    const org = `rehubbed-${action}`;
    const lamp = `${org}-lamp`;
    await aField(org);
    await inWorld(org, at("12:00:00"), async (world) => {
      await world.sync();
      if (action === "off") await world.toggle(lamp, "on");
      await world.to(at("12:01:00"));
      world.fault(`lamp:${lamp}`, { kind: "slow", ms: 4_000 });
      const one = byBob(world, lamp, action);
      await world.to(at("12:01:01"));
      const all = toggleMany(world.context, {
        device_ids: [lamp],
        action,
        actor: { id: "eve", email: "eve@parks.example" },
      });
      expect((await one).detail).toBe("Not done: replaced by a newer press");
      await world.to(at("12:01:02"));
      await sql(
        "INSERT INTO hubs (id, org_id, area_id, name) VALUES (?1, ?2, ?3, 'Other')",
        `${org}-2`,
        org,
        `${org}-area`,
      ).run();
      await sql("UPDATE devices SET hub_id = ? WHERE id = ?", `${org}-2`, lamp).run();
      await world.sync();
      await world.to(at("12:02:00"));
      expect(await all).toEqual([
        { device_id: lamp, success: false, pending: true, detail: "No answer yet; still trying" },
      ]);
      expect(world.lamp(lamp)).toBe(action);
    });
  },
);

test("a call that is under way when its light is deleted is told by the light's name, to its department", async () => {
  await aField("gone");
  await sql("INSERT INTO departments (id, org_id, name) VALUES ('gone-north', 'gone', 'North')").run();
  await sql("UPDATE devices SET dept_id = 'gone-north' WHERE id = 'gone-lamp'").run();
  await inWorld("gone", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:gone-lamp", { kind: "slow", ms: 4_000 });
    world.beginToggle("gone-lamp", "on", () => undefined);
    await world.to(at("12:00:01"));
    await sql("DELETE FROM devices WHERE id = 'gone-lamp'").run();
    await world.sync();
    await world.to(at("12:01:00"));
    const { results } = await sql("SELECT device_name, dept_id FROM device_events WHERE org_id = 'gone'").all();
    // The ON, and the OFF that the lamp was owed.
    expect(results).toEqual([1, 2].map(() => ({ device_name: "gone-lamp", dept_id: "gone-north" })));
  });
});

test("what is heard of a light that was deleted meanwhile is remembered of nobody", async () => {
  for (const [org, ask] of [
    ["gone-r", "read"],
    ["gone-t", "test"],
    ["gone-o", "off"],
  ] as const) {
    await aField(org);
    const lamp = `${org}-lamp`;
    await inWorld(org, at("12:00:00"), async (world) => {
      await world.sync();
      await world.toggle(lamp, "on");
      await world.to(at("12:01:00"));
      world.fault(`lamp:${lamp}`, { kind: "slow", ms: 4_000 });
      if (ask === "read") transact(world.context, () => enqueuePoll(world.context, "read", lamp));
      if (ask === "read") world.context.startRunners();
      if (ask === "test") void testSwitch(world.context, lamp, "off");
      if (ask === "off") world.beginToggle(lamp, "off", () => undefined);
      await world.to(at("12:01:01"));
      await sql("DELETE FROM devices WHERE id = ?", lamp).run();
      await world.sync();
      await world.to(at("12:05:00"));
      expect(world.storage.sql.exec("SELECT device_id FROM device_memory").toArray(), ask).toEqual([]);
    });
  }
});

test("a light that was made and deleted between two pulls is remembered of nobody", async () => {
  await aField("brief", []);
  await inWorld("brief", at("12:00:00"), async (world) => {
    await world.sync();
    await sql(
      `INSERT INTO devices (id, org_id, area_id, hub_id, name, updated_at)
       VALUES ('brief-lamp', 'brief', 'brief-area', 'brief-hub', 'Lamp', '2026-01-01')`,
    ).run();
    await sql("DELETE FROM devices WHERE id = 'brief-lamp'").run();
    await world.sync();
    await world.to(at("12:01:00"));
    expect(world.storage.sql.exec("SELECT device_id FROM device_memory").toArray()).toEqual([]);
  });
});

test("a lamp whose light was deleted, and whose OFF fails, is remembered of nobody", async () => {
  await aField("owed");
  await inWorld("owed", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle("owed-lamp", "on");
    await world.to(at("12:01:00"));
    world.fault("lamp:owed-lamp", { kind: "silent" });
    await sql("DELETE FROM devices WHERE id = 'owed-lamp'").run();
    await world.sync();
    await world.to(at("12:05:00"));
    expect((await events("owed")).at(-1)).toMatch(/off fail/);
    expect(world.storage.sql.exec("SELECT device_id FROM device_memory").toArray()).toEqual([]);
  });
});
