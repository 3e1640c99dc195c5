import { expect, test } from "vitest";
import { refererPath } from "#app/routes/session/back-with";

const from = (referer?: string) =>
  refererPath(new Request("https://lamplighter.example/switch-org", referer ? { headers: { Referer: referer } } : {}));

test("returns to the page that switched the organization", () => {
  expect(from("https://lamplighter.example/schedules?status=scheduled")).toBe("/schedules?status=scheduled");
});

test("stays on this site whatever the referrer", () => {
  expect(from()).toBe("/dashboard");
  expect(from("not an address")).toBe("/dashboard");
  expect(from("https://evil.example/x")).toBe("/x");
  expect(from("https://evil.example//evil.example/x")).toBe("/evil.example/x");
});
