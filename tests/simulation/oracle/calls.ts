import type { ProviderResult } from "#durable/providers/provider";
import type { SwitchAction } from "#domain/enums";
import type { Call } from "#tests/simulation/world/lamps";
import { isKnown, probeOf, type Book } from "./book";
import { noteCooling, noteTaken, isCooling } from "./cooling";
import { advance } from "./debts";
import { clock, MINUTE, queueOf, SECOND, SEEN_WITHIN, TIMEOUT, why, type Desk } from "./desk";
import { judge } from "./judge";
import type { Ledger } from "./ledger";
import { isDark } from "./limits";
import { evaluate } from "./evaluation";
import { finding, healing, orphanGrace, SPACING } from "./standing";
import { noteTurn } from "./turns";

const PAUSE = 15 * SECOND;
/** From when a call is handed out until it leaves, the clock is read no more often than this: all hands are at work. */
const READINGS_TO_LEAVE = 40;

/** A call leaves the engine: whether it may, and what is thereby no longer owed. */
export function noteCall(desk: Desk, ledger: Ledger, call: Call): void {
  desk.calls += 1;
  advance(desk);
  const queue = queueOf(call.lamp, call.hub);
  const busy = desk.inFlight.get(queue) ?? 0;
  if (busy > 0) desk.object(desk.deviceOf(call.lamp), `two calls at once to ${queue}`);
  desk.inFlight.set(queue, busy + 1);
  if (call.lamp === null || call.what !== "switch" || call.action === null) return;
  const book = desk.bookOf(call.lamp, call.hub);
  if (book) noteSend(desk, ledger, book, call.action, call.began);
  else noteLateSend(desk, ledger, call.lamp, call.action, call.began);
}

function noteSend(desk: Desk, ledger: Ledger, book: Book, action: SwitchAction, began: number): void {
  desk.trace.note(book.id, `${action.toUpperCase()} leaves for ${book.lamp}`);
  evaluate(desk, book);
  if (probeOf(book, action)) return noteTestSend(desk, ledger, book, action, began);
  const isKept = action === "off" ? book.isOffKept : book.isOffTried || book.held_back === "on";
  const mayLeave = isKept || book.kept_up === action;
  const mayBurn = action === "off" && book.lit_since !== null;
  const isAsked =
    book.owes !== null || book.live !== null || mayBurn || !isKnown(book, action) || mayLeave || book.isMadeGood;
  if (!isAsked) desk.object(book.id, `an ${action.toUpperCase()} left, and nothing asked for it`);
  if (action === "on" && book.want !== "on") desk.object(book.id, `an ON left, and ${why(book)}`);
  if (action === "off" && book.want === "on" && !isAboutToEnd(desk, book))
    desk.object(book.id, `an OFF left, and ${why(book)}`);
  if (action === "on" && isCooling(desk, book)) desk.object(book.id, "an ON left for a lamp that has to cool");
  if (action === "on") noteTurn(desk, book, "own");
  book.before_send = beforeSend(book);
  if (action === "on") litByUs(desk, book);
  book.sent_at = began;
  book.live = action;
  book.isOffKept = false;
  book.isOffTried = action === "off";
  book.isOffRefused = false;
  book.isUnsent = false;
  book.kept_up = null;
  book.isAhead = action === "off" && book.want === "on";
  book.isMadeGood = false;
  if (book.owes?.action === action) book.owes = null;
  // However the lamp came to be as it is, it is told now, and then read.
  if (book.grace_until === Infinity) book.grace_until = 0;
  desk.grant(book, SEEN_WITHIN);
  desk.evaluated.delete(book.id);
  ledger.sent(book.lamp, action, began);
  evaluate(desk, book);
}

function beforeSend({ sent_at, lit_since, lit_by, grace_until }: Book): Book["before_send"] {
  return { sent_at, lit_since, lit_by, grace_until };
}

/** The engine counts from when it handed a call out, which is some readings of the clock before it left. */
function isAboutToEnd({ known, world }: Desk, book: Book): boolean {
  return judge(book, known, world.clock + READINGS_TO_LEAVE * world.reading_ms).want !== "on";
}

