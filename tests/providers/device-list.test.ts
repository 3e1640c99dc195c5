import { afterEach, beforeEach, expect, test } from "vitest";
import { LAMP } from "./addresses";
import { aPark, type Park } from "./a-park";

let park: Park;
beforeEach(async () => {
  park = await aPark();
});
afterEach(() => park.close());

const lists = (door: string) => park.asked(door).filter((call) => call.startsWith("Home.getDeviceList"));

test("lists the cloud account's devices, and a hub's own", async () => {
  const cloud = await park.provider.list(null, 5_000);
  expect(cloud).toMatchObject({ ok: true });
  expect(cloud.ok && cloud.devices).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: LAMP, name: "Pole 1", type: "Switch" })]),
  );
  const local = await park.provider.list(park.hub(), 5_000);
  expect(local.ok && local.devices.map(({ id }) => id)).toEqual([LAMP]);
});

test("does not ask twice within a minute", async () => {
  await park.provider.list(null, 5_000);
  await park.provider.list(null, 5_000);
  expect(lists("cloud")).toHaveLength(1);
});

test("tells in its own words why there is no list", async () => {
  park.settings.YOLINK_UAC_KEY = "";
  expect(await park.provider.list(null, 5_000)).toEqual({
    ok: false,
    reason: "refused",
    detail: "The UAC key is not set",
  });
  park.settings.YOLINK_UAC_KEY = "uac.ua_wrong:sec_v1_wrong==";
  expect(await park.provider.list(null, 5_000)).toEqual({
    ok: false,
    reason: "refused",
    detail: "the cloud: it refuses the credentials",
  });
  expect(await park.provider.list({ ...park.hub(), local_client_id: null }, 5_000)).toMatchObject({
    ok: false,
    detail: expect.stringContaining("has no local credentials"),
  });
});
