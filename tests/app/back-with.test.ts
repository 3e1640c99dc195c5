import { expect, test } from "vitest";
import { pageOf } from "#app/routes/session/back-with";

const from = (referer?: string) =>
  pageOf(new Request("https://lamplighter.example/switch-org", referer ? { headers: { Referer: referer } } : {}));

test("a switch leads back to the page that asked", () => {
  expect(from("https://lamplighter.example/schedules?status=scheduled")).toBe("/schedules?status=scheduled");
});

test("another site cannot choose where a switch leads", () => {
  expect(from()).toBe("/dashboard");
  expect(from("not an address")).toBe("/dashboard");
  expect(from("https://evil.example/x")).toBe("/x");
  expect(from("https://evil.example//evil.example/x")).toBe("/evil.example/x");
});
