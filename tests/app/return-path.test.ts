import { expect, test } from "vitest";
import { loginPath, returnPath } from "#app/session/return-path";

const login = (next: string) => new URL(`https://lights.example/login?${new URLSearchParams({ next })}`);

test("who wanted a screen is led back to it after signing in", () => {
  const path = loginPath(new URL("https://lights.example/devices/lamp-1?edit=lamp-1"));
  expect(path).toBe("/login?next=%2Fdevices%2Flamp-1%3Fedit%3Dlamp-1");
  expect(returnPath(new URL(path, "https://lights.example"))).toBe("/devices/lamp-1?edit=lamp-1");
});

test("the dashboard, an unknown path and what only answers scripts are not come back to", () => {
  for (const path of ["/", "/dashboard", "/nowhere", "/find?q=x", "/export/events", "/workorders/choices"]) {
    expect(loginPath(new URL(path, "https://lights.example")), path).toBe("/login");
  }
});

test("nobody is led to another site or out of the screens", () => {
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
