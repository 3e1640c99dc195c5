import { expect, test } from "vitest";
import { attentionWords } from "#app/attention/attention-words";

test("what needs attention is counted by kind, with all wrong lights in it", () => {
  expect(attentionWords({ lights: 1, hubs: 0, behind: 0, orders: 0 })).toBe("1 wrong light");
  expect(attentionWords({ lights: 2, hubs: 1, behind: 3, orders: 1 })).toBe(
    "2 wrong lights, 1 hub in trouble (3 wrong lights), 1 work order due",
  );
  expect(attentionWords({ lights: 0, hubs: 2, behind: 0, orders: 0 })).toBe("2 hubs in trouble");
});
