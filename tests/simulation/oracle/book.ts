import type { SwitchAction } from "#domain/enums";
import { DAY, firstAfter, holding, windowsOf } from "./calendar";
import { plansOf, type City } from "./city";
import { isDark, isPermitted, limitEdges, rulesChangedAt, rulesOf } from "./limits";

const MINUTE = 60_000;

/**
 * What the oracle knows of one device: the three instants that decide its state, kept from what it saw leave and come back at the
 * lamps, and never from the engine's own memory.
 */
export type Book = {
  id: string;
  lamp: string;
  hub: string | null;
  off_at: number | null;
  on_at: number | null;
  lit_since: number | null;
  lit_by: "us" | "external";
  /** What a reading last said, and when it was asked and heard. */
  reading: { state: string; began: number; at: number } | null;
  sent_at: number | null;
  /** The action of the command that is under way, as far as it was seen to leave. */
  live: SwitchAction | null;
  /** A person's ON that is under way: whether a lamp took it, and what its failure goes back to. */
  manual: { isAccepted: boolean; on_at_before: number | null } | null;
  want: Want;
  /** Changes when the resolution does. */
  key: string;
  owes: Debt | null;
  /** An OFF was owed and waits, and nothing has contradicted it since: it may leave still, though the lamp was read off. */
  isOffKept: boolean;
  /** An OFF left, and the lamp was not read off since: an ON that replaces it leaves, though the lamp was last read lit. */
  isOffTried: boolean;
  /** The last OFF was refused: its ladder's end is not its own, since it is kept up. */
  isOffRefused: boolean;
  /** A person's connectivity test holds it until then. */
  test_until: number | null;
  /** What was known of the lamp before the last send, for the case that it did nothing. */
  before_send: Pick<Book, "sent_at" | "lit_since" | "lit_by"> | null;
  /** A switch of a test that is still to leave. */
  probe: SwitchAction | null;
  /** Until when everything that could change the answer has been looked at; null where nobody has looked yet. */
  looked_at: number | null;
  /** Until when the lamp may be other than wanted. */
  grace_until: number;
};

export type Want = SwitchAction | "none";

/** A send that has to leave; `waited` counts only while nothing stood in its way. */
export type Debt = { action: SwitchAction; since: number; waited: number; isPressed: boolean };

export function newBook(id: string, lamp: string, hub: string | null): Book {
  return {
    id,
    lamp,
    hub,
    off_at: null,
    on_at: null,
    lit_since: null,
    lit_by: "us",
    reading: null,
    sent_at: null,
    live: null,
    manual: null,
    want: "none",
    key: "none",
    owes: null,
    isOffKept: false,
    isOffTried: false,
    isOffRefused: false,
    test_until: null,
    before_send: null,
    probe: null,
    looked_at: null,
    grace_until: 0,
  };
}

type Judged = Pick<Book, "off_at" | "on_at" | "lit_by" | "want" | "key">;

/**
 * What the book holds at `now` if somebody had looked at every instant since the last look at which something changed:
 * a window that took the light over in between, or a curfew that ended it, is not undone by nobody having been there.
 */
export function caughtUp(book: Book, city: City, now: number): Book {
  const then = { ...book };
  if (book.looked_at === null) return then;
  for (let at = Math.max(book.looked_at, rulesChangedAt(city), now - 2 * DAY); at < now;) {
    const { off_at, on_at, lit_since, lit_by } = then;
    const isBefore = (instant: number | null) => instant !== null && instant > at;
    const hidden = {
      ...then,
      off_at: isBefore(off_at) ? null : off_at,
      on_at: isBefore(on_at) ? null : on_at,
      lit_since: isBefore(lit_since) ? null : lit_since,
    };
    const judged = judge(hidden, city, at, true);
    then.off_at = isBefore(off_at) ? off_at : judged.off_at;
    then.on_at = isBefore(on_at) ? on_at : judged.on_at;
    then.lit_by = isBefore(lit_since) ? lit_by : judged.lit_by;
    at = edgeAfter(then, city, at);
  }
  return then;
}

