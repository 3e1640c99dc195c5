import type { ProviderResult } from "#durable/providers/provider";
import type { SwitchAction } from "#domain/enums";
import type { Call } from "#tests/simulation/world/lamps";
import type { Desk } from "./desk";
import type { Event } from "./event";
import { REMEMBERED } from "./remembered";

/** The OFF of a lamp that its light has left, as its event says. */
const OLD_LAMP = /^Off: .* while it was lit/;
/** From an answer until what it says is committed, the clock is read no more often than this. */
const READINGS_TO_SETTLE = 5;

/** When an ON was told as verified, by the clock of then, and until when a window had begun that it can be the record of. */
type Confirmation = { at: number; begun_until: number };

/** Whether an `ok` is one, and a `fail` was told; and when each light was lit, failed and was darkened. */
export class Outcomes {
  readonly #sends = new Map<string, { action: SwitchAction; began: number; isOpen: boolean }>();
  readonly #readings = new Map<string, { state: string; began: number; at: number }>();
  /** When a device was last seen or confirmed lit, and failed to be. */
  readonly lit = new Map<string, number[]>();
  readonly failed = new Map<string, number[]>();
  readonly confirmed = new Map<string, Confirmation[]>();
  /** When an OFF left for it. */
  readonly darkened = new Map<string, number[]>();

  constructor(readonly desk: Desk) {}

  /** Nothing was seen in the future: the clock was ahead. */
  isRight(now: number): void {
    for (const all of [this.lit, this.failed, this.darkened])
      for (const [device, times] of all)
        all.set(
          device,
          times.map((at) => Math.min(at, now)),
        );
    // What was verified in the future stays the record of the window that it was for, and is none of one to come.
    for (const one of [...this.confirmed.values()].flat())
      if (one.at > now) one.begun_until = Math.min(one.begun_until, now);
  }

  sent(lamp: string, action: SwitchAction, began: number): void {
    this.#sends.set(lamp, { action, began, isOpen: true });
    const book = action === "off" ? this.desk.byLamp.get(lamp) : undefined;
    if (book) push(this.darkened, book.id, this.desk.world.clock);
  }

  heard(call: Call, answer: ProviderResult): void {
    const { now } = this.desk.world;
    // Whoever refused it, or whom a limit held back, has put nothing out.
    if (call.action === "off" && !answer.ok && (answer.reason === "refused" || answer.reason === "throttled"))
      this.darkened.get(this.desk.byLamp.get(call.lamp ?? "")?.id ?? "")?.pop();
    if (call.lamp === null || call.what !== "read" || !answer.ok) return;
    this.#readings.set(call.lamp, { state: answer.state, began: call.began, at: now });
    const book = this.desk.byLamp.get(call.lamp);
    if (!book) return;
    if (answer.state === "on") push(this.lit, book.id, this.desk.world.clock);
    if (answer.state === (book.want === "on" ? "on" : "off")) this.desk.told.delete(`may ${book.id}`);
  }

  /** ok: the lamp said so itself, asked after it was last sent anything. */
  ok(event: Event, device: string): void {
    const { desk } = this;
    const { now, clock, reading_ms } = desk.world;
    if (event.action === "on") push(this.confirmed, device, { at: clock, begun_until: Infinity }, ({ at }) => at);
    const lamp = desk.lampsOf(device).find((candidate) => {
      const reading = this.#readings.get(candidate);
      const sent = this.#sends.get(candidate);
      // By its old way and by its own a lamp has two commands, and each of them is verified.
      const hasTwo = desk.orphans.has(candidate) && desk.byLamp.has(candidate);
      const isNew =
        sent !== undefined &&
        (sent.isOpen || hasTwo) &&
        sent.action === event.action &&
        sent.began < (reading?.began ?? 0);
      const isJustHeard = reading !== undefined && now - reading.at <= READINGS_TO_SETTLE * reading_ms;
      return isNew && isJustHeard && reading.state === event.action;
    });
    if (lamp === undefined) return desk.object(device, `ok without a reading of its own: ${JSON.stringify(event)}`);
    const sent = this.#sends.get(lamp);
    if (sent) sent.isOpen = false;
    if (event.action === "on") push(this.lit, device, clock);
    const orphan = desk.orphans.get(lamp);
    if (orphan) orphan.isAnswered = true;
    // An old lamp that went out says nothing of the one that the light has now: its own incident goes on.
    const isOwn = desk.books.get(device)?.lamp === lamp;
    for (const of of isOwn ? [device, `may ${device}`] : [`old ${device}`]) desk.told.delete(of);
  }

  /** fail: people were told, now or at the beginning of this incident. */
  fail(event: Event, device: string): void {
    const { desk } = this;
    const isOld = OLD_LAMP.test(event.note ?? "");
    // Of a vendor's cloud, or a hub that lets nobody in, people are told once, and not by the light.
    const isTold = desk.told.has(isOld ? `old ${device}` : device) || desk.lamps.mode !== "mock";
    if (!isTold) desk.object(device, `a failure nobody was told of: ${JSON.stringify(event)}`);
    if (event.action === "on") push(this.failed, device, desk.world.clock);
    if (!isOld) return;
    // The engine keeps an old lamp's OFF up for a day from now, however long it was away between the first tries.
    for (const orphan of desk.orphans.values()) if (orphan.device_id === device) orphan.kept_since ??= desk.world.now;
  }
}

function push<T>(to: Map<string, T[]>, device: string, one: T, at: (of: T) => number = Number): void {
  const all = to.get(device) ?? [];
  all.push(one);
  const young = all.findIndex((each) => at(each) >= at(one) - REMEMBERED);
  // Now and then, not each time.
  if (young > 100) all.splice(0, young);
  to.set(device, all);
}
