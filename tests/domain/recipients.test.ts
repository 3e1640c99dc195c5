import { expect, test } from "vitest";
import { digestText } from "#domain/messages/digest";
import { ALARM_KINDS } from "#domain/enums";
import { allAddressesOf, quietUntil, tellingOf, type Recipient } from "#domain/messages/recipients";
import { at, LA } from "./a-light";

const ANA: Recipient = {
  user_id: "ana",
  role: "employee",
  dept_ids: ["sports"],
  phone: "+13105550101",
  email: "ana@city.example",
  urgent_by: ["sms", "email"],
  other_by: ["email"],
  left_out: [],
  quiet_from: "22:00",
  quiet_to: "06:00",
  digest: true,
};
const URGENT = { kind: "hub_offline", dept_id: null } as const;
const OTHER = { kind: "light_on", dept_id: "sports" } as const;
const DAY = at("2026-07-01 15:00");
const NIGHT = at("2026-07-01 23:00");
const EVERYWHERE = { when: "now", to: ["+13105550101", "ana@city.example"] };

const told = (over: Partial<Recipient>, alarm: Parameters<typeof tellingOf>[1], now: number) =>
  tellingOf({ ...ANA, ...over }, alarm, now, LA);

test("an urgent alarm goes out by its own channels, and quiet hours do not hold it", () => {
  expect(told({}, URGENT, DAY)).toEqual(EVERYWHERE);
  expect(told({}, URGENT, NIGHT)).toEqual(EVERYWHERE);
  expect(told({ urgent_by: ["sms"] }, URGENT, NIGHT)).toEqual({ when: "now", to: ["+13105550101"] });
});

test("another alarm goes out by day, and waits for the end of the quiet hours by night", () => {
  expect(told({}, OTHER, DAY)).toEqual({ when: "now", to: ["ana@city.example"] });
  expect(told({}, OTHER, NIGHT)).toEqual({ when: "held", until: at("2026-07-02 06:00") });
  expect(told({ digest: false }, OTHER, NIGHT)).toEqual({ when: "never" });
});

test("nobody hears of what they left out, have no channel or address for, or may not see", () => {
  for (const kind of ALARM_KINDS)
    expect(told({ left_out: [kind] }, { kind, dept_id: null }, DAY)).toEqual({ when: "never" });
  expect(told({ other_by: [] }, OTHER, DAY)).toEqual({ when: "never" });
  expect(told({ urgent_by: ["sms"], phone: null }, URGENT, DAY)).toEqual({ when: "never" });
  expect(told({ dept_ids: [] }, OTHER, DAY)).toEqual({ when: "never" });
  expect(told({ dept_ids: [], role: "manager" }, { ...OTHER, kind: "device_failed" }, DAY)).toEqual({ when: "never" });
  for (const role of ["admin", "org_admin"] as const)
    expect(told({ dept_ids: [], role }, OTHER, DAY)).toMatchObject({ when: "now" });
});

test.each([
  ["over midnight, before it", "22:00", "06:00", "2026-07-01 22:00", "2026-07-02 06:00"],
  ["over midnight, after it", "22:00", "06:00", "2026-07-02 05:59", "2026-07-02 06:00"],
  ["within a day", "12:00", "14:00", "2026-07-01 13:00", "2026-07-01 14:00"],
  ["until midnight", "20:00", "00:00", "2026-07-01 23:59", "2026-07-02 00:00"],
  ["the night when clocks go forward", "22:00", "06:00", "2026-03-08 03:30", "2026-03-08 06:00"],
  ["the night when clocks go back", "22:00", "06:00", "2026-11-01 00:30", "2026-11-01 06:00"],
])("quiet hours %s: %s to %s", (_, quiet_from, quiet_to, now, until) => {
  expect(quietUntil({ quiet_from, quiet_to }, at(now), LA)).toBe(at(until));
});

