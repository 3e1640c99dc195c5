import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import type { AuditResource } from "#domain/enums";
import { CONTRACT, type CallName } from "#worker/api/contract";
import { OWNERS } from "#domain/records/dependents";
import { as, audits, servicesOf } from "../support/api";
import { address, aPlace, example, placeOf, type Place } from "../support/calls";
import { seedCity } from "../support/city";
import { interruptedBy } from "../support/interrupted";

/** The row of a place's record, which somebody else deletes at that moment; null for what nobody deletes. */
const ROWS: Record<AuditResource, ((place: Place) => [condition: string, value: string]) | null> = {
  area: ({ area }) => ["areas WHERE id = ?", area],
  hub: ({ hub }) => ["hubs WHERE id = ?", hub],
  agent: ({ agent }) => ["agents WHERE id = ?", agent],
  device: ({ device }) => ["devices WHERE id = ?", device],
  group: ({ group }) => ["device_groups WHERE id = ?", group],
  schedule: ({ schedule }) => ["schedules WHERE id = ?", schedule],
  policy: ({ area }) => ["policies WHERE scope_id = ?", area],
  permit: ({ permit }) => ["permits WHERE id = ?", permit],
  closure: ({ closure }) => ["closures WHERE id = ?", closure],
  calendar: ({ calendar }) => ["calendars WHERE id = ?", calendar],
  workorder: ({ workorder }) => ["workorders WHERE id = ?", workorder],
  alarm: ({ alarm }) => ["alarms WHERE id = ?", alarm],
  department: ({ dept }) => ["departments WHERE id = ?", dept],
  department_member: ({ member }) => ["dept_memberships WHERE id = ?", member],
  user: ({ user }) => ["org_memberships WHERE org_id = 'city' AND user_id = ?", user],
  webhook: ({ webhook }) => ["webhooks WHERE id = ?", webhook],
  session: null,
  settings: null,
  message_choice: null,
  import: null,
};

/** What a call has sent by then is logged, and what it makes is no record that could be gone. */
const NO_CHANGE = ["create", "toggle", "send", "test"];

/** Where a missing row is noticed before its audit entry. */
const OTHERWISE: Partial<Record<CallName, string>> = {
  "PUT /groups/{id}": "Something this group refers to was deleted meanwhile. Reload and try again.",
  "PUT /alarms/{id}/acknowledge": "Alarm not found",
};

/** Another organization has asked its person, too, and has a row of theirs. */
const INVITED = "INSERT INTO org_memberships (org_id, user_id, role, pending) VALUES ('harbor', ?, 'employee', 1)";

const admin = "admin@parks.example";
const isResource = (word: string): word is AuditResource => word in ROWS;

/** The calls that change or delete one record, each with its row's place. */
const CHANGES = Object.keys(CONTRACT)
  .filter((name): name is CallName => /^(PUT|POST|DELETE) .*\{/.test(name))
  .flatMap((name) => {
    const [action = "", resource = ""] = example(name, placeOf("0"), admin).audit?.split(" ") ?? [];
    const row = isResource(resource) && !NO_CHANGE.includes(action) ? ROWS[resource] : null;
    return row ? [{ name, noun: resource.replace("_", " "), row }] : [];
  });

beforeAll(seedCity);

test.each(CHANGES)(
  "$name of a record that is deleted at that moment is refused and not logged",
  async ({ name, noun, row }) => {
    const place = await aPlace();
    await env.DB.prepare(INVITED).bind(place.user).run();
    const one = example(name, place, admin);
    const before = await audits();
    const { method, path } = address(name, one);
    const [condition, value] = row(place);
    const db = interruptedBy(`DELETE FROM ${condition}`, value);
    const { json } = await as("admin", { db }).call(method, path, one.body);
    expect(json.detail).toBe(OTHERWISE[name] ?? `This ${noun} was deleted by someone else meanwhile.`);
    expect(await audits()).toEqual(before);
  },
);

test.each(OWNERS)("who asks what goes with a record that is gone is not told that nothing does: %s", async (owner) => {
  const { dependents } = servicesOf("admin");
  const asked = dependents[owner]("gone");
  await expect(asked).rejects.toMatchObject({ code: "not_found" });
});

test("nor of a light that the chosen department hides", async () => {
  const { dependents } = servicesOf("admin", { dept: "sports" });
  await expect(dependents.device("weir")).rejects.toMatchObject({ code: "not_found" });
  expect(await dependents.device("gate")).toContain("schedule");
});
