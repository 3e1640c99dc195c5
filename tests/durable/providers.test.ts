import { expect, test } from "vitest";
import { aCity, snippets, spendAccount, vendorId } from "#tests/support/a-city";
import { inWorldOfLateRows as inWorld, type World } from "#tests/support/engine";
import { aSchedule, aScheduleEach, events, messages, notes, setting } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

async function lightUp(world: World, until: string): Promise<void> {
  await world.sync();
  await world.to(until);
}

test("hub unplugged in the middle of the evening: the cloud takes over in the same command, and local is first again", async () => {
  const city = await aCity("hy", "hybrid", 1, 3);
  const [first = "", second = "", third = ""] = city.lamps;
  await aSchedule("hy", "hy1", at("18:00:00"), at("23:00:00"), { device: first });
  await aSchedule("hy", "hy2", at("19:00:00"), at("23:00:00"), { device: second });
  await aSchedule("hy", "hy3", at("20:00:00"), at("23:00:00"), { device: third });
  await inWorld(
    "hy",
    at("17:00:00"),
    async (world) => {
      await lightUp(world, at("18:30:00"));
      city.simulator.fault("hy-hub0", { kind: "silent" });
      await world.to(at("19:00:09"));
      expect(city.isLit(second)).toBe(true);
      await world.to(at("19:30:00"));
      city.simulator.fault("hy-hub0");
      await world.to(at("20:00:30"));
      expect(await events("hy")).toEqual([
        "18:00:10 scheduler on ok 1",
        "19:00:14 scheduler on ok 1",
        "20:00:10 scheduler on ok 1",
      ]);
      expect(await snippets("hy")).toEqual([
        "local | local: 000000 Success on",
        "cloud | local: no answer within 4.2 s; cloud: 000000 Success on",
        "local | local: 000000 Success on",
      ]);
      // Verified by the provider that acted.
      expect(city.simulator.journal.filter((e) => e.method === "Switch.getState").map((e) => e.door)).toEqual([
        "hy-hub0",
        "cloud",
        "hy-hub0",
      ]);
    },
    city.equip,
  );
});

