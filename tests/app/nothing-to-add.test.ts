import { expect, test } from "vitest";
import { nothingToAdd } from "#app/routes/hub-account/list-of";

test("an account without devices is not said to have its lights here", () => {
  expect(nothingToAdd({ others: { rows: [], all: 0 } })).toBe("This account lists no devices.");
  expect(nothingToAdd({ others: { rows: [], all: 3 } })).toBe("Every light of this account is here already.");
});
