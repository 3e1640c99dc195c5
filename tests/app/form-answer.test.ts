import { expect, test } from "vitest";
import { answer } from "#app/forms/form-answer";
import type { User } from "#domain/records/records";

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

const ada: User = {
  id: "ada",
  email: "ada@parks.example",
  role: "admin",
  org_role: "org_member",
  current_org_id: "city",
  current_dept_id: null,
  org_memberships: [],
  dept_memberships: [],
};