/** A test switches as it likes, within the guardrails. */
function noteTestSend(desk: Desk, ledger: Ledger, book: Book, action: SwitchAction, began: number): void {
  if (action === "on" && (isDark(desk.known, book.id, desk.world.clock) || !desk.known.isServed))
    desk.object(book.id, "a test's ON left in a restricted time");
  if (action === "on") noteTurn(desk, book, "test");
  book.before_send = beforeSend(book);
  if (action === "on") litByUs(desk, book);
  book.sent_at = began;
  desk.grant(book, SEEN_WITHIN);
  desk.evaluated.delete(book.id);
  ledger.sent(book.lamp, action, began, "test");
  const left = probeOf(book, action);
  book.probes = book.probes.map((probe) => (probe === left ? { action, hasLeft: true } : probe));
  evaluate(desk, book);
}

function noteLateSend(desk: Desk, ledger: Ledger, lamp: string, action: SwitchAction, began: number): void {
  const orphan = desk.orphans.get(lamp);
  if (!orphan) return desk.object(null, `a call left for ${lamp}, which is nobody's and owed nothing`);
  desk.trace.note(orphan.device_id, `${action.toUpperCase()} leaves for the old lamp ${lamp}`);
  if (action === "on") desk.object(orphan.device_id, "an ON left for a lamp that is not the device's any more");
  orphan.owes = null;
  ledger.sent(lamp, action, began, "old");
}

/** What the engine hears of a call: what it must know from now on. */
export function noteAnswer(desk: Desk, ledger: Ledger, call: Call, answer: ProviderResult): void {
  advance(desk);
  const queue = queueOf(call.lamp, call.hub);
  desk.inFlight.set(queue, (desk.inFlight.get(queue) ?? 1) - 1);
  noteWays(desk, call, answer);
  if (isCloudBack(desk, answer)) makeGood(desk);
  if (call.lamp === null) return;
  const book = desk.bookOf(call.lamp, call.hub);
  const said = answer.ok ? answer.state : answer.reason;
  const device = book?.id ?? desk.deviceOf(call.lamp);
  desk.trace.note(device, `${call.what} of ${call.lamp}, asked ${clock(call.began)}: ${said}`);
  ledger.heard(call, answer);
  if (!book) {
    const orphan = desk.orphans.get(call.lamp);
    // A lamp that its hub has given up, as the records say, burns on: it is tried until a day is over.
    if (orphan) orphan.isHeldBack = !answer.ok && answer.reason === "throttled";
    if (orphan?.isHeldBack && !answer.ok) desk.grant(orphan, (answer.retry_after_ms ?? 0) + SEEN_WITHIN + MINUTE);
    const isGivenUp = desk.byLamp.has(call.lamp) && !answer.ok && answer.reason === "refused";
    if (orphan && (call.isTroubled || isGivenUp)) desk.grant(orphan, orphanGrace(desk, orphan));
    return;
  }
  if (call.action === "on" && book.manual) book.manual.isAccepted = answer.ok;
  desk.snapshot([book]);
  if (call.action === "off" && answer.ok) noteTaken(desk, book);
  if (!answer.ok && (answer.reason === "throttled" || answer.reason === "refused"))
    noteUntouched(desk, ledger, book, call, answer.retry_after_ms ?? 0);
  if (call.what === "switch") book.held_back = !answer.ok && answer.reason === "throttled" ? call.action : null;
  if (call.action === "off") book.isOffRefused = !answer.ok && answer.reason === "refused";
  // Whoever refused is not asked again for some minutes, also where it would let us in by then: the OFF is kept up.
  if (book.isOffRefused) desk.grant(book, SPACING + SEEN_WITHIN + MINUTE);
  if (call.isTroubled) desk.grant(book, healing(desk, book));
  if (call.what !== "read" && (answer.ok || answer.reason !== "unreachable")) return;
  // By another hub than it has now it was read before it was switched by that one, or is not known to be later.
  if (answer.ok && call.hub === book.hub) noteReading(desk, book, answer.state, call.began);
  evaluate(desk, book);
}

function noteReading(desk: Desk, book: Book, state: string, began: number): void {
  const { now } = desk.world;
  book.reading = { state, began, at: now };
  noteCooling(desk, book, state);
  // People were told of it already: what is kept up, and the watchdog, wait for the next try.
  if (state !== (book.want === "on" ? "on" : "off") && desk.hasIncident(book.id))
    desk.grant(book, SPACING + SEEN_WITHIN + MINUTE);
  if (state === "off") Object.assign(book, { lit_since: null, isOffTried: false });
  if (state === "on" && book.lit_since === null) {
    book.lit_since = desk.world.clock;
    book.lit_by = "external";
  }
}