test("quiet hours end where the gap of the spring night ends, and after the second of two equal hours in autumn", () => {
  const [quiet_from, quiet_to] = ["22:00", "02:30"];
  expect(quietUntil({ quiet_from, quiet_to }, at("2026-03-08 01:59"), LA)).toBe(at("2026-03-08 03:30"));
  const first = at("2026-11-01 01:15");
  expect(quietUntil({ quiet_from, quiet_to: "01:30" }, first, LA)).toBe(at("2026-11-01 01:30") + 3_600_000);
});

test("without both ends, with equal ones, and outside of them there are no quiet hours", () => {
  expect(quietUntil({ quiet_from: null, quiet_to: "06:00" }, NIGHT, LA)).toBeNull();
  expect(quietUntil({ quiet_from: "22:00", quiet_to: null }, NIGHT, LA)).toBeNull();
  expect(quietUntil({ quiet_from: "22:00", quiet_to: "22:00" }, NIGHT, LA)).toBeNull();
  expect(quietUntil(ANA, at("2026-07-01 21:59"), LA)).toBeNull();
  expect(quietUntil(ANA, at("2026-07-02 06:00"), LA)).toBeNull();
});

test("an address of a list stands for all channels of the person who has it, where they may see it", () => {
  const ben = { ...ANA, user_id: "ben", dept_ids: [], phone: "+13105550102", email: "ben@city.example" };
  const both = ["+13105550101", "ana@city.example"];
  expect(allAddressesOf("+13105550101", [ANA, ben], null)).toEqual(both);
  expect(allAddressesOf("ben@city.example", [ANA, ben], "sports")).toEqual(["ben@city.example"]);
  expect(allAddressesOf("+13105550109", [ANA, ben], null)).toEqual(["+13105550109"]);
  expect(allAddressesOf("+13105550101", [{ ...ANA, urgent_by: ["email"] }], null)).toEqual(both);
});

test("an address that was chosen in large letters in an earlier release is the one that a list has in small ones", () => {
  const typed = { ...ANA, email: "Ana@City.example" };
  expect(told({ email: typed.email }, URGENT, DAY)).toEqual(EVERYWHERE);
  expect(allAddressesOf("ana@city.example", [typed], null)).toEqual(["ana@city.example", "+13105550101"]);
});

test("a digest says how many there were, what is not over first, and the worst first", () => {
  const held = (kind: (typeof ALARM_KINDS)[number], message: string, isOver = false) => ({ kind, message, isOver });
  const [lit, dark, slow] = [
    held("light_on", "Lit."),
    held("device_failed", "Dark."),
    held("account_throttled", "Slow."),
  ];
  expect(digestText([lit], 1)).toBe("1 alarm in your quiet hours, not over:\nLit.");
  expect(digestText([held("light_on", "Was lit.", true), slow, lit, dark], 4)).toBe(
    "4 alarms in your quiet hours, 3 of them not over:\nDark.\nLit.\nSlow.\nOver by now: Was lit.",
  );
  expect(
    digestText(
      Array.from({ length: 9 }, () => lit),
      9,
    )?.split("\n"),
  ).toHaveLength(8);
  expect(
    digestText(
      Array.from({ length: 9 }, () => lit),
      30,
    ),
  ).toContain("30 alarms in your quiet hours, at least 9 of them not over:");
  expect(
    digestText(
      Array.from({ length: 9 }, () => lit),
      30,
    ),
  ).toMatch(/And 24 more\.$/);
});

test("a long line of a digest is cut at 200 characters, never within one", () => {
  const lineOf = (message: string) =>
    digestText([{ kind: "light_on", message, isOver: false }], 1)
      ?.split("\n")
      .at(-1);
  expect(lineOf("💡".repeat(200))).toBe("💡".repeat(200));
  expect(lineOf("💡".repeat(201))).toBe(`${"💡".repeat(199)}…`);
});

test("a digest of alarms that are all over by now is none", () => {
  const over = { kind: "light_on", message: "Lit.", isOver: true } as const;
  expect(digestText([over, over], 2)).toBeNull();
  expect(digestText([over], 2)).toBe("2 alarms in your quiet hours:\nOver by now: Lit.\nAnd 1 more.");
});
