import { expect, test } from "vitest";
import { whyNoneIsSwitched } from "#app/routes/area/around";
import { MAX_GROUP } from "#domain/fields/limits";
import type { User } from "#domain/records/records";

const manager: User = {
  id: "manager",
  email: "manager@parks.example",
  role: "manager",
  org_role: "org_member",
  current_org_id: "city",
  current_dept_id: null,
  org_memberships: [],
  dept_memberships: [],
};

test("a place without lights offers no switch of them", () => {
  expect(whyNoneIsSwitched(manager, [], 0)).toBe("There are no lights here yet.");
});

test("more lights than are switched at once are told before anybody types why", () => {
  expect(whyNoneIsSwitched(manager, [], MAX_GROUP)).toBeNull();
  expect(whyNoneIsSwitched(manager, [], MAX_GROUP + 1)).toBe(
    "At most 500 lights are switched at once. Switch groups of them instead.",
  );
});
