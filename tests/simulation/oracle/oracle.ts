import type { SwitchAction } from "#domain/enums";
import type { World } from "#tests/support/engine";
import type { Lamps } from "#tests/simulation/world/lamps";
import { noteAnswer, noteCall, noteSwitched, noteTouched } from "./calls";
import { accessOf, type City } from "./city";
import { noteDeath } from "./deaths";
import { advance, PATIENCE_WITH_D1 } from "./debts";
import { clock, Desk, SECOND } from "./desk";
import { noteJump, noteRight } from "./jumps";
import { isBehind, learn, noteTruth, noteVersion } from "./knowledge";
import { Ledger } from "./ledger";
import { evaluate } from "./evaluation";
import { noteToggle, noteToggleAnswer, type Toggle, type ToggleAnswer } from "./toggles";
import { checkLamp, checkOrphan } from "./standing";
import { noteTest, noteTestAnswer, noteTestEnd } from "./testers";

/** The slowest answer of D1, two after one another. */
const ANSWERED_WITHIN = 10 * SECOND;
const TOLD_WITHIN = 90 * SECOND;
/** The engine gives a call up that hangs, and so does who shares the next one. */
const GIVEN_UP_AFTER = 21 * SECOND;

/**
 * Knows what has to be, from its own books, sees every call and the physical lamps, and objects by throwing, with what
 * happened to the lamp concerned. Rules of its own; nothing of the engine's code.
 */
export class Oracle {
  readonly desk: Desk;
  readonly ledger: Ledger;
  /** What is thrown inside the engine would be caught there: the first objection is kept for the life to throw. */
  objection: Error | null = null;

  constructor(
    readonly world: World,
    readonly lamps: Lamps,
    city: City,
  ) {
    const desk = new Desk(world, lamps, city);
    const ledger = new Ledger(desk);
    this.desk = desk;
    desk.waited = (ms) => ledger.waited(ms);
    desk.newWave = () => ledger.newWave();
    desk.isRight = (now) => ledger.isRight(now);
    this.ledger = ledger;
    lamps.isLetIn = (hub) => accessOf(desk.known, hub).wrong === null;
    lamps.reachedBy = () => desk.known.mode;
    lamps.onlooker = {
      overrun: (device) => this.#guard(() => desk.object(device, "more calls came than the vendor allows")),
      called: (call) => this.#guard(() => noteCall(desk, ledger, call)),
      heard: (call, answer) => this.#guard(() => noteAnswer(desk, ledger, call, answer)),
      switched: (lamp, state, call) => this.#guard(() => noteSwitched(desk, lamp, state, call)),
    };
    world.watch = {
      acts: (why) => this.#guard(() => this.#acts(why)),
      committed: (hasPosted) => this.#guard(() => this.#committed(hasPosted)),
      died: () => noteDeath(desk, ledger),
      served: () => this.#guard(() => this.#evaluateAll()),
    };
  }

