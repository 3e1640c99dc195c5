import { expect, test } from "vitest";
import { listOf, nothingToAdd } from "#app/routes/hub-account/list-of";
import type { HubAccountDevice } from "#domain/hubs/hub-account";

const listed = (refusal: string): HubAccountDevice => ({
  cloud_device_id: "d88b4c0100000001",
  name: "Pier",
  type: "other",
  model: null,
  refusal,
});

test("an account of which nothing can be added is not told to have its lights here: it may list none, or others", async () => {
  const said = async (...devices: HubAccountDevice[]) => nothingToAdd(await listOf(Promise.resolve(devices)));
  expect(await said()).toBe("This account lists no devices.");
  const below = "Nothing that this account lists can be added. Why is said below.";
  expect(await said(listed("A hub, not a light"))).toBe(below);
  expect(await said(listed('Here already, as "Pier"'), listed("Its ID is not one that can be switched"))).toBe(below);
});
