import { expect, test } from "vitest";
import { answer, filled } from "#app/forms/form-answer";
import type { User } from "#domain/records";

test("a write-only field that was left empty is not in the call, so that what is stored stays", () => {
  const form = new FormData();
  form.set("local_client_id", "  ");
  form.set("local_client_secret", "hush");
  form.set("name", "North hub");
  expect(filled(form, "local_client_id", "local_client_secret")).toEqual({ local_client_secret: "hush" });
});

test.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
  "the intent %s, which every object inherits, is refused like any unknown one",
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