/** The next instant at which the book's answer could change. */
function edgeAfter(book: Book, city: City, at: number): number {
  const max = rulesOf(city).MAX_ON_DURATION_MIN * MINUTE;
  const plain = city.rules.MAX_ON_DURATION_MIN * MINUTE;
  const { off_at, on_at, lit_since } = book;
  const edges = [city.area_changed_at, ...limitEdges(city, at)];
  for (const instant of [off_at, on_at, lit_since])
    if (instant !== null) edges.push(instant, instant + max, instant + plain);
  for (const plan of plansOf(city, book.id)) {
    const windows = windowsOf(plan);
    edges.push(plan.changed_at, plan.made_at + max);
    for (let i = firstAfter(windows, at - 2 * DAY); i < windows.length; i += 1) {
      const window = windows[i];
      if (!window) break;
      edges.push(window.start, window.end, window.start + max);
      if (window.start > at) break;
    }
  }
  return Math.min(...edges.filter((edge) => edge > at), Infinity);
}

/**
 * The desired state, first match wins; answers the instants as they have to be remembered. Of the past, only what was
 * planned by then counts.
 */
export function judge(book: Book, city: City, now: number, isPast = false): Judged {
  const { off_at, lit_since } = book;
  let { on_at, lit_by } = book;

  if (isDark(city, book.id, now, isPast)) {
    if (lit_since === null) return { off_at, on_at: null, lit_by, want: "none", key: "none" };
    return { off_at, on_at: null, lit_by: "us", want: "off", key: "off guardrail" };
  }

  const claims = claimsOf(city, book.id, now)
    .filter(({ begins }) => off_at === null || begins > off_at)
    .filter(({ planned }) => !isPast || planned <= now);
  const max = longestOn(city, claims.length > 0);
  const mayBeCut = !isPermitted(city, book.id, now, isPast);
  if (claims.length > 0 || (on_at !== null && now >= on_at + max && mayBeCut)) on_at = null;
  const isWanted = claims.length > 0 || on_at !== null;
  if (isWanted && lit_since !== null) lit_by = "us";

  if (lit_since !== null && (isWanted || lit_by === "external")) {
    const since = Math.max(lit_since, ...claims.map(({ begins }) => begins));
    if (now >= since + max && mayBeCut)
      return { off_at: now, on_at: null, lit_by: "us", want: "off", key: "off pending" };
  }
  if (claims.length > 0) {
    const key = claims
      .map(({ plan, start }) => `${plan}@${start}`)
      .toSorted()
      .join(" ");
    return { off_at, on_at, lit_by, want: "on", key: `on ${key}` };
  }
  if (on_at !== null) return { off_at, on_at, lit_by, want: "on", key: "on manual" };
  if (lit_since === null) return { off_at, on_at, lit_by, want: "none", key: "none" };
  if (lit_by === "us") return { off_at, on_at, lit_by, want: "off", key: "off pending" };
  return { off_at, on_at, lit_by, want: "none", key: "none external" };
}

/** Without a limit a booking burns to its end; what has none takes the organization's. */
function longestOn(city: City, isBooked: boolean): number {
  const own = rulesOf(city).MAX_ON_DURATION_MIN;
  if (own === 0) return isBooked ? Infinity : city.rules.MAX_ON_DURATION_MIN * MINUTE;
  return own * MINUTE;
}

/** The windows that hold a device; one that was asked for after its start begins when it was asked for. */
export function claimsOf(
  city: City,
  device_id: string,
  at: number,
): { plan: string; start: number; end: number; begins: number; planned: number }[] {
  return plansOf(city, device_id).flatMap((plan) =>
    holding(plan, at).map((window) => ({
      plan: plan.id,
      ...window,
      begins: Math.max(window.start, plan.made_at),
      planned: Math.max(plan.changed_at, city.area_changed_at),
    })),
  );
}

/** Whether the engine can know the lamp to be in that state: read since it was last sent anything. */
export function isKnown({ reading, sent_at }: Book, state: SwitchAction): boolean {
  return reading !== null && reading.state === state && (sent_at === null || reading.at > sent_at);
}
