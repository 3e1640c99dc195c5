import { describe, expect, test } from "vitest";
import { mergePolicies, policyWords, type PolicyLevels, type PolicyValues } from "#domain/guardrails/policy";

const INHERITS: PolicyValues = { HARD_CURFEW_OFF: null, BLACKOUT_WINDOW: null, MAX_ON_DURATION_MIN: null };
const NONE: PolicyValues = { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "", MAX_ON_DURATION_MIN: 0 };
const CITY = { HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00", MAX_ON_DURATION_MIN: 240 };
const FIELDS: PolicyValues = { HARD_CURFEW_OFF: "22:00", BLACKOUT_WINDOW: "", MAX_ON_DURATION_MIN: null };
const PATH: PolicyValues = { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "", MAX_ON_DURATION_MIN: 960 };

function merged(levels: Partial<PolicyLevels>) {
  return mergePolicies({ groups: [], area: null, type: null, organization: CITY, ...levels });
}

test("without a policy the organization's guardrails are in force", () => {
  expect(merged({})).toEqual({ ...CITY, dark_source: "organization", max_on_source: "organization" });
  expect(merged({ groups: [INHERITS], area: INHERITS, type: INHERITS })).toEqual(merged({}));
});

test("a group's policy comes before the area's, the area's before its type's", () => {
  const [group, area, type] = [4, 3, 2].map((hours) => ({ ...INHERITS, MAX_ON_DURATION_MIN: hours * 60 }));
  if (!group || !area || !type) throw new Error("three levels");
  expect(merged({ groups: [group], area, type })).toMatchObject({ MAX_ON_DURATION_MIN: 240, max_on_source: "group" });
  expect(merged({ area, type })).toMatchObject({ MAX_ON_DURATION_MIN: 180, max_on_source: "area" });
  expect(merged({ type })).toMatchObject({ MAX_ON_DURATION_MIN: 120, max_on_source: "type" });
  expect(merged({ groups: [group], area, type })).toMatchObject({ ...CITY, dark_source: "organization" });
});

test("the curfew and the blackout are inherited as a pair, never one of each level", () => {
  expect(merged({ area: FIELDS })).toEqual({
    HARD_CURFEW_OFF: "22:00",
    BLACKOUT_WINDOW: "",
    MAX_ON_DURATION_MIN: 240,
    dark_source: "area",
    max_on_source: "organization",
  });
  const half = { ...INHERITS, BLACKOUT_WINDOW: "01:00-04:00" };
  expect(merged({ area: half, type: FIELDS })).toMatchObject({ HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "01:00-04:00" });
  const curfew = { ...INHERITS, HARD_CURFEW_OFF: "22:00" };
  expect(merged({ area: curfew })).toMatchObject({ HARD_CURFEW_OFF: "22:00", BLACKOUT_WINDOW: "" });
});

test("an empty text and 0 are none, which is not the same as inheriting", () => {
  expect(merged({ area: NONE })).toEqual({ ...NONE, dark_source: "area", max_on_source: "area" });
  expect(merged({ groups: [INHERITS, NONE], area: FIELDS })).toMatchObject({ MAX_ON_DURATION_MIN: 0 });
  expect(merged({ groups: [NONE], area: FIELDS, type: PATH })).toMatchObject({ ...NONE, dark_source: "group" });
});

test("of two groups the darker and the shorter are in force, whichever comes first", () => {
  const early = { ...INHERITS, BLACKOUT_WINDOW: "21:00-05:00", MAX_ON_DURATION_MIN: 300 };
  const late = { ...INHERITS, BLACKOUT_WINDOW: "23:00-05:00", MAX_ON_DURATION_MIN: 60 };
  for (const groups of [
    [early, late, NONE],
    [NONE, late, early],
    [late, INHERITS, early],
  ]) {
    expect(merged({ groups, area: FIELDS })).toEqual({
      HARD_CURFEW_OFF: "",
      BLACKOUT_WINDOW: "21:00-05:00",
      MAX_ON_DURATION_MIN: 60,
      dark_source: "group",
      max_on_source: "group",
    });
  }
});

test("the darker of two groups is the one that is dark for longer, also where a curfew joins its blackout", () => {
  const joined = { ...INHERITS, HARD_CURFEW_OFF: "21:00", BLACKOUT_WINDOW: "00:00-05:00" };
  const alone = { ...INHERITS, HARD_CURFEW_OFF: "20:00", BLACKOUT_WINDOW: "" };
  expect(merged({ groups: [alone, joined] })).toMatchObject({ HARD_CURFEW_OFF: "21:00" });
  const [one, other] = ["01:00-02:00", "03:00-04:00"].map((text) => ({ ...INHERITS, BLACKOUT_WINDOW: text }));
  if (!one || !other) throw new Error("two groups");
  expect(merged({ groups: [other, one] })).toMatchObject({ BLACKOUT_WINDOW: "01:00-02:00" });
  expect(merged({ groups: [other, one] })).toEqual(merged({ groups: [one, other] }));
});

describe("in words", () => {
  test.each([
    ["23:45", "00:00-05:00", 240, "Dark 11:45 PM - 5:00 AM, at most 4 h"],
    ["", "22:00-05:00", 240, "Dark 10:00 PM - 5:00 AM, at most 4 h"],
    ["22:00", "", 90, "Dark 10:00 PM - 4:00 AM, at most 1 h 30 min"],
    ["", "", 960, "No dark time, at most 16 h"],
    ["", "", 0, "No dark time, no max on"],
    ["08:00", "22:00-05:00", 45, "Dark 10:00 PM - 5:00 AM and 8:00 AM - 2:00 PM, at most 45 min"],
    ["05:00", "17:00-05:00", 1, "Always dark, at most 1 min"],
    ["03:00", "00:00-05:00", 60, "Dark 12:00 AM - 5:00 AM, at most 1 h"],
  ])("curfew '%s', blackout '%s', %i minutes: %s", (HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, words) => {
    expect(policyWords({ HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN })).toBe(words);
  });
});
