import { newBook, type Book } from "./book";
import { accessOf, isSameAccess, type City, type CityArea, type CityDevice } from "./city";
import { READINGS_TO_BEGIN, SECOND, SEEN_WITHIN, versionKey, type Desk } from "./desk";
import { isFreed } from "./limits";
import { evaluate } from "./evaluation";
import { finding } from "./standing";
import { DAY } from "./wall-clock";

/** For how long it is remembered what the engine could know, and since when. */
const LEARNED_KEPT = 3 * DAY;
const VERSIONS_KEPT = 2_000;

/** D1 holds another configuration from now on. */
export function noteTruth(desk: Desk, city: City): void {
  desk.truth = city;
  desk.versions.set(versionKey(city), city);
  if (desk.versions.size > VERSIONS_KEPT) desk.versions.delete([...desk.versions.keys()][0] ?? "");
}

/** The engine has committed: what it says of its plan it knows. */
export function noteVersion(desk: Desk): void {
  const plan = desk.inside.plan();
  const epoch = plan.epoch ?? desk.known.epoch;
  const { version } = plan;
  const city = desk.versions.get(versionKey({ epoch, version }));
  if (city && isNewer(city, desk.known)) {
    evaluateAgain(desk);
    learn(desk, city);
  }
  // Asked for by itself: off at once, and on with the plan.
  const { isServed } = plan;
  if (isServed !== desk.saysServed) {
    // With what it heard besides, the engine has not committed that yet: a process that dies now takes only the rest with it.
    const { clock, reading_ms } = desk.world;
    const isJustLearned = clock - (desk.learned.at(-1)?.at ?? -Infinity) <= READINGS_TO_BEGIN * reading_ms;
    const isAlone = isNewer(desk.known, { epoch, version }) && isJustLearned;
    if (isAlone && isServed === desk.known.isServed) desk.undo?.();
    if (isServed !== desk.known.isServed) {
      evaluateAgain(desk);
      learn(desk, { ...desk.read, isServed });
    }
  }
  desk.saysServed = isServed;
  if (!isNewer(desk.known, { epoch, version }) && isServed === desk.known.isServed) desk.undo = null;
}

/** Whether D1 holds a newer plan than the engine is known to have. */
export function isBehind({ truth, known }: Desk): boolean {
  return isNewer(truth, known);
}

/** A restore may go back to a lower version; epochs are numbered by the lives. */
function isNewer(a: Pick<City, "epoch" | "version">, b: Pick<City, "epoch" | "version">): boolean {
  return a.epoch === b.epoch ? a.version > b.version : numberOf(a.epoch) > numberOf(b.epoch);
}

/** The number of an epoch, which its name ends with. */
export function numberOf(epoch: string): number {
  return Number(/\d+$/.exec(epoch)?.[0] ?? 0);
}

/** A slow D1 is waited for, for a second: who wakes evaluates nothing before. */
function evaluateAgain(desk: Desk): void {
  if (desk.world.clock - desk.rang_at > SECOND) return;
  for (const [id, { at, before }] of desk.evaluated) {
    const book = desk.books.get(id);
    if (book && at >= desk.rang_at) Object.assign(book, before);
  }
}

/** The engine has had occasion to read this configuration: what it must conclude, the oracle does. */
export function learn(desk: Desk, city: City): void {
  if (city === desk.read) return;
  const [before, readBefore] = [desk.known, desk.read];
  const known = asChanged(asStamped(desk, asRestored(desk, asServed(desk, asRead(city, before)))), before);
  desk.trace.note(null, `the engine can know version ${city.version}`);
  desk.learned.push({ at: desk.world.clock, city: known });
  while ((desk.learned[1]?.at ?? Infinity) < desk.world.clock - LEARNED_KEPT) desk.learned.shift();
  const { books, gone } = desk;
  const orphans = new Map(desk.orphans);
  desk.snapshot(books.values(), () => {
    desk.learned.pop();
    desk.known = before;
    desk.read = readBefore;
    desk.orphans = orphans;
    desk.gone = gone;
    desk.books = books;
    desk.byLamp = new Map([...books.values()].map((book) => [book.lamp, book]));
  });
  desk.known = known;
  desk.read = city;
  desk.books = new Map(books);
  if (isReplanned(city, readBefore)) rewindEvaluations(desk, city, before);
  for (const book of books.values())
    if (isFreed(city, book.id, before, desk.world.clock)) book.evaluated_at = desk.world.clock;
  for (const book of books.values()) move(desk, book, city, before);
  for (const [id, { lamp, hub }] of city.devices) if (!desk.books.has(id)) enter(desk, newlyKnown(desk, id, lamp, hub));
  for (const book of desk.books.values()) {
    evaluate(desk, book);
    // Who was to find what a hand did finds it later now, or no more.
    const isLit = desk.lamps.lit.has(book.lamp);
    if (city.watchdog_sec !== before.watchdog_sec || city.watchdog !== before.watchdog)
      if (isLit !== (book.want === "on")) desk.grant(book, finding(desk, book));
  }
}

/**
 * An area that is other than before is so since its row was last written, as far as the row says: also where it was
 * switched on, and got another pause between two lamps an hour later, and nobody evaluated it in between.
 */
