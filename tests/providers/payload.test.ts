import { expect, test } from "vitest";
import { maskOf, payloadFor } from "#durable/providers/yolink/payload";
import { readState } from "#durable/providers/yolink/state";
import { targetOf } from "#durable/providers/yolink/target";
import { splitUacKey } from "#durable/providers/yolink/uac-key";
import { anAddress } from "./addresses";

test.each([
  ["Switch", null, { state: "open" }, 6],
  ["Outlet", "  ", { state: "open" }, 6],
  ["MultiOutlet", null, { state: "open", chs: 6 }, 6],
  ["Dimmer", null, { state: "open", brightness: 100 }, 6],
  ["Switch", " open ", { state: "open" }, 6],
  ["MultiOutlet", "open", { state: "open", chs: 6 }, 6],
  ["MultiOutlet", '{"state":"open","chs":2}', { state: "open", chs: 2 }, 2],
  ["MultiOutlet", '{"state":"open","chs":1}', { state: "open", chs: 1 }, 1],
  ["MultiOutlet", '{"state":"open","chs":255}', { state: "open", chs: 255 }, 255],
  ["Switch", '{"state":"open","chs":2}', { state: "open", chs: 2 }, 6],
  ["Dimmer", '{"state":"open","brightness":1}', { state: "open", brightness: 1 }, 6],
  ["Dimmer", '{"state":"open","brightness":100}', { state: "open", brightness: 100 }, 6],
  [
    "MultiOutlet",
    '{"method":"MultiOutlet.setState","token":"t","params":{"chs":4,"state":"open"}}',
    { state: "open", chs: 4 },
    4,
  ],
])("builds ON for a %s from the payload %s", (type, on_payload, params, mask) => {
  const off_payload = "never sent for ON";
  expect(payloadFor("on", type, anAddress({ on_payload, off_payload }), 6)).toEqual({
    ok: true,
    method: `${type}.setState`,
    params,
    mask,
  });
});

/** A hub reads every word but `open` as OFF; we accept 'closed' and send 'close'. */
test.each([
  ["Switch", null, { state: "close" }],
  ["MultiOutlet", null, { state: "close", chs: 6 }],
  ["Dimmer", null, { state: "close" }],
  ["Switch", "close", { state: "close" }],
  ["Switch", "closed", { state: "close" }],
  ["Switch", '{"state":"closed"}', { state: "close" }],
])("builds OFF for a %s from the payload %s", (type, off_payload, params) => {
  const on_payload = "never sent for OFF";
  const method = `${type}.setState`;
  expect(payloadFor("off", type, anAddress({ on_payload, off_payload }), 6)).toEqual({
    ok: true,
    method,
    params,
    mask: 6,
  });
});

/** Any word but exactly 'open' would switch the lamp off. */
test.each([
  ["Switch", "on", "on payload not understood"],
  ["Switch", "OPEN", "on payload not understood"],
  ["Switch", "[1]", "on payload not understood"],
  ["Switch", '"open"', "on payload not understood"],
  ["Switch", '{"method":7,"params":{"state":"open"}}', "on payload not understood"],
  ["Switch", '{"method":"Switch.setState"}', "on payload not understood"],
  ["Switch", '{"method":"Switch.setState","params":[]}', "on payload not understood"],
  ["Switch", "close", "on payload not understood: its state must be 'open'"],
  ["Switch", '{"state":"on"}', "on payload not understood: its state must be 'open'"],
  ["Switch", '{"state":1}', "on payload not understood: its state must be 'open'"],
  ["Switch", '{"power":1}', "on payload not understood: its state must be 'open'"],
  [
    "Switch",
    '{"method":"Outlet.setState","params":{"state":"open"}}',
    "on payload not understood: the device is a Switch",
  ],
  [
    "Switch",
    '{"method":"Switch.setDelay","params":{"state":"open"}}',
    "on payload not understood: the device is a Switch",
  ],
  ["MultiOutlet", '{"state":"open","chs":0}', "on payload not understood: chs must be 1 to 255"],
  ["MultiOutlet", '{"state":"open","chs":256}', "on payload not understood: chs must be 1 to 255"],
  ["MultiOutlet", '{"state":"open","chs":1.5}', "on payload not understood: chs must be 1 to 255"],
  ["MultiOutlet", '{"state":"open","chs":"2"}', "on payload not understood: chs must be 1 to 255"],
  ["Dimmer", '{"state":"open","brightness":0}', "on payload not understood: brightness must be 1 to 100"],
  ["Dimmer", '{"state":"open","brightness":101}', "on payload not understood: brightness must be 1 to 100"],
  ["Manipulator", null, "the device is a Manipulator, which is not a light"],
])("does not send a %s the ON payload %s", (type, on_payload, detail) => {
  expect(payloadFor("on", type, anAddress({ on_payload }), 255)).toEqual({ ok: false, detail });
});

test.each([
  ["open", "off payload not understood: its state must be 'close'"],
  ["off", "off payload not understood"],
])("does not send the OFF payload %s", (off_payload, detail) => {
  expect(payloadFor("off", "Switch", anAddress({ off_payload }), 255)).toEqual({ ok: false, detail });
});

test("reads the sockets that the ON payload switches", () => {
  expect(maskOf("MultiOutlet", anAddress({ on_payload: '{"state":"open","chs":2}' }), 6)).toBe(2);
  expect(maskOf("MultiOutlet", anAddress({ off_payload: '{"state":"close","chs":2}' }), 6)).toBe(6);
  expect(maskOf("MultiOutlet", anAddress({ on_payload: "nonsense" }), 6)).toBe(6);
});

