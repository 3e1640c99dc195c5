import { expect, test } from "vitest";
import { deviceInput } from "#domain/light/device-schema";
import { listHubAccount } from "#durable/requests/hub-account";
import { during } from "#tests/support/a-city";
import { inWorld, type World } from "#tests/support/engine";
import { aField, setting } from "#tests/support/light";

const NOON = "2026-06-10T12:00:00Z";

test("the simulated account lists lights and other things, with their types", async () => {
  await aField("m");
  await inWorld("m", NOON, async (world) => {
    await world.sync();
    const listed = await during(world, listHubAccount(world.context, null));
    expect(listed.ok && listed.devices.map(({ type, is_light }) => `${type} ${is_light}`)).toEqual(
      expect.arrayContaining([
        "Switch true",
        "Outlet true",
        "Dimmer true",
        "MultiOutlet true",
        "Hub false",
        "Valve false",
      ]),
    );
    world.fault("account", { kind: "offline" });
    expect(await during(world, listHubAccount(world.context, null))).toEqual({
      ok: false,
      reason: "unavailable",
      detail: "the simulated account is not reachable",
    });
  });
});

test("what the far end says of itself is cut, and types that are not known are other", async () => {
  await aField("far");
  await inWorld("far", NOON, async (world) => {
    await world.sync();
    answer(world, [
      { id: "d88b4c0100000001", name: "Po\u202ele\u0000 1", type: "Switch", model: "YS5706-UC" },
      { id: "x".repeat(500), name: "", type: "__proto__", model: "<script>" },
    ]);
    expect(await listHubAccount(world.context, null)).toEqual({
      ok: true,
      devices: [
        { cloud_device_id: "d88b4c0100000001", name: "Pole 1", type: "Switch", model: "YS5706-UC", is_light: true },
        { cloud_device_id: "x".repeat(40), name: "Unnamed device", type: "other", model: null, is_light: false },
      ],
    });
  });
});

test("whatever a device of the account is called, it can be added by the name that is listed", async () => {
  await aField("odd");
  await inWorld("odd", NOON, async (world) => {
    await world.sync();
    const joined = ["👩\u200d🌾 Farm", "می\u200cخواهم"];
    const names = ["💡".repeat(100), `${"x".repeat(119)}💡`, "\u3164", "\u2800 \u2800", ...joined];
    answer(
      world,
      names.map((name) => ({ id: "d88b4c0100000001", name, type: "Switch", model: "" })),
    );
    const listed = await listHubAccount(world.context, null);
    const shown = listed.ok ? listed.devices.map(({ name }) => name) : [];
    expect(shown).toEqual(["💡".repeat(60), "x".repeat(119), "Unnamed device", "Unnamed device", ...joined]);
    expect(shown.every((name) => deviceInput.shape.name.safeParse(name).success)).toBe(true);
  });
});

test("whose list it is depends on the mode, and a provider that throws is told as no answer", async () => {
  await aField("modes");
  await inWorld("modes", NOON, async (world) => {
    await setting("modes", "PROVIDER_MODE", "local").run();
    await world.sync();
    expect(await listHubAccount(world.context, null)).toMatchObject({ ok: false, reason: "refused" });
    expect(await listHubAccount(world.context, "nowhere")).toMatchObject({ ok: false, reason: "refused" });
    await setting("modes", "PROVIDER_MODE", "cloud").run();
    await world.sync();
    expect(await listHubAccount(world.context, "modes-hub")).toMatchObject({ ok: false, reason: "refused" });
    world.wrapProvider(() => ({ list: () => Promise.reject(new Error("secret")) }));
    expect(await listHubAccount(world.context, null)).toEqual({
      ok: false,
      reason: "unavailable",
      detail: "the call broke off",
    });
  });
});

function answer(world: World, devices: { id: string; name: string; type: string; model: string }[]): void {
  world.wrapProvider(() => ({ list: async () => ({ ok: true, devices }) }));
}
