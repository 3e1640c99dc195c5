import { expect, test } from "vitest";
import { explain } from "#durable/reconcile/explain";
import { explanation } from "#domain/resolve/explanation";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, setting, sql } from "#tests/support/light";

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
      sentence: "Not confirmed to be off; Practice at 6:00 PM",
      claims: [],
      toggle: { off_at: null, off_by: null, on_at: null, on_by: null },
      lit_since: null,
      guardrail: null,
      closure: null,
      refusal: null,
      next_change_at: "2026-06-10T18:00:00.000Z",
      next_start_at: "2026-06-10T18:00:00.000Z",
      next_flip: { at: "2026-06-10T18:00:00.000Z", state: "on" },
      problem: null,
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
      sentence: "Off by someone at 6:00 PM; Finals at 9:00 PM",
      toggle: { off_at: "2026-06-10T18:00:02.000Z", off_by: "someone@parks.example", on_at: null },
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
        sentence: "Not confirmed to be off: blackout until 7:30 PM; nothing is scheduled",
        guardrail: { kind: "blackout", until: "2026-06-10T19:30:00.000Z" },
        next_change_at: "2026-06-10T19:30:00.000Z",
      },
    ]);
  });
});

const problems = (org_id: string) =>
  sql("SELECT id, problem, problem_since FROM devices WHERE org_id = ? AND problem IS NOT NULL", org_id)
    .all()
    .then(({ results }) => results);

test("what is wrong with a light is kept in D1 from when it began until the light is well again", async () => {
  await aField("exp-c");
  await aSchedule("exp-c", "exp-c1", at("18:00:00"), at("20:00:00"));
  await inWorld("exp-c", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:exp-c-lamp", { kind: "stuck" });
    await world.to(at("18:00:05"));
    expect(await problems("exp-c")).toEqual([]);
    await world.to(at("18:00:20"));
    expect(await problems("exp-c")).toMatchObject([{ problem: "not confirmed, 2 tries" }]);
    await world.to(at("18:05:00"));
    const [stuck] = await problems("exp-c");
    expect(stuck).toMatchObject({ id: "exp-c-lamp", problem: expect.stringMatching(/^still off, \d tries$/) });
    const [explained] = explain(world.context, ["exp-c-lamp"]);
    expect(explained?.sentence).toBe(`Should be on (Practice): ${stuck?.problem}`);
    expect(explained?.problem).toEqual({ since: stuck?.problem_since, why: stuck?.problem });
    world.fault("lamp:exp-c-lamp");
    await world.toggle("exp-c-lamp", "on");
    await world.to(at("18:06:00"));
    expect(await problems("exp-c")).toEqual([]);
    expect(explain(world.context, ["exp-c-lamp"])[0]?.sentence).toBe("On until 8:00 PM: Practice");
  });
});