test("the provider that acted is asked whether it did, though the other one is back by then", async () => {
  const city = await aCity("back", "hybrid", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("back", "YOLINK_VERIFY_DELAY_SEC", 20).run();
  await aSchedule("back", "back1", at("18:00:00"), at("23:00:00"), { device: lamp });
  await inWorld(
    "back",
    at("17:00:00"),
    async (world) => {
      await lightUp(world, at("17:59:00"));
      city.simulator.fault("back-hub0", { kind: "silent" });
      await world.to(at("18:00:10"));
      city.simulator.fault("back-hub0");
      await world.to(at("18:00:40"));
      expect(await events("back")).toEqual(["18:00:26 scheduler on ok 1"]);
      const readings = city.simulator.journal.filter((e) => e.method === "Switch.getState");
      expect(readings.map((e) => e.door)).toEqual(["cloud"]);
    },
    city.equip,
  );
});

test("forty hubs, 400 lamps in one minute, three hubs dead: every other lamp is lit within the minute", async () => {
  const city = await aCity("lo", "local", 40, 400);
  await aScheduleEach("lo", city.lamps, at("18:00:00"), at("20:00:00"));
  const dead = ["lo-hub3", "lo-hub17", "lo-hub39"];
  const reachable = city.lamps.filter((_, i) => !dead.includes(`lo-hub${i % 40}`));
  await inWorld(
    "lo",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("lo-hub3", { kind: "silent" });
      city.simulator.fault("lo-hub17", { kind: "offline" });
      city.simulator.fault("lo-hub39", { kind: "silent" });
      await world.to(at("18:01:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(reachable);
      await world.to(at("18:03:00"));
      const lines = await events("lo");
      expect(lines.filter((line) => line.endsWith("on ok 1"))).toHaveLength(reachable.length);
      expect(lines.filter((line) => line.includes("fail"))).toHaveLength(30);
    },
    city.equip,
  );
}, 120_000);

test("400 lamps through one cloud account: OFFs first, no call refused, no false failure, one incident", async () => {
  const city = await aCity("cl", "cloud", 40, 400);
  const [ending, starting] = [city.lamps.slice(0, 60), city.lamps.slice(60)];
  await inWorld(
    "cl",
    at("17:00:00"),
    async (world) => {
      await world.sync();
      for (const lamp of ending) city.simulator.addLamp(vendorId(city.lamps.indexOf(lamp)), lamp, "Switch", null);
      for (const lamp of ending) await aSchedule("cl", `e-${lamp}`, at("17:10:00"), at("18:30:00"), { device: lamp });
      await aScheduleEach("cl", starting, at("18:30:00"), at("23:00:00"));
      await world.sync();
      await world.to(at("18:30:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(ending);
      await world.to(at("18:31:00"));
      // Every OFF has left before the account was exhausted, and before any ON.
      expect(ending.filter(city.isLit)).toEqual([]);
      const sent = city.simulator.journal.filter(
        (e) => e.at >= Date.parse(at("18:30:00")) && e.method === "Switch.setState",
      );
      expect(sent.slice(0, 60).map((e) => e.state)).toEqual(Array.from({ length: 60 }, () => "close"));
      await world.to(at("20:30:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(starting);
      const codes = new Set(city.simulator.journal.map((e) => e.code));
      expect([...codes]).toEqual(["000000"]);
      const lines = await events("cl");
      expect(lines.filter((line) => /fail|retry/.test(line))).toEqual([]);
      expect(lines).toHaveLength(60 + 400);
      expect((await notes("cl")).filter((note) => note.includes("held back")).length).toBeGreaterThan(200);
      expect(await messages("cl")).toEqual([
        "account_throttled not_sent: Alarm: The cloud account's limit of calls is reached: lights are switched late.",
      ]);
    },
    city.equip,
  );
}, 120_000);

test("a person who toggles when the account is exhausted is told so at once, and it is done when there is room", async () => {
  const city = await aCity("pr", "cloud", 1, 1);
  const [lamp = ""] = city.lamps;
  await inWorld(
    "pr",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      spendAccount(world, world.now, 74);
      const pressed = await world.toggle(lamp, "on");
      expect(pressed).toMatchObject({ success: false, provider: "cloud" });
      expect(pressed.detail).toContain("are used up");
      expect(city.simulator.journal).toEqual([]);
      await world.to(at("12:06:00"));
      expect(city.isLit(lamp)).toBe(true);
      expect(await events("pr")).toEqual(["12:05:20 manual on ok 1"]);
      expect((await notes("pr"))[0]).toContain("held back 310 s by the cloud's limit of calls");
    },
    city.equip,
  );
});

test("the watchdog reads the cloud's memory, and finds a lamp that went dark at its pole", async () => {
  const city = await aCity("wd", "cloud", 1, 1);
  await setting("wd", "WATCHDOG_ENABLED", true).run();
  const [lamp = ""] = city.lamps;
  await aSchedule("wd", "wd1", at("18:00:00"), at("20:00:00"), { device: lamp });
  await inWorld(
    "wd",
    at("17:59:00"),
    async (world) => {
      await lightUp(world, at("18:10:00"));
      city.simulator.lamps.get(vendorId(0))?.turn(false, world.now);
      await world.to(at("18:11:30"));
      expect(city.isLit(lamp)).toBe(true);
      const reads = city.simulator.journal.filter((e) => e.at > Date.parse(at("18:01:00"))).map((e) => e.method);
      expect(new Set(reads)).toEqual(new Set(["Switch.fetchState", "Switch.setState", "Switch.getState"]));
      expect((await events("wd")).at(-1)).toMatch(/watchdog on ok 1/);
    },
    city.equip,
  );
});
