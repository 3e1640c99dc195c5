import { expect, test } from "vitest";
import type { Address } from "#durable/providers/provider";
import { payloadFor } from "#durable/providers/yolink/payload";
import { readState } from "#durable/providers/yolink/state";
import { targetOf } from "#durable/providers/yolink/target";
import { splitUacKey } from "#durable/providers/yolink/uac-key";

const lamp = (given: Partial<Address> = {}): Address => ({
  mode: "cloud",
  hub: null,
  lamp: "x",
  cloud_device_id: "d88b4c0100000001",
  local_ref: null,
  model: null,
  on_payload: null,
  off_payload: null,
  ...given,
});

test.each([
  ["Switch", null, { state: "open" }],
  ["Outlet", "  ", { state: "open" }],
  ["MultiOutlet", null, { state: "open", chs: 6 }],
  ["Dimmer", null, { state: "open", brightness: 100 }],
  ["Switch", "open", { state: "open" }],
  ["MultiOutlet", '{"state":"open","chs":2}', { state: "open", chs: 2 }],
  ["Dimmer", '{"state":"open","brightness":40}', { state: "open", brightness: 40 }],
  [
    "MultiOutlet",
    '{"method":"MultiOutlet.setState","token":"t","params":{"chs":6,"state":"open"}}',
    { state: "open", chs: 6 },
  ],
])("ON of a %s written as %s", (type, on_payload, params) => {
  expect(payloadFor("on", type, lamp({ on_payload }), 6)).toMatchObject({
    ok: true,
    method: `${type}.setState`,
    params,
  });
});

test("'closed' is rewritten to the word that is sent", () => {
  expect(payloadFor("off", "Switch", lamp({ off_payload: "closed" }), 255)).toMatchObject({
    params: { state: "close" },
  });
});

/** Everything but exactly 'open' would switch the lamp off. */
test.each([
  ["Switch", "on"],
  ["Switch", "OPEN"],
  ["Switch", "close"],
  ["Switch", '{"state":"on"}'],
  ["Switch", '{"power":1}'],
  ["Switch", "[1]"],
  ["Switch", '{"method":"Outlet.setState","params":{"state":"open"}}'],
  ["Switch", '{"method":"Switch.setDelay","params":{"state":"open"}}'],
  ["MultiOutlet", '{"state":"open","chs":0}'],
  ["MultiOutlet", '{"state":"open","chs":256}'],
  ["Dimmer", '{"state":"open","brightness":101}'],
  ["Manipulator", null],
])("a %s with ON written as %s is not sent", (type, on_payload) => {
  expect(payloadFor("on", type, lamp({ on_payload }), 255)).toMatchObject({ ok: false });
});

test.each([
  [{ state: "open" }, "on"],
  [{ state: "closed" }, "off"],
  [{ state: { state: "open" } }, "on"],
  [{ state: ["closed", "open", "open", "closed"] }, "on"],
  [{ state: ["open", "open", "closed"] }, "unknown"],
  [{ state: ["open", "closed", "closed"] }, "off"],
  [{ state: [] }, "unknown"],
  [{ state: null }, "unknown"],
  [{}, "unknown"],
  [{ state: "on" }, "unknown"],
])("%o reads as %s", (data, state) => {
  expect(readState(data, 6)).toBe(state);
});

test("an id, with or without sockets", () => {
  expect(targetOf(lamp({ local_ref: "D88B4C0100000002#0x06" }), "local")).toEqual({
    ok: true,
    device: "d88b4c0100000002",
    mask: 6,
  });
  expect(targetOf(lamp({ local_ref: "#2" }), "local")).toEqual({ ok: true, device: "d88b4c0100000001", mask: 2 });
  expect(targetOf(lamp(), "local")).toEqual({ ok: true, device: "d88b4c0100000001", mask: 255 });
  expect(targetOf(lamp({ cloud_device_id: null }), "cloud")).toMatchObject({ ok: false });
  expect(targetOf(lamp({ cloud_device_id: "pole 7" }), "cloud")).toMatchObject({ ok: false });
  expect(targetOf(lamp({ local_ref: "#300" }), "cloud")).toMatchObject({ ok: false });
});

test("a UAC key is split at its colon, or its dot", () => {
  const halves = { client_id: "ua_4F1C", client_secret: "sec_v1_a+b/c==" };
  expect(splitUacKey(" uac.ua_4F1C:sec_v1_a+b/c== ")).toEqual(halves);
  expect(splitUacKey("uac.ua_4F1C.sec_v1_a+b/c==")).toEqual(halves);
  for (const key of ["uac.demo123", "uac.ua_4F1C", "uac.:sec_x", "uac.sec_x:ua_4F1C"])
    expect(splitUacKey(key)).toBeNull();
});
