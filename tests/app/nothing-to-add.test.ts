import { expect, test } from "vitest";
import type { HubAccountDevice } from "#domain/hubs/hub-account";
import { nothingToAdd } from "#app/routes/hub-account/list-of";

const other = (refusal: string): HubAccountDevice => ({
  cloud_device_id: "d88b4c0300000001",
  name: "Post",
  type: "other",
  model: null,
  refusal,
});

test("an account without devices, or with none that is a light, is not said to have its lights here", () => {
  expect(nothingToAdd({ others: { rows: [], all: 0 } })).toBe("This account lists no devices.");
  const hub = other("A hub, not a light");
  expect(nothingToAdd({ others: { rows: [hub], all: 1 } })).toBe("This account lists no light that can be added.");
  const rows = [hub, other('Here already, as "Post"')];
  expect(nothingToAdd({ others: { rows, all: 2 } })).toBe("Every light of this account is here already.");
});
