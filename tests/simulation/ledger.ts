import type { ProviderResult } from "#durable/providers/provider";
import type { SwitchAction } from "#domain/enums";
import type { World } from "#tests/support/engine";
import type { Book } from "./book";
import { firstAfter, windowsOf } from "./calendar";
import { plansOf, type City } from "./city";
import type { Call } from "./lamps";
import type { Trace } from "./trace";

const MINUTE = 60_000;
/** When a window's record has to be there: its ladder, its verification and a restart have had their time. */
const SETTLED_AFTER = 10 * MINUTE;

type Event = {
  id: string;
  ts: string;
  device_id: string | null;
  source: string;
  action: SwitchAction;
  result: "ok" | "retry" | "fail";
  attempts: number;
  note: string | null;
};
type Message = { id: string; incident: string; kind: string };

/** What the ledger asks of the oracle that keeps it, and tells it. */
type Keeper = {
  readonly world: World;
  readonly trace: Trace;
  readonly known: City;
  readonly truth: City;
  books: () => Iterable<Book>;
  lampsOf: (device: string) => string[];
  wasOkSince: (at: number) => boolean;
  couldAskSince: (at: number) => boolean;
  knownAt: (at: number) => City | null;
  object: (device: string | null, what: string) => never;
  retried: (device: string) => void;
  ended: (device: string, action: SwitchAction, isLostWish: boolean) => void;
};

/** From an answer until what it says is committed, the clock is read no more often than this. */
const READINGS_TO_SETTLE = 5;

/** What the engine says it did, as it posts it, held against what was seen. */
export class Ledger {
  events = 0;
  #last = 0;
  #lastAt = new Map<number, number>();
  readonly #ids = new Set<string>();
  readonly #sends = new Map<string, { action: SwitchAction; began: number; isOpen: boolean }>();
  readonly #readings = new Map<string, { state: string; began: number; at: number }>();
  /** Of each target that failed, when people were told; until it is well again. */
  readonly #told = new Map<string, number>();
  /** When a device was last seen or confirmed lit, and failed to be. */
  readonly #lit = new Map<string, number[]>();
  readonly #failed = new Map<string, number[]>();
  /** When its ON was told as verified. */
  readonly #lightings = new Map<string, number[]>();
  /** When an OFF left for it. */
  readonly #darkened = new Map<string, number[]>();
  readonly #skipped = new Map<string, { what: string; at: number }>();
  #closed_until: number;

  constructor(readonly oracle: Keeper) {
    this.#closed_until = oracle.world.now;
  }

  sent(lamp: string, action: SwitchAction, began: number): void {
    this.#sends.set(lamp, { action, began, isOpen: true });
    const book = action === "off" ? this.#bookOf(lamp) : null;
    if (book !== null) this.#push(this.#darkened, book.id, began);
  }

  heard(call: Call, answer: ProviderResult): void {
    const { now } = this.oracle.world;
    if (call.lamp === null || call.what !== "read" || !answer.ok) return;
    this.#readings.set(call.lamp, { state: answer.state, began: call.began, at: now });
    const book = this.#bookOf(call.lamp);
    if (book === null) return;
    if (answer.state === "on") this.#push(this.#lit, book.id, now);
    if (answer.state === (book.want === "on" ? "on" : "off")) this.#told.delete(`may ${book.id}`);
  }

