import type { Attention } from "#domain/alarms/attention";
import { counted } from "#domain/counted";

/** How many there are of each kind, and how many wrong lights are told of their hub only. */
type AttentionCounts = { lights: number; hubs: number; behind: number; orders: number };

export type CountedAttention = Attention & { counts: AttentionCounts };

/**
 * What the number of things that need a person is made of: '2 wrong lights, 1 hub in trouble (3 wrong lights), 1 work order
 * due'. All its wrong lights together are those that the other figures call wrong.
 */
export function attentionWords({ lights, hubs, behind, orders }: AttentionCounts): string {
  const with_lights = behind > 0 ? ` (${counted(behind, "wrong light")})` : "";
  return [
    ...(lights > 0 ? [counted(lights, "wrong light")] : []),
    ...(hubs > 0 ? [`${counted(hubs, "hub")} in trouble${with_lights}`] : []),
    ...(orders > 0 ? [`${counted(orders, "work order")} due`] : []),
  ].join(", ");
}
