import type { ProviderResult } from "#durable/providers/provider";
import type { ToggleResult } from "#domain/records";
import type { SwitchAction } from "#domain/enums";
import type { World } from "#tests/support/engine";
import { claimsOf, isKnown, judge, newBook, type Book, type Debt } from "./book";
import { isRestricted } from "./calendar";
import type { City } from "./city";
import { Ledger } from "./ledger";
import type { Call, Lamps } from "./lamps";
import { Trace } from "./trace";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A change of what is wanted is sent within a second, where nothing stands in its way. */
const SENT_WITHIN = SECOND;
/** ... and is seen at the lamp within this. */
const SEEN_WITHIN = 60 * SECOND;
/** What a provider's call may take, and a little. */
const TIMEOUT = 8_500;
const RUNNERS = 6;
/** The watchdog's longest spacing. */
const SPACING = 30 * MINUTE;
const READS_A_TURN = 20;
const PAUSE = 15 * SECOND;
/** A read and a write of D1, each as slow as the wire is. */
const PATIENCE_WITH_D1 = 2 * SECOND;

/** From when somebody asks until something is done, the clock is read no more often than this. */
const READINGS_TO_BEGIN = 20;
/** The slowest answer of D1, two after one another. */
const ANSWERED_WITHIN = 10 * SECOND;
/** Of what the engine could know, and since when, so many versions are remembered. */
const LEARNED_KEPT = 100;

/** An old lamp of a device that has another now, or is gone: it burned, and is owed an OFF. */
type Orphan = { device_id: string; lamp: string; hub: string | null; owes: Debt | null; grace_until: number };

/**
 * Knows what has to be, from its own books, sees every call and the physical lamps, and objects by throwing, with what
 * happened to the lamp concerned. Rules of its own; nothing of the engine's code.
 */
export class Oracle {
  readonly trace: Trace;
  readonly ledger: Ledger;
  calls = 0;
  /** What the engine can know: D1 as it was when it last had occasion to look. */
  known: City;
  truth: City;
  readonly #versions = new Map<number, City>();
  readonly #learned: { at: number; city: City }[] = [];
  #books = new Map<string, Book>();
  #byLamp = new Map<string, Book>();
  #orphans = new Map<string, Orphan>();
  #inFlight = new Map<string, number>();
  #hubs = new Map<string, { failures: number; paused_until: number }>();
  /** Of each device whose instants a look has just changed: how its book stood before. */
  readonly #looked = new Map<string, { at: number; before: Partial<Book> }>();
  /** Until this instant everything has been accounted for. */
  #seen_until: number;
  /** Since when the engine was there and its alarm on time. */
  #ok_since: number;
  #slow_until = 0;
  #undo: (() => void) | null = null;
  /** When the last alarm came. */
  #rang_at = 0;
  #up_since = 0;

  constructor(
    readonly world: World,
    readonly lamps: Lamps,
    city: City,
  ) {
    this.trace = new Trace(world);
    this.ledger = new Ledger(this);
    this.truth = city;
    this.known = { ...city, version: -1, devices: new Map(), plans: new Map(), hubs: new Set() };
    this.#versions.set(city.version, city);
    this.#seen_until = world.now;
    this.#ok_since = world.now;
    lamps.onlooker = {
      called: (call) => this.#guard(() => this.#called(call)),
      heard: (call, answer) => this.#guard(() => this.#heard(call, answer)),
      switched: (lamp, state, call) => this.#guard(() => this.#switched(lamp, state, call)),
    };
    world.watch = {
      acts: (why) => this.#guard(() => this.#acts(why)),
      committed: (hasPosted) => this.#guard(() => this.#committed(hasPosted)),
      died: () => this.#died(),
    };
  }

  /** What is thrown inside the engine would be caught there: the first objection is kept for the life to throw. */
  objection: Error | null = null;