  #bookOf(lamp: string) {
    for (const book of this.oracle.books()) if (book.lamp === lamp) return book;
    return null;
  }

  /** Whether people were told of a failure that no later success has ended. */
  hasIncident(device: string): boolean {
    return this.#told.has(device);
  }

  /** Whether what lies in the outbox under this number was posted more than a minute ago. */
  isOld(id: number): boolean {
    return (this.#lastAt.get(id) ?? 0) < this.oracle.world.now - 70_000;
  }

  /** Reads what the engine posted since the last time. */
  read(): void {
    const { world } = this.oracle;
    const rows = world.storage.sql
      .exec<{ id: number; kind: string; body: string }>(
        "SELECT id, kind, body FROM outbox WHERE id > ? ORDER BY id",
        this.#last,
      )
      .toArray();
    if (rows.length === 0) return;
    if (this.#lastAt.size > 5_000) this.#lastAt.clear();
    for (const { id } of rows) this.#lastAt.set(id, world.now);
    this.#last = rows.at(-1)?.id ?? this.#last;
    for (const { kind, body } of rows) if (kind === "notification") this.#message(JSON.parse(body));
    for (const { kind, body } of rows) if (kind === "scheduler_event") this.#event(JSON.parse(body));
  }

  #message({ id, incident, kind }: Message): void {
    const { oracle } = this;
    oracle.trace.note(null, `message ${kind} of ${incident}`);
    if (this.#ids.has(`message ${id}`)) oracle.object(null, `the same message twice: ${id}`);
    this.#ids.add(`message ${id}`);
    if (kind !== "device_failed") return;
    const [what, device = ""] = incident.split(":");
    if (what === "device" && this.#told.has(device) && this.#told.has(`may ${device}`)) {
      oracle.object(device, `a second message of one incident: ${incident}`);
    }
    this.#told.set(device, oracle.world.now);
    this.#told.set(`may ${device}`, oracle.world.now);
  }

  #event(event: Event): void {
    const { oracle } = this;
    const { id, device_id, action, result, attempts, note } = event;
    this.events += 1;
    oracle.trace.note(device_id, `event: ${event.source} ${action} ${result} ${attempts} ${note ?? ""}`);
    if (/Internal fault/.test(note ?? "")) oracle.object(device_id, `poison: ${note}`);
    if (this.#ids.has(id)) oracle.object(device_id, `the same event twice: ${id}`);
    this.#ids.add(id);
    if (this.#ids.size > 20_000) this.#ids.clear();
    if (device_id === null) return;
    this.#skip(event, device_id);
    if (attempts === 0) {
      if (/^(?!Pressed).*not sent|replaced by|no longer wanted/.test(note ?? ""))
        oracle.ended(device_id, action, false);
      return;
    }
    if (result === "ok") this.#ok(event, device_id);
    if (result === "fail") this.#fail(event, device_id);
    const isOver = result !== "retry" || /replaced by|no longer wanted|address changed|was deleted/.test(note ?? "");
    if (!isOver) oracle.retried(device_id);
    if (isOver) oracle.ended(device_id, action, result === "fail" && event.source === "manual" && action === "on");
  }

  /** ok: the lamp said so itself, asked after it was last sent anything. */
  #ok(event: Event, device: string): void {
    const { oracle } = this;
    const { now } = oracle.world;
    if (event.action === "on") this.#push(this.#lightings, device, now);
    const lamp = oracle.lampsOf(device).find((candidate) => {
      const reading = this.#readings.get(candidate);
      const sent = this.#sends.get(candidate);
      const isNew =
        sent !== undefined && sent.isOpen && sent.action === event.action && sent.began < (reading?.began ?? 0);
      const isJustHeard = reading !== undefined && now - reading.at <= READINGS_TO_SETTLE * oracle.world.reading_ms;
      return isNew && isJustHeard && reading.state === event.action;
    });
    if (lamp === undefined) return oracle.object(device, `ok without a reading of its own: ${JSON.stringify(event)}`);
    const sent = this.#sends.get(lamp);
    if (sent) sent.isOpen = false;
    if (event.action === "on") this.#push(this.#lit, device, now);
    this.#told.delete(device);
    this.#told.delete(`may ${device}`);
  }

  /** fail: people were told, now or at the beginning of this incident. */
  #fail(event: Event, device: string): void {
    const { oracle } = this;
    if (!this.#told.has(device)) oracle.object(device, `a failure nobody was told of: ${JSON.stringify(event)}`);
    if (event.action === "on") this.#push(this.#failed, device, oracle.world.now);
  }

  #skip({ id, note }: Event, device: string): void {
    const [, what, plan, start] = /^(missed|cut|skipped):(.+):(\d+):/.exec(id) ?? [];
    if (what === undefined || plan === undefined) return;
    const { oracle } = this;
    const window = `${plan}@${start} of ${device}`;
    const before = this.#skipped.get(window);
    // Lengthened after it was over, it is another window.
    const isOther = before !== undefined && (oracle.known.plans.get(plan)?.changed_at ?? 0) > before.at;
    if (before !== undefined && !isOther) oracle.object(device, `two records of ${window}: ${before.what}, ${what}`);
    if (/never confirmed/.test(note ?? "") && this.#lightings.get(device)?.some((at) => at >= Number(start)))
      oracle.object(device, `${window} was confirmed, and recorded as never confirmed`);
    this.#skipped.set(window, { what, at: oracle.world.now });
    if (!note) oracle.object(device, `a record without a reason: ${id}`);
    if (what === "missed" && this.#couldServe(device, plan, Number(start)))
      oracle.object(device, `${window} was missed, and somebody was there`);
  }

  /** Whether somebody was there from the window's beginning on, and could know of it by then: a hint may be lost. */
  #couldServe(device: string, plan: string, start: number): boolean {
    const { oracle } = this;
    if (!oracle.wasOkSince(start) || !oracle.couldAskSince(start)) return false;
    const known = oracle.knownAt(start);
    const planned = known && plansOf(known, device).find(({ id }) => id === plan);
    return !!planned && windowsOf(planned).some((window) => window.start === start);
  }

  #push(to: Map<string, number[]>, device: string, at: number): void {
    const times = to.get(device) ?? [];
    times.push(at);
    if (times.length > 200) times.splice(0, 100);
    to.set(device, times);
  }

  /** Every window that is over and stood from its beginning to its end has its record: lit, failed, or left out and why. */
  closeWindows(): void {
    const { oracle } = this;
    const until = oracle.world.now - SETTLED_AFTER;
    if (until <= this.#closed_until || !oracle.wasOkSince(until)) return;
    const from = this.#closed_until;
    this.#closed_until = until;
    if (oracle.known !== oracle.truth) return;
    const { known } = oracle;
    for (const [device_id, device] of known.devices) {
      for (const plan of plansOf(known, device_id)) {
        const changed_at = Math.max(plan.changed_at, device.changed_at, known.area_changed_at);
        const windows = windowsOf(plan);
        for (let i = firstAfter(windows, from - 26 * 60 * MINUTE); i < windows.length; i += 1) {
          const window = windows[i];
          if (!window || window.start > until) break;
          if (window.end <= from || window.end > until || changed_at >= window.start) continue;
          this.#closeWindow(device_id, `${plan.id}@${window.start} of ${device_id}`, window);
        }
      }
    }
    if (this.#skipped.size > 3_000) this.#skipped.clear();
  }

  #closeWindow(device: string, name: string, { start, end }: { start: number; end: number }): void {
    const within = (times: number[] | undefined) => (times ?? []).some((at) => at >= start && at <= end + 2 * MINUTE);
    if (this.#skipped.has(name) || within(this.#lit.get(device)) || within(this.#failed.get(device))) return;
    const lit_at = (this.#lit.get(device) ?? []).findLast((at) => at < start);
    const isDarkSince = (this.#darkened.get(device) ?? []).some((at) => at >= (lit_at ?? 0) && at < start);
    // Lit when it began, by the window before it or by a press: nothing had to be done for it.
    if (lit_at !== undefined && !isDarkSince) return;
    this.oracle.object(
      device,
      `${name}, ${new Date(start).toISOString()} to ${new Date(end).toISOString()}, has no record`,
    );
  }
}
