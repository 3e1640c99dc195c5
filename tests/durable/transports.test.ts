import { expect, test } from "vitest";
import { noAnswer } from "#durable/providers/no-answer";
import { PROVIDER_MODES } from "#domain/enums";
import { aHub } from "#tests/providers/addresses";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, events, notes } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("what nobody answered for is told of the way it would have gone first", () => {
  const told = PROVIDER_MODES.map((mode) => noAnswer({ mode, hub: aHub() }, "timeout", "silence").provider);
  expect(told).toEqual(["mock", "cloud", "local", "local"]);
});

test("a provider that throws is a call that broke off: verified, and tried again", async () => {
  await aField("thrown");
  await aSchedule("thrown", "thrown1", at("18:00:00"), at("22:00:00"));
  await inWorld("thrown", at("17:00:00"), async (world) => {
    await world.sync();
    const mend = world.wrapProvider(() => ({ switch: () => Promise.reject(new Error("a bug")) }));
    await world.to(at("18:00:05"));
    mend();
    await world.to(at("18:01:00"));
    expect(world.lamp("thrown-lamp")).toBe("on");
    expect((await events("thrown")).map((line) => line.slice(9))).toEqual([
      "scheduler on retry 1",
      "scheduler on ok 2",
    ]);
    expect((await notes("thrown"))[0]).toMatch(/still off/);
    expect(world.lines.filter((line) => line.event === "provider.threw")).toEqual([
      expect.objectContaining({ reason: "Error: a bug" }),
    ]);
  });
});
