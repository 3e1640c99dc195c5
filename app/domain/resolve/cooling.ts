import type { DeviceState } from "#domain/enums";
import type { Instants } from "./instants";
import type { Resolved } from "./rungs";

/**
 * What a lamp that must cool before it is lit again remembers: whether a reading said that it is on, and since when it is
 * dark (epoch ms). A lamp that nobody saw lit has nothing to cool from.
 */
export type Cooling = { seen_lit: 0 | 1; dark_since: number | null };

/** A lamp that nobody has seen lit. */
export const COOL: Cooling = { seen_lit: 0, dark_since: null };

/** After a reading; the first one that says off after one that said on begins the time anew. */
export function readFor({ seen_lit, dark_since }: Cooling, state: DeviceState, now: number): Cooling {
  if (state === "on") return { seen_lit: 1, dark_since: null };
  return state === "off" && seen_lit === 1 ? { seen_lit: 0, dark_since: now } : { seen_lit, dark_since };
}

/** After the hardware took our OFF. */
export function acceptedOff({ seen_lit, dark_since }: Cooling, now: number): Cooling {
  return { seen_lit, dark_since: seen_lit === 1 ? now : dark_since };
}

/** When the lamp can be lit again (epoch ms); null if it can be now. */
export function coolUntil({ dark_since }: Cooling, restrike_min: number, now: number): number | null {
  const until = dark_since === null ? now : dark_since + restrike_min * 60_000;
  return until > now ? until : null;
}

type Flip = { at: number; resolved: Resolved };

/**
 * What people are told of an ON whose lamp has to cool: 'Lamp is cooling; on at 7:17 PM', or, where it is not wanted by then,
 * 'Lamp is cooling until 7:17 PM, wanted only until 7:10 PM'. For `flip` and `since` see `endBeforeCool`.
 */
export function coolingWords(
  flip: Flip | null,
  since: Pick<Instants, "on_at" | "lit_since">,
  cools_until: number,
  moment: (at: number) => string,
): string {
  const end = endBeforeCool(flip, since, cools_until);
  if (end === null) return `Lamp is cooling; on at ${moment(cools_until)}`;
  return `Lamp is cooling until ${moment(cools_until)}, wanted only until ${moment(end)}`;
}

/**
 * The end (epoch ms) of what wants the lamp on, where that comes before it has cooled: then it is not lit at all. `flip` is
 * when it would go off if it burned already. The longest time on is such an end only where it counts already: otherwise it
 * counts from when the lamp is lit, but of a person's ON without an end from when that was asked for.
 */
function endBeforeCool(
  flip: Flip | null,
  { on_at, lit_since }: Pick<Instants, "on_at" | "lit_since">,
  cools_until: number,
): number | null {
  if (flip === null || flip.at > cools_until) return null;
  const isCounted = on_at !== null || lit_since !== null;
  return flip.resolved.reason.kind !== "max_on" || isCounted ? flip.at : null;
}
