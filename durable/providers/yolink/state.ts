import type { DeviceState } from "#domain/enums";
import { isObject, type Json } from "./packet";

/** Every socket of a MultiOutlet. */
export const ALL_SOCKETS = 0xff;

/**
 * The light's state from the data of getState, setState, fetchState or a report (yolink.md 4.9): `open` is on. Of a
 * MultiOutlet the sockets in `mask` count, and a mixture is unknown. What is not understood is unknown, never guessed.
 */
export function readState(data: Json, mask: number): DeviceState {
  const state = isObject(data.state) ? data.state.state : data.state;
  if (!Array.isArray(state)) return oneState(state);
  const counted = state.filter((_, i) => mask & (1 << i)).map(oneState);
  const [first = "unknown"] = counted;
  return counted.every((one) => one === first) ? first : "unknown";
}

function oneState(word: unknown): DeviceState {
  if (word === "open") return "on";
  return word === "closed" || word === "close" ? "off" : "unknown";
}
