import { expect, test } from "vitest";
import { hrefOf } from "#app/attention/attention-links";
import { attentionWords } from "#app/attention/attention-words";

test("what needs attention is counted by kind, with all wrong lights in it", () => {
  expect(attentionWords({ lights: 1, hubs: 0, behind: 0, orders: 0 })).toBe("1 wrong light");
  expect(attentionWords({ lights: 2, hubs: 1, behind: 3, orders: 1 })).toBe(
    "2 wrong lights, 1 hub in trouble (3 wrong lights), 1 work order due",
  );
  expect(attentionWords({ lights: 0, hubs: 2, behind: 0, orders: 0 })).toBe("2 hubs in trouble");
});

test("a hub in trouble is led to among those of its area, since another may have its name", () => {
  const area = { id: "park", name: "Elm Park" };
  const hub = { kind: "hub", id: "h", name: "Hub 1", area, sentence: "", facts: "", due: null, act: null, order: null };
  expect(hrefOf({ ...hub, kind: "hub" })).toBe("/hubs?q=Hub+1&area=park");
});