function asRead(city: City, before: City): City {
  const areas = [...city.areas].map(([id, area]) => {
    const was = before.areas.get(id);
    const changed_at = was?.isActive === area.isActive ? was.changed_at : area.written_at;
    const read = { ...area, changed_at };
    return [id, was && isSameRow(was, read) ? was : read] as const;
  });
  // Where nothing is other, what was worked out from the areas before holds still.
  const isAsBefore = areas.length === before.areas.size && areas.every(([id, area]) => before.areas.get(id) === area);
  const calendars = calendarsAsRead(city, before);
  return {
    ...city,
    areas: isAsBefore ? before.areas : new Map(areas),
    calendars,
    changed_at: rulesAsRead(city, before),
  };
}

/** Switched off or on again, it is so, with all that limits it, from when the engine learned it. */
function asServed({ known: before, world }: Desk, city: City): City {
  if (city.isServed === before.isServed) return { ...city, served_at: before.served_at };
  return { ...city, served_at: world.clock, changed_at: { ...city.changed_at, zone: world.clock } };
}

/** What a restore has brought back is planned since the engine learned of it, whatever it says of its age. */
function asRestored({ known: before, world }: Desk, city: City): City {
  return { ...city, restored_at: city.epoch === before.epoch ? before.restored_at : world.now };
}

/** A calendar whose dates were changed, and changed back, while nobody was there is as it was known. */
function calendarsAsRead({ calendars, epoch }: City, before: City): City["calendars"] {
  if (epoch !== before.epoch || calendars === before.calendars) return calendars;
  const read = [...calendars].map(([id, calendar]) => {
    const was = before.calendars.get(id);
    const isSame = was?.dates.size === calendar.dates.size && [...calendar.dates].every((date) => was.dates.has(date));
    return [id, isSame ? was : calendar] as const;
  });
  const isAsBefore =
    read.length === before.calendars.size && read.every(([id, one]) => before.calendars.get(id) === one);
  return isAsBefore ? before.calendars : new Map(read);
}

/** A rule that was changed, and changed back, while nobody was there is as it was known. */
function rulesAsRead({ rules, changed_at, epoch }: City, before: City): City["changed_at"] {
  if (epoch !== before.epoch) return changed_at;
  const of = (rule: keyof City["changed_at"]) =>
    rules[rule] === before.rules[rule] ? before.changed_at[rule] : changed_at[rule];
  const read = {
    HARD_CURFEW_OFF: of("HARD_CURFEW_OFF"),
    BLACKOUT_WINDOW: of("BLACKOUT_WINDOW"),
    MAX_ON_DURATION_MIN: of("MAX_ON_DURATION_MIN"),
    zone: of("zone"),
  };
  return JSON.stringify(read) === JSON.stringify(before.changed_at) ? before.changed_at : read;
}

/** What is stamped later than it is by the engine's clock, which is behind, the engine takes as planned when it learned it. */
function asStamped(desk: Desk, city: City): City {
  const { clock } = desk.world;
  const of = <T extends { changed_at: number }>(rows: ReadonlyMap<string, T>): ReadonlyMap<string, T> => {
    const late = [...rows].filter(
      ([id, { changed_at }]) => desk.learned_late.has(`${id}@${changed_at}`) || changed_at > clock,
    );
    if (late.length === 0) return rows;
    const stamped = new Map(rows);
    for (const [id, row] of late) {
      const key = `${id}@${row.changed_at}`;
      const changed_at = desk.learned_late.get(key) ?? clock;
      desk.learned_late.set(key, changed_at);
      stamped.set(id, { ...row, changed_at });
    }
    return stamped;
  };
  const [plans, calendars] = [of(city.plans), of(city.calendars)];
  return plans === city.plans && calendars === city.calendars ? city : { ...city, plans, calendars };
}

/** A plan, or its calendar, that was changed has held its lights until then as it was known. */
function asChanged(city: City, before: City): City {
  const calendars = calendarsAsChanged(city, before);
  if (city.plans === before.plans) return { ...city, calendars };
  const plans = [...city.plans].map(([id, plan]) => {
    const known = before.plans.get(id);
    if (!known) return [id, plan] as const;
    const { was, ...earlier } = known;
    if (known.changed_at !== plan.changed_at) return [id, { ...plan, was: earlier }] as const;
    return [id, was ? known : plan] as const;
  });
  return { ...city, calendars, plans: new Map(plans) };
}

function calendarsAsChanged({ calendars }: City, before: City): City["calendars"] {
  if (calendars === before.calendars) return calendars;
  const changed = [...calendars].map(([id, calendar]) => {
    const known = before.calendars.get(id);
    if (!known || known === calendar) return [id, calendar] as const;
    const { was, ...earlier } = known;
    if (known.changed_at !== calendar.changed_at) return [id, { ...calendar, was: earlier }] as const;
    return [id, was ? known : calendar] as const;
  });
  return new Map(changed);
}