  #guard(look: () => void): void {
    try {
      if (this.objection === null) look();
    } catch (error) {
      this.objection = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** D1 holds another configuration from now on. */
  committedToD1(city: City): void {
    this.truth = city;
    this.#versions.set(city.version, city);
    for (const version of this.#versions.keys()) if (version < this.known.version) this.#versions.delete(version);
  }

  pressing(device: string, action: SwitchAction): void {
    this.#guard(() => {
      this.#advance();
      const book = this.#books.get(device);
      if (!book) return;
      this.#snapshot([book]);
      const { now } = this.world;
      this.trace.note(device, `${action.toUpperCase()} is pressed`);
      if (action === "on" && isRestricted(this.known.rules, now)) return;
      if (action === "on") {
        const { manual, on_at } = book;
        book.manual = { isAccepted: false, on_at_before: manual && !manual.isAccepted ? manual.on_at_before : on_at };
        book.off_at = null;
        book.on_at = claimsOf(this.known, device, now).length === 0 ? now : null;
        if (book.lit_since !== null) book.lit_since = now;
      } else {
        book.off_at = now;
        book.on_at = null;
        book.manual = null;
      }
      book.lit_by = "us";
      this.#look(book);
      book.live = action;
      book.owes = { action, since: now, waited: 0, isPressed: true };
      this.#grant(book, SEEN_WITHIN + MINUTE);
    });
  }

