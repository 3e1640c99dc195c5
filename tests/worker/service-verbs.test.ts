import { beforeAll, describe, expect, test } from "vitest";
import { can } from "#domain/organization/permissions";
import { isRefusal } from "#domain/errors";
import { ROLES, type Role } from "#domain/enums";
import { servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { ASKS } from "../support/verbs";

beforeAll(seedCity);

/** An unknown role, which may do nothing, to find a verb without a permission check. */
const NOBODY: Role = JSON.parse('"nobody"');

/** The refusal's code, or 'done'. */
async function outcome(verb: string, role: Role): Promise<string> {
  const [service = "", name = ""] = verb.split(".");
  const services = servicesOf("manager", { role });
  const run: unknown = Reflect.get(Reflect.get(services, service), name);
  if (typeof run !== "function") return "no such verb";
  try {
    await run.call(undefined, UNFIT, UNFIT);
    return "done";
  } catch (caught) {
    return isRefusal(caught) ? caught.code : "failed";
  }
}

/** An unknown id, an input without fields and an empty list in one, so that no verb changes anything. */
const UNFIT = Object.assign([], { toString: () => "nowhere" });

test("the table has every verb of every service", () => {
  const services: Record<string, object> = servicesOf("admin");
  const verbs = Object.entries(services).flatMap(([service, all]) =>
    Object.keys(all).map((verb) => `${service}.${verb}`),
  );
  expect(verbs.toSorted()).toEqual(Object.keys(ASKS).toSorted());
});

describe.each(Object.entries(ASKS))("%s", (verb, capability) => {
  test.each([...ROLES, NOBODY])("as %s", async (role) => {
    const may = capability === null || (role !== NOBODY && can({ role }, capability));
    const is = await outcome(verb, role);
    if (may) expect(is).not.toBe("forbidden");
    else expect(is).toBe("forbidden");
  });
});
