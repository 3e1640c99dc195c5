import type { World } from "#tests/support/engine";
import type { Lamps } from "#tests/simulation/world/lamps";
import type { Book, Debt } from "./book";
import type { City } from "./city";
import { Inside } from "./inside";
import { Tally } from "./tally";
import { Trace } from "./trace";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
/** A change of what is wanted is sent within a second, where nothing stands in its way. */
export const SENT_WITHIN = 1_000;
/** ... and is seen at the lamp within this. */
export const SEEN_WITHIN = 60 * SECOND;
/** From when somebody asks until something is done, the clock is read no more often than this. */
export const READINGS_TO_BEGIN = 20;
/** What a provider's call may take, and a little. */
export const TIMEOUT = 8_500;

/** An old lamp of a device that has another now, or is gone: it burned, and is owed an OFF. */
export type Orphan = {
  device_id: string;
  lamp: string;
  hub: string | null;
  owes: Debt | null;
  grace_until: number;
  since: number;
  /** Since when its OFF is kept up: its first tries had failed, which takes hours where the engine was away meanwhile. */
  kept_since: number | null;
  /** How much later its day ends, which began by a clock that was ahead. */
  late_ms: number;
  /** Its last try was held back by the vendor's limits: nobody was asked, so it is neither done nor failed. */
  isHeldBack: boolean;
  /** Its OFF was told as verified: what becomes of it after that is nobody's matter. */
  isAnswered: boolean;
};

/** The ONs of an area that leave one after the other: since when, when the last one left, and how far apart they are. */
export type Turn = { began: number; left_at: number; apart: number };

/** What lies before the oracle: everything that it has seen and noted down, and nothing that it concludes. */
export class Desk {
  readonly trace: Trace;
  readonly inside: Inside;
  calls = 0;
  /** What the engine can know: D1 as it was when it last had occasion to ask. */
  known: City;
  /** ... and as D1 had it then; what is known of an area's changes is what its row says. */
  read: City;
  truth: City;
  versions = new Map<string, City>();
  /** Whether the engine last said that the organization is active; since when, also its clock that is set right moves. */
  saysServed = true;
  readonly learned: { at: number; city: City }[] = [];
  books = new Map<string, Book>();
  byLamp = new Map<string, Book>();
  orphans = new Map<string, Orphan>();
  inFlight = new Map<string, number>();
  /** The calls that were under way when the last process died. */
  handed_out: ReadonlySet<number> = new Set();
  /** Of each hub how often it failed in a row, for which lamp alone (null: for several, or itself), and its pause. */
  hubs = new Map<string, { failures: number; paused_until: number; lamp: string | null }>();
  /** Of each device whose instants an evaluation has just changed: how its book stood before. */
  readonly evaluated = new Map<string, { at: number; before: Partial<Book> }>();
  /** Of each light that failed (`old d`: of lamps that it left), when people were told; until it is well again. */
  readonly told = new Map<string, number>();
  /** When each device that was deleted was last seen to be: a restore brings it back, and nobody remembers it. */
  gone = new Map<string, number>();
  /** Until this instant everything has been accounted for. */
  seen_until: number;
  /** The same by the engine's clock. */
  seen_clock: number;
  /** What was learned by a clock that was behind its stamp, and when by that clock. */
  readonly learned_late = new Map<string, number>();
  /** When a process last died. */
  died_at = -Infinity;
  /** Since when the engine was there and its alarm on time. */
  ok_since: number;
  /** For how long it has been away, or its alarm late; 0 while it is there. */
  away_ms = 0;
  /** Since when D1 answers. */
  up_since = 0;
  slow_until = 0;
  /** When D1 was last seen to hang. */
  hung_at = -Infinity;
  /** When the vendor's cloud was last found silent. */
  cloud_silent_at = -Infinity;
  /** Whether it was silent, or did not accept the account, when it was last asked. */
  isCloudTroubled = false;
  /** Why lights were to be as they were, and how often that changed. */
  readonly reasons = new Tally();
  /** Of each area when its last ON left, and since when they have left one after the other. */
  readonly turns = new Map<string, Turn>();
  /** When the last alarm came. */
  rang_at = 0;
  /** Since when its clock is hours ahead (the real one), until the engine has heard that it is right again; null: it is not. */
  ahead_since: number | null = null;
  /** From when to when it was, and how far it had come. */
  readonly ahead: { from: number; to: number; was_at: number }[] = [];
  /** Whether its clock was ever wrong: what people's clocks say and what its own says differ since by so much. */
  wrong_by = 0;
  /** Told how much time has gone by in which the engine could have worked. */
  waited: (ms: number) => void = () => undefined;
  /** Told when the engine has found its clock right that was hours ahead. */
  isRight: (now: number) => void = () => undefined;
  /** Told when those that wait for their turn begin anew. */
  newWave: () => void = () => undefined;
  /** Takes back what was noted since the engine last committed. */
  undo: (() => void) | null = null;