  pressed(device: string, action: SwitchAction, began: number, result: ToggleResult): void {
    this.#guard(() => {
      const { now } = this.world;
      this.trace.note(
        device,
        `the press of ${action.toUpperCase()} is answered: ${result.success} ${result.detail ?? ""}`,
      );
      if (result.detail === "the scheduler did not answer") return;
      if (now - began > 9 * SECOND) this.object(device, `the press was answered after ${(now - began) / 1000} s`);
      const wasRefused = /may not go on/.test(result.detail ?? "");
      const isForbidden = action === "on" && isRestricted(this.known.rules, began);
      if (wasRefused && !isRestricted(this.known.rules, now)) this.object(device, "an ON was refused in free time");
      if (isForbidden && result.success) this.object(device, "an ON was accepted in a restricted time");
    });
  }

  /** Somebody's hand at the pole. */
  switchExternally(lamp: string, state: SwitchAction): void {
    if (state === "on") this.lamps.lit.add(lamp);
    else this.lamps.lit.delete(lamp);
    this.#touched(lamp, `a hand switches ${state}`);
  }

  /** Something outside changes: what was before it is accounted for first. */
  heal(change: () => void, what: string): void {
    this.#guard(() => this.#advance());
    change();
    this.trace.note(null, what);
  }

  /** What holds between two steps: the alarm, the outbox, and every lamp. */
  check(): void {
    this.#guard(() => {
      this.#advance();
      const { world } = this;
      this.#checkAlarm();
      const { now } = world;
      if (this.#isOk() && now - this.#ok_since > 90 * SECOND && now - this.#up_since > 90 * SECOND) {
        const [row] = world.storage.sql
          .exec<{ id: number; body: string }>("SELECT id, body FROM outbox LIMIT 1")
          .toArray();
        if (row && this.ledger.isOld(row.id)) this.object(null, `a fact was not told to D1: ${row.body}`);
      }
      for (const book of this.#books.values()) this.#checkLamp(book);
      for (const orphan of this.#orphans.values()) this.#checkOrphan(orphan);
      this.ledger.closeWindows();
    });
    if (this.objection !== null) throw this.objection;
  }

  /** Whether the engine was there, with its alarm on time, ever since. */
  wasOkSince(at: number): boolean {
    return this.#isOk() && this.#ok_since <= at;
  }

  /** Whether D1 answered ever since: what was planned while it did not cannot be known. */
  couldAskSince(at: number): boolean {
    return this.#up_since <= at;
  }

  /** What the engine could know then; null where that is too long ago to tell. */
  knownAt(at: number): City | null {
    return this.#learned.findLast((one) => one.at <= at)?.city ?? null;
  }

  books(): Iterable<Book> {
    return this.#books.values();
  }

  book(device: string): Book | undefined {
    return this.#books.get(device);
  }

  /** The lamps a device has or had and is still owed something at. */
  lampsOf(device: string): string[] {
    const old = [...this.#orphans.values()].filter((orphan) => orphan.device_id === device).map(({ lamp }) => lamp);
    return [...old, this.#books.get(device)?.lamp ?? device];
  }

  object(device: string | null, what: string): never {
    const { now, lines } = this.world;
    const logged = lines.slice(-3).map((line) => JSON.stringify(line));
    throw new Error(
      [`${new Date(now).toISOString()} ${device ?? ""} ${what}`, this.trace.of(device), "last logged:", ...logged].join(
        "\n",
      ),
    );
  }

  /** An attempt has ended without success, and there will be another. */
  retried(device: string): void {
    const manual = this.#books.get(device)?.manual;
    if (manual) manual.isAccepted = false;
  }

  /** A command has ended, as its event says: a manual ON that failed leaves no wish behind but the one before it. */
  ended(device: string, action: SwitchAction, isLostWish: boolean): void {
    const book = this.#books.get(device);
    if (!book) return;
    const { manual } = book;
    if (book.live === action) book.live = null;
    if (action === "on") book.manual = null;
    if (!isLostWish) return;
    if (book.on_at !== null) book.on_at = manual?.on_at_before ?? null;
    this.#look(book);
  }

  // ---- what the engine does

  #acts(why: "alarm" | "hint" | "press"): void {
    this.#advance();
    const { now, wire } = this.world;
    if (this.#ok_since === Infinity) this.#ok_since = now;
    if (wire.state.kind === "slow") this.#slow_until = now + PATIENCE_WITH_D1;
    if (wire.state.kind === "up") this.#learn(this.truth);
    if (why !== "alarm") return;
    this.#rang_at = now;
    for (const book of this.#books.values()) this.#look(book);
  }

  #committed(hasPosted: boolean): void {
    // What was asked of a slow D1 may be answered when it is well again.
    const isSure = this.world.wire.state.kind === "up" && this.world.now - this.#up_since > ANSWERED_WITHIN;
    if (this.#undo !== null || !isSure) this.#noteVersion();
    if (hasPosted) this.ledger.read();
    this.#checkAlarm();
  }

  #noteVersion(): void {
    const [row] = this.world.storage.sql
      .exec<{ value: string }>("SELECT value FROM meta WHERE key = 'version'")
      .toArray();
    const version = Number(row?.value ?? -1);
    const city = this.#versions.get(version);
    if (city && version > this.known.version) {
      this.#lookAgain();
      this.#learn(city);
    }
    if (version >= this.known.version) this.#undo = null;
  }

  /** A slow D1 is waited for, for a second: who wakes looks at nothing before. */
  #lookAgain(): void {
    if (this.world.now - this.#rang_at > SECOND) return;
    for (const [id, { at, before }] of this.#looked) {
      const book = this.#books.get(id);
      if (book && at >= this.#rang_at) Object.assign(book, before);
    }
  }

  #died(): void {
    this.#forgetLooks();
    this.#undo?.();
    this.#undo = null;
    this.#recallHubs();
    this.#noteUnseen();
    this.#inFlight.clear();
    this.#ok_since = Infinity;
    this.trace.note(null, `the process dies, until ${new Date(this.world.down_until).toISOString().slice(11, 19)}`);
  }

  /** What a process saw (the longest time was up, a guardrail began) and died without a word of, the next one decides anew. */
  #forgetLooks(): void {
    for (const [id, { at, before }] of this.#looked) {
      const [row] = this.world.storage.sql
        .exec<{ reconciled_at: number | null }>("SELECT reconciled_at FROM device_memory WHERE device_id = ?", id)
        .toArray();
      const book = this.#books.get(id);
      if (!book || !row) continue;
      if ((row.reconciled_at ?? 0) < at) Object.assign(book, before);
    }
    this.#looked.clear();
  }

  /** What was heard of the hubs and not written down is forgotten with the process. */
  #recallHubs(): void {
    const rows = this.world.storage.sql
      .exec<{ hub: string; failures: number; paused_until: number }>("SELECT * FROM hub_trouble WHERE hub LIKE 'hub:%'")
      .toArray();
    this.#hubs = new Map(rows.map(({ hub, ...trouble }) => [hub.slice("hub:".length), trouble]));
  }

  /**
   * A call that was handed out and never left, since the process died in between: whoever comes after it can't know, and
   * has to take it for sent, and its answer for lost (verified, not repeated blindly).
   */
  #noteUnseen(): void {
    const { world } = this;
    const rows = world.storage.sql.exec<{ body: string }>("SELECT body FROM calls").toArray();
    for (const { body } of rows) {
      const { kind, address, action } = JSON.parse(body);
      if (kind !== "send" || (this.#inFlight.get(queueOf(address.lamp, address.hub?.id ?? null)) ?? 0) > 0) continue;
      const book = this.#byLamp.get(address.lamp);
      const owed = book ?? this.#orphans.get(address.lamp);
      if (owed && owed.owes?.action === action) owed.owes = null;
      this.ledger.sent(address.lamp, action, world.now);
      if (!book) continue;
      this.trace.note(book.id, `${action} was handed out, and died`);
      if (action === "on") this.#litByUs(book);
      book.sent_at = world.now;
      book.live = action;
    }
  }

  #litByUs(book: Book): void {
    book.lit_since ??= this.world.now;
    book.lit_by = "us";
  }

  #called(call: Call): void {
    this.calls += 1;
    this.#advance();
    const queue = queueOf(call.lamp, call.hub);
    const busy = this.#inFlight.get(queue) ?? 0;
    if (busy > 0) this.object(this.#deviceOf(call.lamp), `two calls at once to ${queue}`);
    this.#inFlight.set(queue, busy + 1);
    if (call.lamp === null || call.what !== "switch" || call.action === null) return;

    const book = this.#byLamp.get(call.lamp);
    if (!book) return this.#calledOrphan(call, call.action);
    this.trace.note(book.id, `${call.action.toUpperCase()} leaves for ${call.lamp}`);
    this.#look(book);
    if (call.action === "on" && book.want !== "on") this.object(book.id, `an ON left, and ${this.#why(book)}`);
    if (call.action === "off" && book.want === "on") this.object(book.id, `an OFF left, and ${this.#why(book)}`);
    if (call.action === "on") this.#litByUs(book);
    book.sent_at = call.began;
    book.live = call.action;
    if (book.owes?.action === call.action) book.owes = null;
    // However the lamp came to be as it is, it is told now, and then read.
    if (book.grace_until === Infinity) book.grace_until = 0;
    this.#grant(book, SEEN_WITHIN);
    this.#looked.delete(book.id);
    this.ledger.sent(call.lamp, call.action, call.began);
    this.#look(book);
  }

  #calledOrphan(call: Call, action: SwitchAction): void {
    const orphan = call.lamp === null ? undefined : this.#orphans.get(call.lamp);
    if (!orphan) return this.object(null, `a call left for ${call.lamp}, which is nobody's and owed nothing`);
    this.trace.note(orphan.device_id, `${action.toUpperCase()} leaves for the old lamp ${orphan.lamp}`);
    if (action === "on") this.object(orphan.device_id, "an ON left for a lamp that is not the device's any more");
    orphan.owes = null;
    this.ledger.sent(orphan.lamp, action, call.began);
  }

  #heard(call: Call, answer: ProviderResult): void {
    this.#advance();
    const queue = queueOf(call.lamp, call.hub);
    this.#inFlight.set(queue, (this.#inFlight.get(queue) ?? 1) - 1);
    if (call.hub !== null) this.#hubHeard(call.hub, answer.ok || answer.reason === "device");
    if (call.lamp === null) return;
    const book = this.#byLamp.get(call.lamp);
    const device = book?.id ?? this.#deviceOf(call.lamp);
    const said = answer.ok ? answer.state : answer.reason;
    this.trace.note(device, `${call.what} of ${call.lamp}, asked ${clock(call.began)}: ${said}`);
    this.ledger.heard(call, answer);
    if (!book) {
      const orphan = this.#orphans.get(call.lamp);
      if (orphan && call.isTroubled) orphan.grace_until = Infinity;
      return;
    }
    if (call.action === "on" && book.manual) book.manual.isAccepted = answer.ok;
    this.#snapshot([book]);
    if (call.isTroubled) this.#grant(book, this.#healing(book));
    if (call.what !== "read" && (answer.ok || answer.reason !== "unreachable")) return;
    if (!answer.ok) return this.#look(book);
    book.reading = { state: answer.state, began: call.began, at: this.world.now };
    if (answer.state === "off") book.lit_since = null;
    if (answer.state === "on" && book.lit_since === null) {
      book.lit_since = this.world.now;
      book.lit_by = "external";
    }
    this.#look(book);
  }

  /** Two failures in a row pause a hub's queue: what is due then fails at once. */
  #hubHeard(hub: string, isAlive: boolean): void {
    const { now } = this.world;
    const { failures, paused_until: was } = this.#hubs.get(hub) ?? { failures: 0, paused_until: 0 };
    if (isAlive) return void this.#hubs.set(hub, { failures: 0, paused_until: Math.min(was, now) });
    const paused_until = failures + 1 >= 2 ? now + PAUSE : 0;
    this.#hubs.set(hub, { failures: failures + 1, paused_until });
  }

  #switched(lamp: string, state: SwitchAction, call: Call): void {
    const { now } = this.world;
    if (now - call.began > TIMEOUT) this.#touched(lamp, `${state} happens late, asked ${clock(call.began)}`);
  }

  /** The lamp is other than the engine can know: only a reading finds it. */
  #touched(lamp: string, what: string): void {
    this.#advance();
    const book = this.#byLamp.get(lamp);
    const orphan = this.#orphans.get(lamp);
    this.trace.note(book?.id ?? orphan?.device_id ?? null, `${lamp}: ${what}`);
    if (book) this.#grant(book, this.#finding(book));
    if (orphan) orphan.grace_until = Infinity;
  }

  // ---- what follows from it

  /** The engine has had occasion to read this configuration: what it must conclude, the oracle does. */
  #learn(city: City): void {
    if (city === this.known) return;
    const before = this.known;
    this.trace.note(null, `the engine can know version ${city.version}`);
    this.#learned.push({ at: this.world.now, city });
    if (this.#learned.length > LEARNED_KEPT) this.#learned.shift();
    const books = this.#books;
    const orphans = new Map(this.#orphans);
    this.#snapshot(books.values(), () => {
      this.#learned.pop();
      this.known = before;
      this.#orphans = orphans;
      this.#books = books;
      this.#byLamp = new Map([...books.values()].map((book) => [book.lamp, book]));
    });
    this.known = city;
    this.#books = new Map(books);
    for (const book of books.values()) {
      const device = city.devices.get(book.id);
      if (device?.lamp === book.lamp && device.hub === book.hub) continue;
      if (device?.lamp !== book.lamp && book.lit_since !== null) this.#orphan(book);
      this.#byLamp.delete(book.lamp);
      this.#books.delete(book.id);
      if (!device) continue;
      const isOther = device.lamp !== book.lamp;
      this.#enter({
        ...book,
        lamp: device.lamp,
        hub: device.hub,
        reading: null,
        live: null,
        key: "",
        owes: null,
        lit_since: isOther ? null : book.lit_since,
      });
    }
    for (const [id, { lamp, hub }] of city.devices) if (!this.#books.has(id)) this.#enter(newBook(id, lamp, hub));
    for (const book of this.#books.values()) {
      this.#look(book);
      // Who was to find what a hand did finds it later now, or no more.
      const isLit = this.lamps.lit.has(book.lamp);
      if (city.watchdog_sec !== before.watchdog_sec || city.watchdog !== before.watchdog)
        if (isLit !== (book.want === "on")) this.#grant(book, this.#finding(book));
    }
  }

  #enter(book: Book): void {
    this.#books.set(book.id, book);
    this.#byLamp.set(book.lamp, book);
    // A new lamp may burn already.
    const isHidden = book.lit_since === null && this.lamps.lit.has(book.lamp);
    this.#grant(book, isHidden ? this.#finding(book) : SEEN_WITHIN);
  }

  #orphan({ id, lamp, hub }: Book): void {
    const { now } = this.world;
    const owes = { action: "off" as const, since: now, waited: 0, isPressed: false };
    this.#orphans.set(lamp, { device_id: id, lamp, hub, owes, grace_until: now + SEEN_WITHIN });
  }

  #look(book: Book): void {
    const { key, off_at, on_at } = book;
    const before = { key, off_at, on_at, lit_by: book.lit_by, want: book.want, owes: book.owes && { ...book.owes } };
    Object.assign(book, judge(book, this.known, this.world.now));
    if (book.off_at === off_at && book.on_at === on_at && book.key === key) return;
    this.#looked.set(book.id, { at: this.world.now, before });
    if (book.key === key) return;
    this.trace.note(book.id, `wanted from now on: ${book.key}`);
    const { want } = book;
    const isOwed = want !== "none" && book.live !== want && !isKnown(book, want);
    // A press is sent whatever the state; an ON that is no longer want is dropped, an OFF never.
    const isDue =
      book.owes?.isPressed && (want === book.owes.action || (want === "none" && book.owes.action === "off"));
    if (!isDue) {
      book.owes = isOwed ? { action: want, since: this.world.now, waited: 0, isPressed: false } : null;
    }
    this.#grant(book, SEEN_WITHIN);
  }

  #grant(book: Book, ms: number): void {
    book.grace_until = Math.max(book.grace_until, this.world.now + ms);
  }

  /** Accounts for the time since the last event: what was owed and could have been sent has waited that long. */
  #advance(): void {
    const { now } = this.world;
    const gone = now - this.#seen_until;
    if (this.world.wire.state.kind !== "up") this.#up_since = now;
    if (gone <= 0) return;
    const isOk = this.#isOk();
    this.#ok_since = isOk ? Math.max(this.#ok_since, this.world.down_until) : now;
    for (const book of this.#books.values()) {
      if (!isOk) this.#grant(book, this.#isOther(book) ? this.#finding(book) : SEEN_WITHIN + MINUTE);
      else if (!this.lamps.isWell(book.lamp, book.hub)) this.#grant(book, this.#healing(book));
      if (isOk && book.owes) this.#wait(book, book.id, book, gone);
    }
    for (const orphan of this.#orphans.values()) {
      if (!isOk) orphan.grace_until = Math.max(orphan.grace_until, now + SEEN_WITHIN + MINUTE);
      else if (!this.lamps.isWell(orphan.lamp, orphan.hub)) orphan.grace_until = Infinity;
      if (isOk && orphan.owes) this.#wait(orphan, orphan.device_id, orphan, gone);
    }
    this.#seen_until = now;
  }

  #wait(
    of: { owes: Debt | null },
    device: string,
    { lamp, hub }: { lamp: string; hub: string | null },
    gone: number,
  ): void {
    const { owes } = of;
    if (!owes) return;
    const { now } = this.world;
    const total = [...this.#inFlight.values()].reduce((sum, n) => sum + n, 0);
    if ((this.#inFlight.get(queueOf(lamp, hub)) ?? 0) > 0 || total >= RUNNERS) return;
    if (hub !== null && !owes.isPressed && (this.#hubs.get(hub)?.paused_until ?? 0) > owes.since) {
      of.owes = null;
      return;
    }
    owes.waited += Math.min(gone, now - owes.since);
    const patience = SENT_WITHIN + (this.#slow_until >= owes.since ? PATIENCE_WITH_D1 : 0);
    if (owes.waited > patience)
      this.object(device, `${owes.action.toUpperCase()} is owed since ${clock(owes.since)} and did not leave`);
  }

  /** How long after it is well again a lamp may take to be as wanted: the hub's next check, or the watchdog's turn. */
  #healing(book: Book): number {
    const ofHub = this.lamps.troubles.get(`hub:${book.hub}`);
    const isLamp = this.lamps.troubles.has(`lamp:${book.lamp}`);
    // A hub that answers all the while, and does nothing, does not come back: its check finds nothing.
    const isMissed = ofHub?.kind === "offline" || (ofHub?.kind === "slow" && ofHub.ms > TIMEOUT);
    const isWanted = book.want !== "none" || book.lit_since !== null;
    const byHub = isMissed && !isLamp && isWanted ? this.known.hub_check_sec * SECOND + 3 * MINUTE : Infinity;
    return Math.max(SEEN_WITHIN + MINUTE, Math.min(byHub, this.#finding(book)));
  }

  /** A hand, or a late lamp, lit it, and nobody was there to find it. */
  #isOther(book: Book): boolean {
    return book.lit_since === null && this.lamps.lit.has(book.lamp);
  }

  /** ... and after a hand, or a late lamp, has made it other than the engine can know. */
  #finding(book: Book): number {
    const spacing = this.ledger.hasIncident(book.id) || this.lamps.troubles.size > 0 ? SPACING : 0;
    return this.known.watchdog ? spacing + this.#round() + SEEN_WITHIN + MINUTE : Infinity;
  }

  #round(): number {
    const turns = Math.ceil(this.known.devices.size / READS_A_TURN) + 1;
    return turns * this.known.watchdog_sec * SECOND;
  }

  #checkLamp(book: Book): void {
    const { now } = this.world;
    const { want, key } = judge(book, this.known, now);
    if (!this.#isOk() || now <= this.#slow_until) return;
    if (key !== book.key && this.#ok_since < now - SENT_WITHIN && this.#sleptThrough(book, now)) {
      this.object(book.id, `nobody woke for it: ${this.#why(book)}, since then ${key}`);
    }
    const isLit = this.lamps.lit.has(book.lamp);
    if (now <= book.grace_until || this.#isJustNow(book, key)) return;
    if (want === "on" && !isLit) this.object(book.id, `is dark, and ${this.#why(book)}`);
    if (isLit && (want === "off" || (want === "none" && book.lit_since === null))) {
      this.object(book.id, `burns, and ${this.#why(book)}`);
    }
  }

  /** The answer changed while the engine read its clock: what counts from a press counts from some readings later. */
  #isJustNow(book: Book, key: string): boolean {
    const { now, reading_ms } = this.world;
    return key !== book.key && judge(book, this.known, now - READINGS_TO_BEGIN * reading_ms).key === book.key;
  }

  /** The answer changed more than a second ago, and not only just now. */
  #sleptThrough(book: Book, now: number): boolean {
    return judge(book, this.known, now - SENT_WITHIN).key !== book.key;
  }

  #checkOrphan(orphan: Orphan): void {
    const isLit = this.lamps.lit.has(orphan.lamp);
    if (isLit && this.#isOk() && this.world.now > orphan.grace_until)
      this.object(orphan.device_id, `its old lamp ${orphan.lamp} burns`);
    if (!isLit && orphan.owes === null && this.world.now > orphan.grace_until + MINUTE)
      this.#orphans.delete(orphan.lamp);
  }

  #checkAlarm(): void {
    const { world } = this;
    const [row] = world.storage.sql
      .exec<{ at: number | null }>("SELECT MIN(MAX(due_at, COALESCE(lease, 0))) AS at FROM timers")
      .toArray();
    if (row?.at === null || row?.at === undefined || world.isRinging) return;
    const latest = Math.max(row.at, world.now + 1);
    if (world.asked_at === null || world.asked_at > latest) {
      this.object(
        null,
        `a timer is due at ${clock(row.at)}, and the alarm is asked for ${world.asked_at === null ? "never" : clock(world.asked_at)}`,
      );
    }
  }

  /** There, and served: no alarm that was asked for is still to come. */
  #isOk(): boolean {
    return !this.world.isAsleep && this.world.now >= this.world.down_until && !this.#isLate();
  }

  #isLate(): boolean {
    return this.world.asked_at !== null && this.world.asked_at < this.world.now;
  }

  #why(book: Book): string {
    return `wanted is ${book.want} (${book.key})`;
  }

  #deviceOf(lamp: string | null): string | null {
    if (lamp === null) return null;
    return this.#byLamp.get(lamp)?.id ?? this.#orphans.get(lamp)?.device_id ?? null;
  }

  /** What the engine has not committed when it dies, it has not learned. */
  #snapshot(books: Iterable<Book>, more: () => void = () => undefined): void {
    const was = [...books].map((book) => ({ book, copy: { ...book, owes: book.owes && { ...book.owes } } }));
    const before = this.#undo;
    this.#undo = () => {
      for (const { book, copy } of was) Object.assign(book, copy);
      more();
      before?.();
    };
  }
}

function queueOf(lamp: string | null, hub: string | null): string {
  return hub === null ? `lamp:${lamp}` : `hub:${hub}`;
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}
