import { expect, test } from "vitest";
import { filled } from "#app/forms/form-answer";

test("a write-only field that was left empty is not in the call, so that what is stored stays", () => {
  const form = new FormData();
  form.set("local_client_id", "  ");
  form.set("local_client_secret", "hush");
  form.set("name", "North hub");
  expect(filled(form, "local_client_id", "local_client_secret")).toEqual({ local_client_secret: "hush" });
});