  constructor(
    readonly world: World,
    readonly lamps: Lamps,
    city: City,
  ) {
    this.trace = new Trace(world);
    this.inside = new Inside(world);
    this.truth = city;
    this.known = { ...city, version: -1, devices: new Map(), plans: new Map(), hubs: new Set() };
    this.read = this.known;
    this.versions.set(versionKey(city), city);
    this.seen_clock = world.clock;
    this.seen_until = world.now;
    this.ok_since = world.now;
  }

  object(device: string | null, what: string): never {
    const { now, lines } = this.world;
    const logged = lines.slice(-3).map((line) => JSON.stringify(line));
    const head = `${new Date(now).toISOString()} ${device ?? ""} ${what}`;
    throw new Error([head, this.trace.of(device), "last logged:", ...logged].join("\n"));
  }

  /** There, and served: no alarm that was asked for is still to come, but one that rings in this very instant. */
  get isOk(): boolean {
    const { world } = this;
    const since = world.asked_at === null ? -1 : world.now - (world.asked_at - world.skew_ms);
    const isLate = since > 0 || (since === 0 && world.alarm_at !== world.asked_at);
    return !world.isAsleep && world.now >= world.down_until && !isLate;
  }

  get callsUnderWay(): number {
    return [...this.inFlight.values()].reduce((sum, n) => sum + n, 0);
  }

  /** Whether the engine was there, with its alarm on time, ever since. */
  wasOkSince(at: number): boolean {
    return this.isOk && this.ok_since <= at;
  }

  /** Whether that was told, or seen, while the engine's clock was hours ahead. */
  wasAhead(at: number): boolean {
    return this.ahead.some(({ from, to }) => at >= from && at < to);
  }

  /** Whether nobody knows what became of the window: the clock was set back, and nobody was there until it had come as far again. */
  isForgotten({ start, end }: { start: number; end: number }): boolean {
    return this.ahead.some(({ to, was_at }) => to <= start && end <= was_at && was_at <= this.ok_since);
  }

  /** When the engine's clock, if it was hours ahead then, was found right: by it, what was planned to come was over. */
  rightAfter(at: number): number {
    return this.ahead.find(({ from, to }) => at >= from && at < to)?.to ?? at;
  }

  /** Whether D1 answered ever since: what was planned while it did not cannot be known. */
  couldAskSince(at: number): boolean {
    return this.up_since <= at;
  }

  /** What the engine could know then; null where that is too long ago to tell. */
  knownAt(at: number): City | null {
    return this.learned.findLast((one) => one.at <= at)?.city ?? null;
  }

  /** Whether people were told of the light's own failure, which no later success has ended. */
  hasIncident(device: string): boolean {
    return this.told.has(device);
  }

  /** Whether a device was deleted since then: what was recorded of it is forgotten with it. */
  wasGoneSince(device: string | null, at: number): boolean {
    return device !== null && (this.gone.get(device) ?? -Infinity) >= at;
  }

  /** The lamps a device has or had and is still owed something at. */
  lampsOf(device: string): string[] {
    const old = [...this.orphans.values()].filter((orphan) => orphan.device_id === device).map(({ lamp }) => lamp);
    return [...old, this.books.get(device)?.lamp ?? device];
  }

  /** Whose lamp is switched by this hub; nobody's where it is the old way to a lamp, which only an OFF still goes. */
  bookOf(lamp: string, hub: string | null): Book | undefined {
    const book = this.byLamp.get(lamp);
    const isOldWay = this.orphans.get(lamp)?.hub === hub && book?.hub !== hub;
    return isOldWay ? undefined : book;
  }

  deviceOf(lamp: string | null): string | null {
    if (lamp === null) return null;
    return this.byLamp.get(lamp)?.id ?? this.orphans.get(lamp)?.device_id ?? null;
  }

  /** The lamp may be other than wanted for so long from now on. */
  grant(of: { grace_until: number }, ms: number): void {
    of.grace_until = Math.max(of.grace_until, this.world.now + ms);
  }

  /** What the engine has not committed when it dies, it has not learned. */
  snapshot(books: Iterable<Book>, more: () => void = () => undefined): void {
    const was = [...books].map((book) => ({ book, copy: { ...book, owes: book.owes && { ...book.owes } } }));
    const before = this.undo;
    this.undo = () => {
      for (const { book, copy } of was) Object.assign(book, copy);
      more();
      before?.();
    };
  }
}

export function versionKey({ epoch, version }: Pick<City, "epoch" | "version">): string {
  return `${epoch}@${version}`;
}

export function queueOf(lamp: string | null, hub: string | null): string {
  return hub === null ? `lamp:${lamp}` : `hub:${hub}`;
}

export function clock(at: number): string {
  if (!Number.isFinite(at)) return "at no known time";
  return new Date(at).toISOString().slice(11, 23);
}

export function why(book: Book): string {
  return `wanted is ${book.want} (${book.key})`;
}
