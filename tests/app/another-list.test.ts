import { expect, test } from "vitest";
import { isAnotherList } from "#app/router/view";

const at = (path: string) => new URL(`https://lamplighter.example${path}`);
const isLoaded = (from: string, to: string, actionResult?: unknown) =>
  isAnotherList({
    currentUrl: at(from),
    nextUrl: at(to),
    currentParams: {},
    nextParams: {},
    defaultShouldRevalidate: true,
    ...(actionResult === undefined ? {} : { actionResult, formMethod: "POST" }),
  });
const unreached = { ok: false, toast: "Failed to toggle device", detail: null, errors: {}, unreached: true };

test("a list is loaded again for another search or page, and not for a dialog", () => {
  expect(isLoaded("/devices", "/devices?q=oak")).toBe(true);
  expect(isLoaded("/devices", "/devices?page=2")).toBe(true);
  expect(isLoaded("/devices", "/devices?new=")).toBe(false);
  expect(isLoaded("/devices?edit=a", "/devices")).toBe(false);
});

test("a form without an answer loads nothing again, but whoever is on the way to another list gets its rows", () => {
  expect(isLoaded("/devices", "/devices", unreached)).toBe(false);
  expect(isLoaded("/devices", "/devices", { ok: true })).toBe(true);
  expect(isLoaded("/devices", "/devices?page=2", unreached)).toBe(true);
  expect(isLoaded("/devices/a", "/devices/b", unreached)).toBe(true);
});
