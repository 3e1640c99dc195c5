import { expect, test } from "vitest";
import { loginPath, returnPath } from "#app/session/return-path";

const login = (next: string) => new URL(`https://lights.example/login?${new URLSearchParams({ next })}`);

test("leads back to the wanted screen after signing in", () => {
  const path = loginPath(new URL("https://lights.example/devices/lamp-1?edit=lamp-1"));
  expect(path).toBe("/login?next=%2Fdevices%2Flamp-1%3Fedit%3Dlamp-1");
  expect(returnPath(new URL(path, "https://lights.example"))).toBe("/devices/lamp-1?edit=lamp-1");
});

test("does not remember the dashboard, an unknown path or a path for scripts", () => {
  for (const path of ["/", "/dashboard", "/nowhere", "/find?q=x", "/export/events", "/workorders/choices"]) {
    expect(loginPath(new URL(path, "https://lights.example")), path).toBe("/login");
  }
});

test("leads to the dashboard instead of another site or a path that is no screen", () => {
  for (const next of [
    "https://evil.example/devices",
    "//evil.example/devices",
    "/\\evil.example",
    "/api/docs",
    "",
    "%",
  ]) {
    expect(returnPath(login(next)), next).toBe("/dashboard");
  }
});
