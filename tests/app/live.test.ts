import { expect, test } from "vitest";
import { concernOf, concernsLayout } from "#app/live/concerns";
import { merged } from "#app/live/states";
import type { LiveList } from "#domain/lists/live";
import type { LiveMessage } from "#domain/lists/live-schema";

const changes = (lists: LiveList[], ids: string[] = []): LiveMessage => ({
  kind: "changes",
  version: 1,
  devices: ids.map((id) => ({ id, current_state: "on" })),
  lists,
  spread_ms: 0,
});
const onScreen = (id: string) => id === "shown";

test.each<[string, LiveMessage, string, ReturnType<typeof concernOf>]>([
  ["a plan that changed concerns every screen", changes(["schedules"]), "/hubs", "lists"],
  ["what nobody remembers concerns every screen", { kind: "reload", version: 1, spread_ms: 0 }, "/account", "lists"],
  ["a greeting says nothing", { kind: "hello", version: 1 }, "/devices", null],
  ["a light that is on screen", changes([], ["shown"]), "/devices", "states"],
  ["a light that is not on screen", changes([], ["other"]), "/devices", null],
  ["any light, where lights are counted", changes([], ["other"]), "/dashboard", "counts"],
  ["work orders on their screen", changes(["workorders"]), "/workorders", "lists"],
  ["work orders on a light's page", changes(["workorders"]), "/devices/d1", "lists"],
  ["work orders elsewhere", changes(["workorders"]), "/devices", null],
  ["an evening's events on their screen", changes(["events"]), "/events", "states"],
  ["an evening's events elsewhere", changes(["events", "history"]), "/schedules", null],
  ["an evening that also changes the plan", changes(["nights", "areas"]), "/devices", "lists"],
])("%s", (_, message, pathname, concern) => {
  expect(concernOf(message, pathname, onScreen)).toBe(concern);
});

test("what stands around every screen changes with settings, departments and people, and with what nobody remembers", () => {
  for (const list of ["settings", "departments", "users"] as const) {
    expect(concernsLayout(changes(["nights", list])), list).toBe(true);
  }
  expect(concernsLayout({ kind: "reload", version: 1, spread_ms: 0 })).toBe(true);
  expect(concernsLayout({ kind: "hello", version: 1 })).toBe(false);
  expect(concernsLayout(changes(["schedules", "devices"], ["shown"]))).toBe(false);
});

const LAMP = {
  id: "lamp",
  current_state: "off",
  last_state_at: "2026-06-10T18:00:00.000Z",
  problem: null,
  problem_since: null,
} as const;

test("a state that is newer than the loaded one is shown, an older one is not", () => {
  const later = { id: "lamp", current_state: "on", last_state_at: "2026-06-10T18:00:05.000Z" } as const;
  expect(merged(LAMP, later, false)).toEqual({ ...LAMP, ...later });
  const earlier = { id: "lamp", current_state: "on", last_state_at: "2026-06-10T17:59:00.000Z" } as const;
  expect(merged(LAMP, earlier, true)).toEqual(LAMP);
});

test("a state without an instant, and a problem, count until the record is loaded again", () => {
  const lost = {
    id: "lamp",
    current_state: "unknown",
    problem: "does not answer",
    problem_since: "2026-06-10",
  } as const;
  expect(merged(LAMP, lost, true)).toEqual({ ...LAMP, ...lost });
  expect(merged(LAMP, lost, false)).toEqual(LAMP);
});

test("a problem that is over is over on screen", () => {
  const troubled = { ...LAMP, problem: "does not answer", problem_since: "2026-06-10" };
  expect(merged(troubled, { id: "lamp", problem: null, problem_since: null }, true)).toEqual(LAMP);
});