/** It did not leave, or was refused: the lamp is as it was, and where there is a limit it is sent later. */
function noteUntouched(desk: Desk, ledger: Ledger, book: Book, call: Call, wait_ms: number): void {
  const { before_send, grace_until, sent_at, reading } = book;
  // Another hub may have switched or read it since.
  const isLast = sent_at === call.began && (reading === null || reading.at <= call.began);
  // What a hand did before it is still to be found.
  if (call.what === "switch" && before_send && isLast)
    Object.assign(book, before_send, { grace_until: Math.max(grace_until, before_send.grace_until) });
  book.before_send = null;
  desk.grant(book, wait_ms + SEEN_WITHIN + MINUTE);
  ledger.heldBack(book.id, wait_ms);
}

/** What an answer says of the hub and of the cloud. */
function noteWays(desk: Desk, call: Call, answer: ProviderResult): void {
  const silent = (place: string) =>
    (answer.failures ?? []).some(
      ({ where, reason }) => where === place && (reason === "unreachable" || reason === "timeout"),
    );
  const isDevice = (answer.failures ?? []).some(({ reason }) => reason === "device");
  if (call.hub !== null && (answer.ok || isDevice)) noteHub(desk, call.hub, call.lamp, true);
  else if (call.hub !== null && silent("hub")) noteHub(desk, call.hub, call.lamp, false);
  // Through the cloud everything waits, and fails at once, while it does not answer.
  if (silent("cloud")) desk.cloud_silent_at = desk.world.now;
}

/**
 * The lights, or those of one hub, that are not known to be as they should be get a command, whatever is heard of them before
 * it leaves: it may have to wait for its turn in its area.
 */
function makeGood(desk: Desk, hub: string | null = null): void {
  const concerned = [...desk.books.values()].filter((book) => hub === null || book.hub === hub);
  const lights = concerned.filter((book) => book.want !== "none" && !isKnown(book, book.want));
  desk.snapshot(lights);
  for (const book of lights) book.isMadeGood = true;
}

/** Notes what an answer says of the cloud. */
function isCloudBack(desk: Desk, answer: ProviderResult): boolean {
  const was = desk.isCloudTroubled;
  const failures = (answer.failures ?? []).filter(({ where }) => where === "cloud");
  const isSilent = failures.some(({ reason }) => reason === "unreachable" || reason === "timeout");
  const isAnswer = answer.provider === "cloud" && answer.http_status !== null && failures.length === 0;
  desk.snapshot([], () => {
    desk.isCloudTroubled = was;
  });
  if (isAnswer) desk.isCloudTroubled = false;
  else if (isSilent || failures.some(({ reason }) => reason === "refused")) desk.isCloudTroubled = true;
  return was && isAnswer;
}

/** Two failures in a row, and not of one lamp alone, pause a hub's queue: what is due then fails at once. */
function noteHub(desk: Desk, hub: string, lamp: string | null, isAlive: boolean): void {
  const { hubs, world } = desk;
  const { now } = world;
  const { failures, paused_until: was, lamp: before } = hubs.get(hub) ?? { failures: 0, paused_until: 0, lamp: null };

  if (isAlive && failures >= 2) makeGood(desk, hub);
  if (isAlive) return void hubs.set(hub, { failures: 0, paused_until: Math.min(was, now), lamp: null });
  const alone = failures === 0 || before === lamp ? lamp : null;
  // What failed at once while the queue was paused stays explained, though the hub has answered and fallen silent since.
  const paused_until = failures + 1 >= 2 && alone === null ? now + PAUSE : was;
  hubs.set(hub, { failures: failures + 1, paused_until, lamp: alone });
}

/** A lamp does what it was told, and the engine does not wait for it any more. */
export function noteSwitched(desk: Desk, lamp: string, state: SwitchAction, call: Call): void {
  if (desk.world.now - call.began > TIMEOUT)
    noteTouched(desk, lamp, `${state} happens late, asked ${clock(call.began)}`);
}

/** The lamp is other than the engine can know: only a reading finds it. */
export function noteTouched(desk: Desk, lamp: string, what: string): void {
  advance(desk);
  const book = desk.byLamp.get(lamp);
  const orphan = desk.orphans.get(lamp);
  desk.trace.note(book?.id ?? orphan?.device_id ?? null, `${lamp}: ${what}`);
  if (book) desk.grant(book, finding(desk, book));
  if (orphan) desk.grant(orphan, orphanGrace(desk, orphan));
}

export function litByUs(desk: Desk, book: Book): void {
  book.lit_since ??= desk.world.clock;
  book.lit_by = "us";
}
