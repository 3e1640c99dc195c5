import type { AttentionCounts } from "#domain/alarms/attention";
import { counted } from "#domain/counted";

/**
 * What the number of things that need a person is made of: '1 connection in trouble (9 wrong lights), 2 wrong lights, 1 hub
 * in trouble (3 wrong lights), 1 work order due'. All its wrong lights together are those that the other figures call wrong.
 */
export function attentionWords(counts: AttentionCounts): string {
  const { connections, cut_off, lights, hubs, behind, orders } = counts;
  const withLights = (wrong: number) => (wrong > 0 ? ` (${counted(wrong, "wrong light")})` : "");
  return [
    ...(connections > 0 ? [`${counted(connections, "connection")} in trouble${withLights(cut_off)}`] : []),
    ...(lights > 0 ? [counted(lights, "wrong light")] : []),
    ...(hubs > 0 ? [`${counted(hubs, "hub")} in trouble${withLights(behind)}`] : []),
    ...(orders > 0 ? [`${counted(orders, "work order")} due`] : []),
  ].join(", ");
}
