import type { Json } from "#domain/fields/json";
import { isSwitchable, notALight } from "./payload";
import { ALL_SOCKETS } from "#domain/light/sockets";

/** A window of more than a day is not a night's: whoever holds it that long stays reachable or finds out. */
const MOST_MIN = 24 * 60;
/** The sockets that have a timer; the strip's USB bank has none. */
const WITH_TIMER: [RegExp, number][] = [
  [/^YS6801/i, 0b11110],
  [/^YS6802/i, 0b00011],
];

/** What sets the lamp's own timer: it puts itself out after `minutes`. Refused where the device's sockets are not known. */
export function offTimer(
  type: string,
  model: string,
  mask: number,
  minutes: number,
): { ok: true; method: string; params: Json } | { ok: false; detail: string } {
  if (!isSwitchable(type)) return { ok: false, detail: notALight(type) };
  if (minutes < 1 || minutes > MOST_MIN) return { ok: false, detail: "its own timer goes up to a day" };
  const method = `${type}.setDelay`;
  if (type !== "MultiOutlet") return { ok: true, method, params: { delayOn: 0, delayOff: minutes } };
  const known = WITH_TIMER.find(([name]) => name.test(model.trim()))?.[1];
  const sockets = mask === ALL_SOCKETS ? known : mask & (known ?? mask);
  if (!sockets) return { ok: false, detail: "which of its sockets have a timer is not known" };
  const all = Array.from({ length: 8 }, (_, ch) => ch).filter((ch) => sockets & (1 << ch));
  return { ok: true, method, params: { delays: all.map((ch) => ({ ch, on: 0, off: minutes })) } };
}
