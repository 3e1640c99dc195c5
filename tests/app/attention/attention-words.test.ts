import { expect, test } from "vitest";
import { hrefOf } from "#app/attention/attention-links";
import { attentionWords } from "#app/attention/attention-words";

test("what needs attention is counted by kind, with all wrong lights in it", () => {
  const none = { connections: 0, cut_off: 0, lights: 0, hubs: 0, behind: 0, orders: 0 };
  expect(attentionWords({ ...none, lights: 1 })).toBe("1 wrong light");
  expect(attentionWords({ ...none, lights: 2, hubs: 1, behind: 3, orders: 1 })).toBe(
    "2 wrong lights, 1 hub in trouble (3 wrong lights), 1 work order due",
  );
  expect(attentionWords({ ...none, hubs: 2 })).toBe("2 hubs in trouble");
  expect(attentionWords({ ...none, connections: 1, cut_off: 9, lights: 1 })).toBe(
    "1 connection in trouble (9 wrong lights), 1 wrong light",
  );
});

test("a hub in trouble is led to among those of its area, since another may have its name", () => {
  const area = { id: "park", name: "Elm Park" };
  const hub = {
    kind: "hub",
    id: "h",
    name: "Hub 1",
    area,
    sentence: "",
    facts: "",
    due: null,
    act: null,
    order: null,
    behind: 0,
  };
  expect(hrefOf({ ...hub, kind: "hub" })).toBe("/hubs?q=Hub+1&area=park");
});
