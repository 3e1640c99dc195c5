import { expect, test } from "vitest";
import { answer } from "#app/forms/form-answer";
import { Refusal } from "#domain/errors";
import type { User } from "#domain/records/records";
import { ada } from "#tests/support/ada";

test.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
  "refuses the intent %s, which every object inherits, like any unknown one",
  async (intent) => {
    const form = new FormData();
    form.set("org_id", "city");
    form.set("intent", intent);
    const handlers = { save: { run: async () => undefined } };
    const { data, init } = await answer(ada, form, handlers, { save: "Failed to save" });
    expect(data).toMatchObject({ ok: false, toast: "Not found" });
    expect(init?.status).toBe(404);
  },
);

const gone = async () => {
  throw new Refusal("not_found", "Device not found");
};

test.each([
  ["all departments were shown", "", null, "Device not found"],
  ["another department is chosen by now", "", "rivers", "You have switched department in another tab"],
  ["the department is no longer the person's", "sports", null, "Device not found"],
])("a form that was opened where %s says why its record is not found", async (_, opened, chosen, said) => {
  const form = new FormData();
  form.set("org_id", "city");
  form.set("intent", "save");
  form.set("current_dept_id", opened);
  const user: User = { ...ada, role: "manager", current_dept_id: chosen };
  const { data } = await answer(user, form, { save: { run: gone } }, { save: "Failed to save" });
  expect(data).toMatchObject({ ok: false, toast: expect.stringContaining(said) });
});
