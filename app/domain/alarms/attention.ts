import type { AlarmKind, SwitchAction } from "#domain/enums";

/** What can need a person, worst first: many may stand in the dark, somebody does, light is wasted, nobody knows. */
const ATTENTION_KINDS = ["connection", "dark", "hub", "lit", "unconfirmed", "workorder"] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Alarms of the vendor's cloud and of the account there: lights that have none of their own are wrong because of it. */
export const CLOUD_KINDS = ["cloud_offline", "cloud_refused", "account_throttled"] as const satisfies AlarmKind[];
/** Alarms of what many hubs or lights depend on. */
export const CONNECTION_KINDS = [...CLOUD_KINDS, "agent_offline"] as const satisfies AlarmKind[];

/** The most that are shown; the rest are counted. */
export const MOST_ATTENTION = 20;

/** What the one button does: switch the light as it should be, ping the hub, open the alarms or the work order. */
type AttentionAct = { act: "switch"; to: SwitchAction } | { act: "ping" } | { act: "open" };

/** Something that needs a person now: a connection, a light, a hub or a work order. */
export type AttentionItem = {
  kind: AttentionKind;
  /** The id of the connection's alarm, the light, the hub or the work order. */
  id: string;
  name: string;
  area: { id: string; name: string } | null;
  /** What is wrong, since when, and what was tried: 'Dark since 5:00 PM: still off after 3 tries'. */
  sentence: string;
  /** The same for a work order that is made for it; '' of one. */
  facts: string;
  /** What it should be doing now: 'Should be on until 7:30 PM'; null if nothing is known of that. */
  due: string | null;
  /** Null where the person may not. */
  act: AttentionAct | null;
  /** The open work order for it, if there is one. */
  order: { id: string; title: string } | null;
  /** How many wrong lights are told of it only. */
  behind: number;
};

/** How many there are of each kind; `behind` counts the wrong lights that are told of their hub only, `cut_off` of the cloud. */
export type AttentionCounts = {
  connections: number;
  cut_off: number;
  lights: number;
  hubs: number;
  behind: number;
  orders: number;
};

/** What needs a person, worst first, `MOST_ATTENTION` at most; `total` counts all. */
export type Attention = { items: AttentionItem[]; total: number; counts: AttentionCounts };

/** An area with lit lights, and what they are lit for. */
export type LitArea = { id: string; name: string; on: number; all: number; why: string | null };

/** The areas with the most lit lights, and what all areas come to. */
export type OnNow = { areas: LitArea[]; on: number; in_areas: number };

/** Where an item comes in the list. A hub that makes lights wrong comes before a light that is so by itself. */
export function rankOf({ kind, behind }: Pick<AttentionItem, "kind" | "behind">): number {
  return ATTENTION_KINDS.indexOf(kind === "hub" && behind > 0 ? "connection" : kind);
}
