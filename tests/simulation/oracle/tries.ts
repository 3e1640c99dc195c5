import type { SwitchAction } from "#domain/enums";
import type { Book } from "./book";
import { isCooling } from "./cooling";
import { isBusy } from "./debts";
import { MINUTE, SECOND, type Desk } from "./desk";
import type { Event } from "./event";
import { turnTakes } from "./turns";
import { DAY } from "./wall-clock";

/** A send is verified eight seconds later, or given up; a lost call is noticed after fourteen. */
const OUTCOME_WITHIN = 60 * SECOND;
/** The longest pause between two tries, and a verification's time. */
const NEXT_TRY_WITHIN = 90 * SECOND;
/** How long an OFF for an old lamp is kept up, the last pause between two tries included. */
const PENDING_OFF_ENDS_WITHIN = DAY + 90 * MINUTE;

/** `waited` counts only while the engine was there and nothing else stood in its way. */
type Open = { action: SwitchAction; waits_for: "outcome" | "next try"; waited: number; isHeldBack?: boolean };

/** For the lamp that is the device's, for one that was, or for a connectivity test. */
export type Way = "own" | "old" | "test";

/** What was begun comes to an end, and says so in time. */
export class Tries {
  /** By device: what has been sent, or failed and is to be tried again. */
  readonly #open = new Map<string, Open>();
  /** The devices that failed, until one is well: further tries are told by their outcome alone. */
  readonly #failing = new Set<string>();

  constructor(readonly desk: Desk) {}

  sent(lamp: string, action: SwitchAction, way: Way): void {
    const book = this.desk.byLamp.get(lamp);
    // A test's switches have no outcome, and of an incident people were told once.
    if (book && way !== "test") this.#open.set(book.id, { action, waits_for: "outcome", waited: 0 });
    const orphan = way === "old" ? this.desk.orphans.get(lamp) : undefined;
    // The day counts from the first time that it came to nothing, which a process that was dead puts off.
    const ends_at =
      (orphan?.kept_since ?? orphan?.since ?? Infinity) + (orphan?.late_ms ?? 0) + PENDING_OFF_ENDS_WITHIN;
    // Who was not there for the last try makes it up.
    if (orphan && !orphan.isHeldBack && this.desk.world.now > ends_at && this.desk.wasOkSince(ends_at))
      this.desk.object(orphan.device_id, `an OFF is still sent to ${lamp}, which it left more than a day ago`);
  }

  told(device: string, action: SwitchAction, isOver: boolean, result?: Event["result"]): void {
    if (result === "ok") this.#failing.delete(device);
    if (result === "fail") this.#failing.add(device);
    const open = this.#open.get(device);
    if (isOver) this.#open.delete(device);
    else if (open?.action === action) this.#open.set(device, { action, waits_for: "next try", waited: 0 });
  }

  waited(ms: number): void {
    const { desk } = this;
    for (const [device, open] of this.#open) {
      const book = desk.books.get(device);
      // An OFF that is refused is kept up, and told once.
      const isKeptUp = open.action === "off" && book?.isOffRefused;
      if (!book || isKeptUp || desk.hasIncident(device) || this.#failing.has(device)) this.#open.delete(device);
      else if (open.action === "on" && isCooling(desk, book)) open.waited = 0;
      else if (!isBusy(desk, book.lamp, book.hub)) open.waited += ms;
    }
  }

  heldBack(device: string, ms: number): void {
    const open = this.#open.get(device);
    // After that it waits for its turn anew.
    if (open)
      Object.assign(open, { waited: -ms - this.#turn(open.action, this.desk.books.get(device)), isHeldBack: true });
  }

  /** Those that wait for their turn are a wave of their own from now on. */
  newWave(): void {
    for (const [device, open] of this.#open) {
      const turn = this.#turn(open.action, this.desk.books.get(device));
      if (open.isHeldBack) open.waited = Math.min(open.waited, -turn);
    }
  }

  #turn(action: SwitchAction, book: Book | undefined): number {
    return action === "on" && book ? turnTakes(this.desk, book) : 0;
  }

  check(): void {
    for (const [device, { action, waits_for, waited }] of this.#open) {
      const book = this.desk.books.get(device);
      const turn = this.#turn(action, book);
      const within = waits_for === "outcome" ? OUTCOME_WITHIN : NEXT_TRY_WITHIN + turn;
      if (waited <= within) continue;
      const what = waits_for === "outcome" ? "has no outcome" : "is not tried again, and did not fail";
      this.desk.object(device, `its ${action.toUpperCase()} ${what} after ${waited / SECOND} s`);
    }
  }
}
