import type { SwitchAction } from "#domain/enums";

/**
 * What the oracle knows of one device: what people toggled and what decides its state, kept from what it saw leave and come
 * back at the lamps, and never from the engine's own memory.
 */
export type Book = Memory & {
  id: string;
  lamp: string;
  hub: string | null;
  /** What a reading last said, and when it was asked and heard. */
  reading: { state: string; began: number; at: number } | null;
  sent_at: number | null;
  /** A reading said that it burns, and none since that it does not. */
  isSeenLit: boolean;
  /** Since when a lamp that was seen lit is dark: the later of the OFF that it took and the reading that said so. */
  dark_since: number | null;
  /** The action of the command that is under way, as far as it was seen to leave or to fail at once. */
  live: SwitchAction | null;
  /** A person's ON that is under way: whether a lamp took it, and what its failure goes back to. */
  manual: { isAccepted: boolean; on_at_before: number | null } | null;
  want: Want;
  /** Changes when the resolution does. */
  key: string;
  owes: Debt | null;
  /** An OFF was owed and waits, and nothing has contradicted it since: it may leave still, though the lamp was read off. */
  isOffKept: boolean;
  /** An OFF left, or was to, and the lamp was not read off since: an ON that replaces it leaves, though the lamp was last read lit. */
  isOffTried: boolean;
  /** It was not known to be as it should be when its hub or the cloud came back, and has been made good for that. */
  isMadeGood: boolean;
  /** The last OFF was refused: its ladder's end is not its own, since it is kept up. */
  isOffRefused: boolean;
  /**
   * What the last switch asked for where a limit held it back. One that has failed by that is kept up, and may leave again,
   * whatever the lamp was last read.
   */
  held_back: SwitchAction | null;
  /** The command that is under way has not left: its tries failed at once, since its hub or the cloud was silent. */
  isUnsent: boolean;
  /** What has failed like that: it is kept up, and leaves once, whatever the lamp was read before. */
  kept_up: SwitchAction | null;
  /** What is wanted ends some readings of the clock from now: who has just evaluated it, or sent the OFF, has seen that end. */
  isAhead: boolean;
  /** A person's connectivity test holds it until then. */
  test_until: number | null;
  /** What was known of the lamp before the last send, for the case that it did nothing. */
  before_send: Pick<Book, "sent_at" | "lit_since" | "lit_by" | "grace_until"> | null;
  /** The switches of tests that nobody has had an answer to yet: two people may test one light. */
  probes: { action: SwitchAction; hasLeft: boolean }[];
  /** Until when everything that could change the answer has been evaluated; null where nobody has yet. */
  evaluated_at: number | null;
  /** When a toggle, or its end, last changed what people ask for: nobody looks back behind that. */
  asked_at: number;
  /** Until when the lamp may be other than wanted. */
  grace_until: number;
};

/** All that decides beside the plan: the instants of toggles, cuts and light. */
export type Memory = {
  off_at: number | null;
  cut_at: number | null;
  on_at: number | null;
  hold: { action: SwitchAction; until: number; since: number } | null;
  emergency: { until: number; since: number } | null;
  lit_since: number | null;
  lit_by: "us" | "external";
};

type Want = SwitchAction | "none";

/**
 * A send that has to leave; `waited` counts only while nothing stood in its way, `cools_until` is when its lamp had cooled,
 * `turn` how much longer it may take for the turns of its area.
 */
export type Debt = {
  action: SwitchAction;
  since: number;
  waited: number;
  isToggle: boolean;
  cools_until?: number;
  turn?: number;
};

export function newBook(id: string, lamp: string, hub: string | null): Book {
  return {
    id,
    lamp,
    hub,
    off_at: null,
    cut_at: null,
    on_at: null,
    hold: null,
    emergency: null,
    lit_since: null,
    lit_by: "us",
    reading: null,
    sent_at: null,
    isSeenLit: false,
    dark_since: null,
    live: null,
    manual: null,
    want: "none",
    key: "none",
    owes: null,
    isOffKept: false,
    isOffTried: false,
    isMadeGood: false,
    isOffRefused: false,
    held_back: null,
    isUnsent: false,
    kept_up: null,
    isAhead: false,
    test_until: null,
    before_send: null,
    probes: [],
    evaluated_at: null,
    asked_at: -Infinity,
    grace_until: 0,
  };
}

/** Whether the engine can know the lamp to be in that state: read since it was last sent anything. */
export function isKnown({ reading, sent_at }: Book, state: SwitchAction): boolean {
  return reading !== null && reading.state === state && (sent_at === null || reading.at > sent_at);
}

/** The switch of a test that is still to leave. */
export function probeOf(book: Book, action: SwitchAction): Book["probes"][number] | undefined {
  return book.probes.find((probe) => probe.action === action && !probe.hasLeft);
}