function isSameRow(one: CityArea, other: CityArea): boolean {
  const { type, isActive, changed_at, written_at, stagger_sec, positions } = one;
  const isSame = type === other.type && isActive === other.isActive && positions === other.positions;
  const isSameTime = changed_at === other.changed_at && written_at === other.written_at;
  return isSame && isSameTime && stagger_sec === other.stagger_sec;
}

/** Whether other windows may hold a light than before: under other settings, or with other hubs, the same ones do. */
function isReplanned(city: City, before: City): boolean {
  const windows = ["plans", "devices", "groups", "areas", "calendars", "policies", "permits", "closures"] as const;
  return city.epoch !== before.epoch || windows.some((of) => city[of] !== before[of]);
}

/**
 * An evaluation that did not know the plan has seen nothing of what was planned: it counts from when another was learned, or
 * from the last evaluation that the engine made, which leaves out whoever a change does not concern. What was planned before
 * a restore nobody knows.
 */
function rewindEvaluations({ learned, books, world, inside }: Desk, { epoch }: City, before: City): void {
  const isSameEpoch = epoch === before.epoch;
  const since = isSameEpoch ? learned.at(-2)?.at : world.clock;
  if (since === undefined) return;
  const engines = inside.allEvaluatedAt();
  for (const book of books.values()) {
    if (book.evaluated_at === null) continue;
    const at = Math.max(book.asked_at, Math.min(since, engines.get(book.id) ?? Infinity));
    book.evaluated_at = isSameEpoch ? Math.min(book.evaluated_at, at) : since;
  }
}

/** Another address, or none: what burned there is owed an OFF. */
function move(desk: Desk, book: Book, city: City, before: City): void {
  const device = city.devices.get(book.id);
  const isSameWay = city.mode === before.mode && isSameAccess(accessOf(city, book.hub), accessOf(before, book.hub));
  if (device?.lamp === book.lamp && device.hub === book.hub && isSameWay) return;
  // Where only hubs are asked, who has none any more cannot be reached: what burns gets its OFF by the old way first.
  const isCutOff = city.mode === "local" && book.hub !== null && device?.hub === null;
  if ((device?.lamp !== book.lamp || isCutOff) && book.lit_since !== null) orphan(desk, book);
  desk.byLamp.delete(book.lamp);
  desk.books.delete(book.id);
  // Of a device that is gone the incident is over; what comes back under its name is another.
  if (!device) {
    desk.gone = new Map(desk.gone).set(book.id, desk.world.now);
    return void desk.told.delete(`may ${book.id}`);
  }
  const isOtherLamp = device.lamp !== book.lamp;
  const { lamp, hub } = device;
  const unseen = isOtherLamp && { lit_since: null, isSeenLit: false, dark_since: null };
  const lit_since = (isOtherLamp ? null : book.lit_since) ?? desk.world.clock;
  const lit = takeUp(desk, device) && { lit_since, lit_by: "us" as const };
  const unknown = {
    reading: null,
    live: null,
    key: "",
    owes: null,
    isOffKept: false,
    kept_up: null,
    ...unseen,
    ...lit,
  };
  // Its hub lets us in again: whatever stood in its way before, it is lit now.
  const isLetIn = accessOf(city, hub).wrong === null && accessOf(before, book.hub).wrong !== null && book.want === "on";
  enter(desk, { ...book, lamp, hub, ...unknown, ...(isLetIn && { grace_until: 0 }) });
}

/** A device that was deleted while it burned may be back by a restore, or made anew for the same lamp. */
function newlyKnown(desk: Desk, id: string, lamp: string, hub: string | null): Book {
  const mayBurn = takeUp(desk, { lamp, hub });
  return { ...newBook(id, lamp, hub), lit_since: mayBurn ? desk.world.clock : null };
}

/**
 * An old lamp is the device's, and the device's own OFF is to see to what burns there. Answers whether it was still
 * owed one.
 */
function takeUp(desk: Desk, { lamp, hub }: Pick<CityDevice, "lamp" | "hub">): boolean {
  const orphan = desk.orphans.get(lamp);
  // Where only hubs are asked, one without cannot be reached; nor could it before, or the old way is still gone.
  if (!orphan || (desk.known.mode === "local" && hub === null && orphan.hub !== null)) return false;
  desk.orphans.delete(lamp);
  return !orphan.isAnswered && desk.world.now - (orphan.kept_since ?? orphan.since) <= DAY + orphan.late_ms;
}

function enter(desk: Desk, book: Book): void {
  desk.books.set(book.id, book);
  desk.byLamp.set(book.lamp, book);
  // A new lamp may burn already.
  const isHidden = book.lit_since === null && desk.lamps.lit.has(book.lamp);
  desk.grant(book, isHidden ? finding(desk, book) : SEEN_WITHIN);
}

function orphan(desk: Desk, { id, lamp, hub }: Book): void {
  const { now } = desk.world;
  const owes = { action: "off" as const, since: now, waited: 0, isToggle: false };
  desk.orphans.set(lamp, {
    device_id: id,
    lamp,
    hub,
    owes,
    grace_until: now + SEEN_WITHIN,
    since: now,
    kept_since: null,
    late_ms: 0,
    isHeldBack: false,
    isAnswered: false,
  });
}
