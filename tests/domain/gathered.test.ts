import { expect, test } from "vitest";
import { gatheredText } from "#domain/messages/gathered";

test("one text says how many messages it stands for, with an example of each kind", () => {
  const kinds = [
    { n: 1, message: "Alarm: The YoLink cloud does not answer." },
    { n: 30, message: "Alarm: Mast 3 in Alder Field could not be switched on: not reachable." },
    { n: 2, message: "Hub A is back." },
  ];
  expect(gatheredText(kinds)).toBe(
    `33 messages in one, since many came at once:
Alarm: The YoLink cloud does not answer.
Alarm: Mast 3 in Alder Field could not be switched on: not reachable. And 29 more like it.
Hub A is back. And 1 more like it.
All of them are under Alarms.`,
  );
});

test("however many kinds there are, and however long, it fits into an SMS", () => {
  const kinds = Array.from({ length: 15 }, () => ({ n: 10_000, message: "Ø".repeat(2_000) }));
  const text = gatheredText(kinds);
  expect(text).toMatch(/^150,000 messages in one/);
  expect([...text].length).toBeLessThanOrEqual(1_600);
  expect(text.split("\n")).toHaveLength(8);
});
