import { expect, test } from "vitest";
import { offTimer } from "#durable/providers/yolink/off-timer";

test("a lamp's own timer is set in minutes", () => {
  expect(offTimer("Outlet", "", 255, 90)).toEqual({
    ok: true,
    method: "Outlet.setDelay",
    params: { delayOn: 0, delayOff: 90 },
  });
});

test("of several sockets those that are the light and have a timer get one", () => {
  const delays = (model: string, mask: number) => offTimer("MultiOutlet", model, mask, 5);
  const timed = (...sockets: number[]) => ({ params: { delays: sockets.map((ch) => ({ ch, on: 0, off: 5 })) } });
  expect(delays("YS6801-UC", 255)).toMatchObject(timed(1, 2, 3, 4));
  expect(delays("YS6801-UC", 0b00110)).toMatchObject(timed(1, 2));
  expect(delays("", 0b00010)).toMatchObject(timed(1));
});

test.each([
  ["Hub", "", 255, 5, "the device is a Hub, which is not a light"],
  ["MultiOutlet", "", 255, 5, "which of its sockets have a timer is not known"],
  ["MultiOutlet", "YS6801-UC", 1, 5, "which of its sockets have a timer is not known"],
  ["Switch", "", 255, 1_441, "its own timer goes up to a day"],
])("it is refused for a %s %s with sockets %i and %i minutes", (type, model, mask, minutes, detail) => {
  expect(offTimer(type, model, mask, minutes)).toEqual({ ok: false, detail });
});
