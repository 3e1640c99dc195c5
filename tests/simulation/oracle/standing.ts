import type { Book } from "./book";
import { judge } from "./judge";
import { evaluate, isAsSeen } from "./evaluation";
import {
  MINUTE,
  READINGS_TO_BEGIN,
  SECOND,
  SEEN_WITHIN,
  SENT_WITHIN,
  TIMEOUT,
  why,
  type Desk,
  type Orphan,
} from "./desk";
import { turnTakes } from "./turns";
import { DAY } from "./wall-clock";

/** The watchdog's longest spacing. */
export const SPACING = 30 * MINUTE;
/** A lamp that left so long ago nobody sends anything to any more. */
const FORGOTTEN_AFTER = 3 * DAY;
/** The watchdog's reads in a turn. The lit and the dark share it, so each light is certain of a place among half of them. */
const READS_A_TURN = 40;
const CERTAIN_READS_A_TURN = READS_A_TURN / 2;

/** Every lamp is as it is wanted, but for as long as it may be otherwise. */
export function checkLamp(desk: Desk, book: Book): void {
  const { now, clock } = desk.world;
  const { want, key } = isAsSeen(desk, book) ? book : judge(book, desk.known, clock);
  if (key !== book.key && book.isAhead) {
    book.isAhead = false;
    evaluate(desk, book);
  }
  if (!desk.isOk || now <= desk.slow_until) return;
  if (key !== book.key && desk.ok_since < now - SENT_WITHIN && sleptThrough(desk, book))
    desk.object(book.id, `nobody woke for it: ${why(book)}, since then ${key}`);
  const isLit = desk.lamps.lit.has(book.lamp);
  if (book.test_until !== null && book.test_until > clock) return;
  if (now <= book.grace_until || isJustNow(desk, book, key)) return;
  if (want === "on" && now <= book.grace_until + turnTakes(desk, book)) return;
  if (want === "on" && !isLit) desk.object(book.id, `is dark, and ${why(book)}`);
  if (isLit && (want === "off" || (want === "none" && book.lit_since === null)))
    desk.object(book.id, `burns, and ${why(book)}`);
}

/** The answer changed while the engine read its clock: what counts from a toggle counts from some readings later. */
function isJustNow({ world, known }: Desk, book: Book, key: string): boolean {
  return key !== book.key && judge(book, known, world.clock - READINGS_TO_BEGIN * world.reading_ms).key === book.key;
}

/** The answer changed more than a second ago, and not only just now. */
function sleptThrough({ world, known }: Desk, book: Book): boolean {
  return judge(book, known, world.clock - SENT_WITHIN).key !== book.key;
}

/** An old lamp goes out, or its OFF is given up after a day; and then it is forgotten. */
export function checkOrphan(desk: Desk, orphan: Orphan): void {
  const isLit = desk.lamps.lit.has(orphan.lamp);
  const { now } = desk.world;
  if (isLit && desk.isOk && now > orphan.grace_until)
    desk.object(orphan.device_id, `its old lamp ${orphan.lamp} burns`);
  const isOver = orphan.isAnswered ? !isLit : now - orphan.since > FORGOTTEN_AFTER;
  if (isOver) desk.orphans.delete(orphan.lamp);
}

/** How long an old lamp may burn after what stood in the way of its OFF: until the next try, while there are tries. */
export function orphanGrace(desk: Desk, { since, kept_since, isAnswered }: Orphan): number {
  const hasTries = !isAnswered && desk.world.now - (kept_since ?? since) < DAY - SPACING;
  return hasTries ? SPACING + SEEN_WITHIN + 5 * MINUTE : Infinity;
}

/** How long after it is well again a lamp may take to be as wanted: the hub's next check, or the watchdog's turn. */
export function healing(desk: Desk, book: Book): number {
  const ofHub = desk.lamps.troubles.get(`hub:${book.hub}`);
  const isLamp = desk.lamps.troubles.has(`lamp:${book.lamp}`);
  // A hub that answers all the while, and does nothing, does not come back: its check finds nothing.
  const isMissed = ofHub?.kind === "offline" || (ofHub?.kind === "slow" && ofHub.ms > TIMEOUT);
  const isWanted = book.want !== "none" || book.lit_since !== null;
  const byHub = isMissed && !isLamp && isWanted ? untilAsked(desk) : Infinity;
  return Math.max(SEEN_WITHIN + MINUTE, Math.min(byHub, finding(desk, book)));
}

/** ... and where another lamp's silence has paused its hub, and its ladder may end in that: until the hub is asked. */
export function hubsReturn(desk: Desk, book: Book): number {
  return Math.max(SEEN_WITHIN + MINUTE, Math.min(untilAsked(desk), finding(desk, book)));
}

/** A hub's turn, and what its answer sets going. */
function untilAsked({ known }: Desk): number {
  return known.hub_check_sec * SECOND + 3 * MINUTE;
}

/** A hand, or a late lamp, lit it, and nobody was there to find it. */
export function isOther({ lamps }: Desk, book: Book): boolean {
  return book.lit_since === null && lamps.lit.has(book.lamp);
}

/** ... and after a hand, or a late lamp, has made it other than the engine can know. */
export function finding(desk: Desk, book: Book): number {
  const spacing = desk.hasIncident(book.id) || desk.lamps.troubles.size > 0 ? SPACING : 0;
  return desk.known.watchdog ? spacing + round(desk) + SEEN_WITHIN + MINUTE : Infinity;
}

/** A ladder has failed: where a process died with its last try, or with the answer, its well lamp is left to the watchdog. */
export function failed(desk: Desk, device: string): void {
  const book = desk.books.get(device);
  if (book && (book.sent_at ?? Infinity) <= desk.died_at) desk.grant(book, finding(desk, book));
}

function round({ known }: Desk): number {
  const turns = Math.ceil(known.devices.size / CERTAIN_READS_A_TURN) + 1;
  return turns * known.watchdog_sec * SECOND;
}
