import type { ProviderResult } from "#durable/providers/provider";
import type { SwitchAction } from "#domain/enums";
import type { Call } from "#tests/simulation/world/lamps";
import { checkDepartment } from "./departments";
import type { Desk } from "./desk";
import type { Event } from "./event";
import { ended, failedUnsent, replaced, retried } from "./evaluation";
import { failed } from "./standing";
import { Outcomes } from "./outcomes";
import { Records } from "./records";
import { forgetBefore } from "./remembered";
import { Told } from "./told";
import { Tries, type Way } from "./tries";

/** What waits in the outbox for longer should have been told. */
const OLD_AFTER = 70_000;

type Message = { id: string; incident: string; kind: string };

/** Notes of a command that ended without an outcome. */
const SUPERSEDED =
  /replaced by|no longer wanted|address changed|was deleted|connectivity test runs|address is back|has its lamp/;
const REPLACED_BY_ON = /replaced by ON/;
/** The press that took its place is noted already, and is what is under way. */
const PRESSED_ANEW = /replaced by a newer press/;
const NEVER_SENT = /^(?!Pressed).*not sent/;

/** What the engine says it did, as it posts it, held against what was seen. */
export class Ledger {
  readonly told: Told;
  #last = 0;
  #lastAt = new Map<number, number>();
  readonly #messages = new Set<string>();
  readonly #outcomes: Outcomes;
  readonly #records: Records;
  readonly #tries: Tries;

  constructor(readonly desk: Desk) {
    this.told = new Told(desk);
    this.#outcomes = new Outcomes(desk);
    this.#records = new Records(desk, this.#outcomes);
    this.#tries = new Tries(desk);
  }

  /** `way`: whether it goes to the device as it is now, or to what it left. */
  sent(lamp: string, action: SwitchAction, began: number, way: Way = "own"): void {
    this.#outcomes.sent(lamp, action, began);
    this.#tries.sent(lamp, action, way);
  }

  heard(call: Call, answer: ProviderResult): void {
    this.#outcomes.heard(call, answer);
  }

  /** Whether what lies in the outbox under this number was posted more than a minute ago. */
  isOld(id: number): boolean {
    return (this.#lastAt.get(id) ?? 0) < this.desk.world.now - OLD_AFTER;
  }

  /** What time alone shows: a window without a record, a try without an end. */
  check(): void {
    this.#records.closeWindows();
    this.#tries.check();
  }

  /** So much time has gone by, in which the engine could have worked. */
  waited(ms: number): void {
    this.#tries.waited(ms);
  }

  /** What is sent to the device waits for a limit. */
  heldBack(device: string, ms: number): void {
    this.#tries.heldBack(device, ms);
  }

  /** The engine has found its clock right that was hours ahead. */
  isRight(now: number): void {
    this.#outcomes.isRight(now);
  }

  /** The engine was away for so long that those that wait for their turn are a wave of their own. */
  newWave(): void {
    this.#tries.newWave();
  }

  /** Reads what the engine posted since the last time. */
  read(): void {
    const { desk } = this;
    const rows = desk.inside.posted(this.#last);
    if (rows.length === 0) return;
    forgetBefore(this.#lastAt, desk.world.now - OLD_AFTER, (at) => at);
    for (const { id } of rows) this.#lastAt.set(id, desk.world.now);
    this.#last = rows.at(-1)?.id ?? this.#last;
    for (const { kind, body } of rows) if (kind === "notification") this.#message(JSON.parse(body));
    for (const { kind, body } of rows) {
      if (kind === "scheduler_event") this.#event(JSON.parse(body));
      if (/^(scheduler_event|device_event|connectivity_log)$/.test(kind)) checkDepartment(desk, JSON.parse(body));
    }
  }

  #message({ id, incident, kind }: Message): void {
    const { desk } = this;
    desk.trace.note(null, `message ${kind} of ${incident}`);
    if (this.#messages.has(id)) desk.object(null, `the same message twice: ${id}`);
    this.#messages.add(id);
    if (kind !== "device_failed") return;
    const [what, device = ""] = incident.split(":");
    // What an old lamp is owed is an incident of its own.
    if (what !== "device") return void desk.told.set(`old ${device}`, desk.world.now);
    desk.told.set(device, desk.world.now);
    if (desk.told.has(`may ${device}`)) desk.object(device, `a second message of one incident: ${incident}`);
    desk.told.set(`may ${device}`, desk.world.now);
  }

  #event(event: Event): void {
    const { desk } = this;
    const { device_id, action, result, attempts, note } = event;
    desk.trace.note(device_id, `event: ${event.source} ${action} ${result} ${attempts} ${note ?? ""}`);
    if (/Internal fault/.test(note ?? "")) desk.object(device_id, `poison: ${note}`);
    this.told.add(event);
    if (device_id === null) return;
    this.#records.skip(event, device_id);
    if (attempts === 0) {
      if (!NEVER_SENT.test(note ?? "") && !SUPERSEDED.test(note ?? "")) return;
      this.#tries.told(device_id, action, true);
      if (!PRESSED_ANEW.test(note ?? "")) ended(desk, device_id, action, false);
      if (action === "off" && REPLACED_BY_ON.test(note ?? "")) replaced(desk, device_id);
      return;
    }
    if (result === "ok") this.#outcomes.ok(event, device_id);
    if (result === "fail") this.#outcomes.fail(event, device_id);
    if (result === "fail") failed(desk, device_id);
    const isOver = result !== "retry" || SUPERSEDED.test(note ?? "");
    this.#tries.told(device_id, action, isOver, result);
    if (PRESSED_ANEW.test(note ?? "")) return;
    // An OFF that is refused, or that its lamp was too busy for, is kept up, at the watchdog's pace.
    const book = desk.books.get(device_id);
    const isKeptUp = book?.isOffRefused === true || book?.held_back === "off";
    if (result === "fail" && action === "off" && isKeptUp) return;
    // The watchdog's turn comes again.
    if (result === "fail" && event.source !== "watchdog") failedUnsent(desk, device_id, action);
    if (isOver) ended(desk, device_id, action, result === "fail" && event.source === "manual" && action === "on");
    else retried(desk, device_id);
  }
}
