import { expect, test } from "vitest";
import type { Fault } from "#tests/yolink/packets";
import { aCity, vendorId } from "#tests/support/a-city";
import { inWorldOfLateRows as inWorld } from "#tests/support/engine";
import { events, setting } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

const KNOWN_AT_ONCE: [string, Fault, "door" | "lamp"][] = [
  ["refused connection", { kind: "offline" }, "door"],
  ["garbage", { kind: "garbage" }, "door"],
  ["page of a proxy", { kind: "html" }, "door"],
  ["000201", { kind: "code", code: "000201" }, "lamp"],
  ["000202", { kind: "code", code: "000202" }, "lamp"],
  ["broken connection", { kind: "drop" }, "lamp"],
];

test.each(
  (["local", "cloud"] as const).flatMap((mode) =>
    KNOWN_AT_ONCE.map(([name, fault, where]) => ({ mode, name, fault, where })),
  ),
)("$mode, a $name: the person is told at once, and it is tried on", async ({ mode, name, fault, where }) => {
  const org = `pw${mode}${name.replaceAll(/\W/g, "")}`;
  const city = await aCity(org, mode, 1, 1);
  const [lamp = ""] = city.lamps;
  await inWorld(
    org,
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.toggle(lamp, "off");
      await world.to(at("12:02:00"));
      const of = where === "lamp" ? vendorId(0) : mode === "cloud" ? "cloud" : `${org}-hub0`;
      city.simulator.fault(of, fault);
      const began = world.now;
      expect(await world.toggle(lamp, "on")).toMatchObject({
        success: false,
        detail: expect.stringContaining("; still trying"),
      });
      expect(world.now - began).toBeLessThanOrEqual(2_500);
      city.simulator.fault(of);
      await world.to(at("12:03:00"));
      expect(city.isLit(lamp)).toBe(true);
    },
    city.equip,
  );
});

test("a lamp that a person lit stays lit when another ON, and one more, can't reach it", async () => {
  const city = await aCity("pl", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("pl", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld(
    "pl",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      expect(await world.toggle(lamp, "on")).toMatchObject({ success: true });
      for (const minute of ["12:01:00", "12:04:00"]) {
        await world.to(at(minute));
        city.simulator.fault("pl-hub0", { kind: "silent" });
        expect(await world.toggle(lamp, "on")).toMatchObject({ success: false });
        // The hub has one lamp, so nobody is spared its three tries and what verifies them.
        await world.to(world.now + 120_000);
        city.simulator.fault("pl-hub0");
      }
      await world.to(at("12:30:00"));
      expect(city.isLit(lamp)).toBe(true);
      const lines = await events("pl");
      expect(lines.filter((line) => line.includes(" off "))).toEqual([]);
      expect(lines.filter((line) => line.includes("manual on fail"))).toHaveLength(2);
      // It goes off when the first ON's time is over.
      await world.to(at("16:01:00"));
      expect(city.isLit(lamp)).toBe(false);
    },
    city.equip,
  );
});

test("a lamp that no ON has reached does not go on by itself later", async () => {
  const city = await aCity("pn", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("pn", "WATCHDOG_ENABLED", true).run();
  await inWorld(
    "pn",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("pn-hub0", { kind: "silent" });
      await world.toggle(lamp, "on");
      await world.to(world.now + 5_000);
      await world.toggle(lamp, "on");
      await world.to(world.now + 90_000);
      city.simulator.fault("pn-hub0");
      await world.to(at("12:30:00"));
      expect(city.isLit(lamp)).toBe(false);
    },
    city.equip,
  );
});