  #guard(judge: () => void): void {
    try {
      if (this.objection === null) judge();
    } catch (error) {
      this.objection = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** D1 holds another configuration from now on. */
  committedToD1(city: City): void {
    noteTruth(this.desk, city);
  }

  /** D1 went back to a backup that has only these of the events told so far. */
  restored(events: string[]): void {
    this.ledger.told.restored(events);
  }

  toggles(device: string, asked: Toggle): void {
    this.#guard(() => noteToggle(this.desk, device, asked));
  }

  toggled(device: string, asked: Toggle, began: number, answer: ToggleAnswer): void {
    this.#guard(() => noteToggleAnswer(this.desk, device, asked, began, answer));
  }

  /** The clock that the engine reads is put on, or back, and from now on wrong by so much. */
  setClock(skew_ms: number): void {
    this.#guard(() => noteJump(this.desk, skew_ms));
    this.world.skew_ms = skew_ms;
  }

  testing(device: string, action: SwitchAction): void {
    this.#guard(() => noteTest(this.desk, device, action));
  }

  testEnding(device: string): void {
    this.#guard(() => noteTestEnd(this.desk, device));
  }

  /** `what` was asked: a switch, a reading, or a hub's sign of life. */
  tested(device: string, began: number, what: SwitchAction | "status" | "ping", isOk: boolean): void {
    this.#guard(() => noteTestAnswer(this.desk, device, began, what, isOk));
  }

  /** Somebody's hand at the pole. */
  switchExternally(lamp: string, state: SwitchAction): void {
    if (state === "on") this.lamps.lit.add(lamp);
    else this.lamps.lit.delete(lamp);
    noteTouched(this.desk, lamp, `a hand switches ${state}`);
  }

  /** Something outside changes: what was before it is accounted for first. */
  heal(change: () => void, what: string): void {
    this.#guard(() => advance(this.desk));
    change();
    this.desk.trace.note(null, what);
  }

  /** What holds between two steps: the alarm, the outbox, and every lamp. */
  check(): void {
    this.#guard(() => {
      const { desk } = this;
      advance(desk);
      this.#checkAlarm();
      this.#checkTold();
      for (const book of desk.books.values()) checkLamp(desk, book);
      for (const orphan of desk.orphans.values()) checkOrphan(desk, orphan);
      this.ledger.check();
    });
    if (this.objection !== null) throw this.objection;
  }

  #acts(why: "alarm" | "hint" | "toggle"): void {
    const { desk } = this;
    advance(desk);
    noteRight(desk);
    const { now, wire } = this.world;
    if (desk.ok_since === Infinity) desk.ok_since = now;
    const hangs = this.#mayHang;
    if (wire.state.kind === "slow" || hangs) desk.slow_until = now + PATIENCE_WITH_D1;
    if (wire.state.kind === "up" && !hangs) learn(desk, desk.truth);
    if (why !== "alarm") return;
    desk.rang_at = this.world.clock;
    this.#evaluateAll();
  }

  /** When an alarm comes, and again when it has been served: what fell due while it was served it has served, too. */
  #evaluateAll(): void {
    for (const book of this.desk.books.values()) evaluate(this.desk, book);
  }

  #committed(hasPosted: boolean): void {
    // What was asked of a slow D1 may be answered when it is well again.
    const isUp = this.world.wire.state.kind === "up" && !this.#mayHang;
    const isSure = isUp && this.world.now - this.desk.up_since > ANSWERED_WITHIN;
    // ... and of a city that has become inactive meanwhile the engine commits that first, and the plan with its next commit.
    if (this.desk.undo !== null || !isSure || isBehind(this.desk)) noteVersion(this.desk);
    if (hasPosted) this.ledger.read();
    this.#checkAlarm();
  }

  /** Whether a question to D1 can still be without an answer. */
  get #mayHang(): boolean {
    return this.world.now - this.desk.hung_at < GIVEN_UP_AFTER;
  }

  /** What the engine means to be woken for, it has asked an alarm for. */
  #checkAlarm(): void {
    const { world, desk } = this;
    if (world.isRinging || (world.asked_at !== null && world.asked_at <= world.clock + 1)) return;
    const at = desk.inside.wakesAt();
    if (at === null) return;
    const latest = Math.max(at, world.clock + 1);
    if (world.asked_at !== null && world.asked_at <= latest) return;
    const asked = world.asked_at === null ? "never" : clock(world.asked_at);
    desk.object(null, `a timer is due at ${clock(at)}, and the alarm is asked for ${asked}`);
  }

  #checkTold(): void {
    const { desk } = this;
    const { now } = this.world;
    if (!desk.isOk || now - desk.ok_since <= TOLD_WITHIN || now - desk.up_since <= TOLD_WITHIN) return;
    const untold = desk.inside.oldestUntold();
    if (untold && this.ledger.isOld(untold.id)) desk.object(null, `a fact was not told to D1: ${untold.body}`);
  }
}
