import { expect, test } from "vitest";
import { explain } from "#durable/reconcile/explain";
import { explanation } from "#domain/explanation";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, setting } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("a device is explained by what resolve saw of it, and unknown ones are left out", async () => {
  await aField("exp-a");
  await aSchedule("exp-a", "exp-a1", at("18:00:00"), at("20:00:00"));
  await aSchedule("exp-a", "exp-a2", at("21:00:00"), at("22:00:00"), { title: "Finals" });
  await inWorld("exp-a", at("17:00:00"), async (world) => {
    await world.sync();
    const [before] = explain(world.context, ["exp-a-lamp", "nobody"]);
    expect(before).toEqual({
      device_id: "exp-a-lamp",
      state: "none",
      reason: "idle",
      sentence: "Off: nothing is scheduled",
      claims: [],
      toggle: { off_at: null, on_at: null },
      lit_since: null,
      guardrail: null,
      next_change_at: "2026-06-10T18:00:00.000Z",
      next_start_at: "2026-06-10T18:00:00.000Z",
      reported: { state: "unknown", at: null },
      command: null,
    });
    expect(explain(world.context, ["nobody"])).toEqual([]);

    await world.to(at("18:00:02"));
    const [during] = explain(world.context, ["exp-a-lamp"]);
    expect(explanation.parse(during)).toEqual(during);
    expect(during).toMatchObject({
      state: "on",
      reason: "claim",
      sentence: "On until 8:00 PM: Practice",
      claims: [
        {
          schedule_id: "exp-a1",
          title: "Practice",
          start_at: "2026-06-10T18:00:00.000Z",
          end_at: "2026-06-10T20:00:00.000Z",
        },
      ],
      lit_since: "2026-06-10T18:00:00.000Z",
      next_change_at: "2026-06-10T20:00:00.000Z",
      next_start_at: "2026-06-10T21:00:00.000Z",
      command: { action: "on", source: "scheduler", attempt: 1, phase: "verify" },
    });
    await world.toggle("exp-a-lamp", "off");
    await world.to(at("18:01:00"));
    const [after] = explain(world.context, ["exp-a-lamp"]);
    expect(after).toMatchObject({
      state: "none",
      toggle: { off_at: "2026-06-10T18:00:02.000Z", on_at: null },
      reported: { state: "off" },
      command: null,
    });
    expect(after?.reported.at).not.toBeNull();
  });
});

test("a device in a guardrail is explained by it", async () => {
  await aField("exp-b");
  await setting("exp-b", "BLACKOUT_WINDOW", "18:00-19:30").run();
  await inWorld("exp-b", at("18:30:00"), async (world) => {
    await world.sync();
    expect(explain(world.context, ["exp-b-lamp"])).toMatchObject([
      {
        state: "none",
        reason: "blackout",
        sentence: "Off: blackout until 7:30 PM",
        guardrail: { kind: "blackout", until: "2026-06-10T19:30:00.000Z" },
        next_change_at: "2026-06-10T19:30:00.000Z",
      },
    ]);
  });
});
