import { expect, test } from "vitest";
import type { Hold } from "#domain/resolve/hold";
import { holdSentence } from "#domain/light/hold-sentence";
import { at, LA } from "./a-light";

const now = at("2026-07-01 19:00");
const rain: Hold = {
  action: "off",
  until: new Date(at("2026-07-01 21:30")).toISOString(),
  reason: "rain",
  by: "manager@parks.example",
  emergency: false,
};
const say = (over: Partial<Hold>) => holdSentence({ ...rain, ...over }, LA, now);

test("a hold is told with its end, its reason and who asked for it", () => {
  expect(say({})).toBe("Off until 9:30 PM: rain (manager)");
  expect(say({ action: "on" })).toBe("On until 9:30 PM: rain (manager)");
  expect(say({ reason: null })).toBe("Off until 9:30 PM (manager)");
});

test("an emergency is told as one, with its reason", () => {
  expect(say({ action: "on", emergency: true, reason: "police" })).toBe(
    "On until 9:30 PM: emergency, police (manager)",
  );
  expect(say({ action: "on", emergency: true, reason: null })).toBe("On until 9:30 PM: emergency (manager)");
});