const PADDED = Array.from({ length: 6 }, () => "closed");

test.each([
  ["open", "open", {}, "", "on"],
  ["closed", "closed", {}, "", "off"],
  // Without knowing which sockets exist, one lit socket counts as lit.
  ["open", "closed", {}, "", "on"],
  ["open", "closed", {}, "YS6802-UC", "unknown"],
  ["open", "open", {}, " ys6802-uc", "on"],
  ["open", "closed", { delays: [{ ch: 0 }, { ch: 1 }] }, "", "unknown"],
  ["open", "closed", { delays: [{ ch: 0 }] }, "YS6802-UC", "on"],
  ["closed", "open", { delays: [{ ch: 1 }, null, { ch: 9 }, { ch: -1 }, { ch: "2" }] }, "", "on"],
] as const)(
  "reads eight sockets, %s, %s and the rest closed, with %j and model '%s', as %s",
  (first, second, more, model, state) => {
    const data = { state: [first, second, ...PADDED], ...more };
    expect(readState(data, 255, model)).toBe(state);
    expect(readState({ state: data }, 255, model)).toBe(state);
    expect(readState(data, 3, model)).toBe(first === second ? state : "unknown");
  },
);

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
  [{ state: "close" }, "off"],
  [{ state: ["open", "dim", "dim"] }, "unknown"],
  [{ state: ["open"] }, "unknown"],
])("%o reads as %s", (data, state) => {
  expect(readState(data, 6)).toBe(state);
});

const FIRST = "d88b4c0100000001";
const SECOND = "d88b4c0100000002";
const NO_SOCKETS = "the sockets behind # must be a number from 1 to 255";

/** The device id and socket mask for the cloud and for the hub; a missing id falls back to the other one. */
test.each([
  [FIRST, null, [FIRST, 255], [FIRST, 255]],
  [null, SECOND, [SECOND, 255], [SECOND, 255]],
  [FIRST, SECOND, [FIRST, 255], [SECOND, 255]],
  [FIRST, " D88B4C0100000002 # 0x06 ", [FIRST, 6], [SECOND, 6]],
  [FIRST, "#2", [FIRST, 2], [FIRST, 2]],
  [`${FIRST}#1`, SECOND, [FIRST, 1], [SECOND, 1]],
  [`${FIRST}#4`, "#255", [FIRST, 255], [FIRST, 255]],
])("finds the device for cloud ID '%s' and local reference '%s'", (cloud_device_id, local_ref, cloud, local) => {
  const address = anAddress({ cloud_device_id, local_ref });
  const told = (side: "cloud" | "local") => targetOf(address, side);
  expect(told("cloud")).toEqual({ ok: true, device: cloud[0], mask: cloud[1] });
  expect(told("local")).toEqual({ ok: true, device: local[0], mask: local[1] });
});

test.each([
  [null, null, "the device has no cloud ID"],
  [" ", "#6", "the device has no cloud ID"],
  ["pole 7", null, "'pole 7' is not a device ID (16 characters, 0-9 and a-f)"],
  [`${FIRST}0`, null, `'${FIRST}0' is not a device ID (16 characters, 0-9 and a-f)`],
  [`x${FIRST}`, null, `'x${FIRST}' is not a device ID (16 characters, 0-9 and a-f)`],
  ["y".repeat(60), null, `'${"y".repeat(40)}' is not a device ID (16 characters, 0-9 and a-f)`],
  [FIRST, "#", NO_SOCKETS],
  [FIRST, "#0", NO_SOCKETS],
  [FIRST, "#256", NO_SOCKETS],
  [FIRST, "#1.5", NO_SOCKETS],
  [FIRST, "#all", NO_SOCKETS],
])("refuses cloud ID '%s' with local reference '%s': %s", (cloud_device_id, local_ref, detail) => {
  expect(targetOf(anAddress({ cloud_device_id, local_ref }), "cloud")).toEqual({ ok: false, detail });
});

test.each([
  [" uac.ua_4F1C:sec_v1_a+b/c== ", "ua_4F1C", "sec_v1_a+b/c=="],
  ["uac.ua_4F1C.sec_v1_a+b/c==", "ua_4F1C", "sec_v1_a+b/c=="],
  ["ua_4F1C : sec_v1", "ua_4F1C", "sec_v1"],
  ["ua_4F1C.sec_v1.2", "ua_4F1C", "sec_v1.2"],
  ["uac.ua_1:sec_a.b", "ua_1", "sec_a.b"],
  ["ua_1:sec_uac.b", "ua_1", "sec_uac.b"],
])("splits the UAC key '%s' at its colon, or else at its dot", (key, client_id, client_secret) => {
  expect(splitUacKey(key)).toEqual({ client_id, client_secret });
});

test.each([
  "",
  "uac.demo123",
  "uac.ua_4F1C",
  "uac.:sec_x",
  "uac.sec_x:ua_4F1C",
  "uac.ua_1:",
  "uac.ua_:sec_x",
  "xuac.ua_1:sec_x",
  "ua_1!:sec_x",
  "xua_1:sec_x",
  "ua_1:xsec_x",
  "ua_1:sec_",
  "ua_1:sec_x y",
])("rejects the UAC key '%s'", (key) => {
  expect(splitUacKey(key)).toBeNull();
});
