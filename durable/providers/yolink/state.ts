import type { DeviceState } from "#domain/enums";
import { ALL_SOCKETS } from "#domain/light/sockets";
import { isObject, type Json } from "#domain/fields/json";

/** A MultiOutlet answers with so many words, however few sockets it has: those that it has not are closed for ever. */
const PADDED_WORDS = 8;
/** The sockets of the models that are known; the strip's first one is its USB bank. */
const SOCKETS: [RegExp, number][] = [
  [/^YS6801/i, 0b11111],
  [/^YS6802/i, 0b00011],
];

/**
 * The light's state from the data of getState, setState, fetchState or a report: `open` is on. Of a MultiOutlet the
 * sockets in `mask` count, and a mixture is unknown; with all of them meant, those that the device has. Where that can't
 * be told, one lit socket is a lit light; with none meant, it is off. What is not understood is unknown, never guessed.
 */
export function readState(data: Json, mask: number, model = ""): DeviceState {
  const body = isObject(data.state) ? data.state : data;
  const { state } = body;
  if (mask === 0) return "off";
  if (!Array.isArray(state)) return oneState(state);
  const words = state.map(oneState);
  if (mask !== ALL_SOCKETS || words.length < PADDED_WORDS) return together(words.filter((_, i) => mask & (1 << i)));
  const existing = namedByDelays(body.delays) ?? SOCKETS.find(([name]) => name.test(model.trim()))?.[1];
  if (existing !== undefined) return together(words.filter((_, i) => existing & (1 << i)));
  return words.includes("on") ? "on" : together(words);
}

/** A device that answers at length names each of its sockets in its delays. */
function namedByDelays(delays: unknown): number | undefined {
  const rows: unknown[] = Array.isArray(delays) ? delays : [];
  const sockets = rows.flatMap((row) => (isObject(row) && typeof row.ch === "number" ? [row.ch] : []));
  const mask = sockets.filter((ch) => ch >= 0 && ch < PADDED_WORDS).reduce((all, ch) => all | (1 << ch), 0);
  return mask === 0 ? undefined : mask;
}

function together(states: DeviceState[]): DeviceState {
  const [first = "unknown"] = states;
  return states.every((one) => one === first) ? first : "unknown";
}

function oneState(word: unknown): DeviceState {
  if (word === "open") return "on";
  return word === "closed" || word === "close" ? "off" : "unknown";
}
