/**
 * A second, independent implementation of the desired state, which walks minute by minute and counts how long a light has
 * been lit. Slow on purpose; it shares no code with the rules it judges. Times are whole minutes since the epoch; a wall
 * minute is the UTC minute that reads the same as the zone's clock.
 */
export type Clock = { wallAt: (minute: number) => number; minuteOf: (wall: number, which: "first" | "last") => number };

export type Booking = {
  id: string;
  clock: Clock;
  /** The wall minute of its first start, and its length in wall minutes. */
  wall: number;
  length: number;
  /** The minute in which it was created. */
  made: number;
  repeats: { every_days: number; on_weekdays: number[] | null; times: number } | null;
};

export type HouseRules = {
  clock: Clock;
  curfew: number | null;
  blackout: { start: number; end: number } | null;
  /** 0: none. */
  max_on: number;
  /** What a toggle and a lamp that a hand lit take where there is none. */
  organization_max_on: number;
};

/** Half-open, in minutes; a closure may have no end. */
export type Period = { start: number; end: number };

type Window = { start: number; end: number };
/** A window that is booked after its start begins when it was booked. */
type BookedWindow = Window & { id: string; begins: number };

const DAY = 1440;

/** A zone's clock as a table of minutes, read from Intl. */
export function watchedClock(zone: string, from: number, to: number): Clock {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
    hourCycle: "h23",
  });
  const walls = new Map<number, number>();
  const minutes = new Map<number, number[]>();
  for (let minute = from; minute < to; minute += 1) {
    const shown = format.format(minute * 60_000).replace(", ", "T");
    const wall = Date.parse(`${shown}Z`) / 60_000;
    walls.set(minute, wall);
    minutes.set(wall, [...(minutes.get(wall) ?? []), minute]);
  }
  const seen = (wall: number) => minutes.get(wall) ?? [];
  return {
    wallAt: (minute) => walls.get(minute) ?? NaN,
    minuteOf: (wall, which) => {
      // The clock skipped this hour, so the time moves forward by the gap.
      const when = seen(wall).length > 0 ? seen(wall) : seen(wall + 60);
      return (which === "first" ? when[0] : when.at(-1)) ?? NaN;
    },
  };
}

export class Oracle {
  /** The minutes since the light was first known to be lit, and whether we lit it. */
  #lit: { minutes: number; isOurs: boolean } | null = null;
  /** The minutes since a person's ON while no booking held the light. */
  #pressed: number | null = null;
  /** The minute of a person's last OFF, and of the last cut. */
  #off_at = -Infinity;
  #cut_at = -Infinity;
  #hold: { action: "on" | "off"; until: number } | null = null;
  #emergency_until = -Infinity;
  /** The restrictions that begin on a day, cached. */
  readonly #nights = new Map<number, Window[]>();
  #rules: HouseRules;
  #windows: BookedWindow[];
  permits: Period[] = [];
  closures: Period[] = [];

  constructor(rules: HouseRules, bookings: Booking[]) {
    this.#rules = rules;
    this.#windows = bookings.flatMap(windowsOf);
  }

  set rules(rules: HouseRules) {
    this.#rules = rules;
    this.#nights.clear();
  }

  set bookings(bookings: Booking[]) {
    this.#windows = bookings.flatMap(windowsOf);
  }

  /** Moves on by a minute. */
  minute(): void {
    if (this.#lit) this.#lit.minutes += 1;
    if (this.#pressed !== null) this.#pressed += 1;
  }

  /** The desired state at this minute: 'on' and why, 'off' and what for, or 'none' for a light that is left alone. */
  decide(now: number): string {
    const darkness = this.#darkness(now);
    if (this.#hold && this.#hold.until <= now) this.#hold = null;
    if (darkness && this.#hold?.action === "on") this.#hold = null;
    const holding = this.#holding(now).filter(({ begins }) => begins > this.#off_at && begins > this.#cut_at);
    if (darkness || holding.length > 0) this.#pressed = null;

    if (now < this.#emergency_until) return this.#wanted("emergency");
    if (darkness) return this.#forbidden(darkness);
    if (this.#hold?.action === "off") return this.#forbidden("held");
    if (this.#isUsedUp(now, holding)) {
      this.#pressed = null;
      this.#hold = null;
      if (this.#lit) this.#cut_at = now;
      return this.#forbidden("used up");
    }
    if (holding.length > 0)
      return this.#wanted(
        holding
          .map(({ id }) => id)
          .toSorted()
          .join(" "),
      );
    if (this.#hold) return this.#wanted("held");
    if (this.#pressed !== null) return this.#wanted("pressed");
    if (!this.#lit) return "none";
    return this.#lit.isOurs ? "off unwanted" : "none external";
  }

  /** True if the ON was accepted. */
  toggleOn(now: number): boolean {
    return this.#accepted(now, () => {
      this.#off_at = -Infinity;
      this.#cut_at = -Infinity;
      this.#hold = null;
      this.#pressed = this.#holding(now).length > 0 ? null : 0;
    });
  }

  /** True if the ON was accepted. */
  holdOn(now: number, until: number): boolean {
    return this.#accepted(now, () => {
      this.#hold = { action: "on", until };
      this.#pressed = null;
    });
  }

  toggleOff(now: number): void {
    this.#off_at = now;
    this.#hold = null;
    this.#pressed = null;
    this.#emergency_until = -Infinity;
    this.#claimIt();
  }

  holdOff(until: number): void {
    this.#hold = { action: "off", until };
    this.#pressed = null;
    this.#emergency_until = -Infinity;
    this.#claimIt();
  }

  auto(): void {
    this.#off_at = -Infinity;
    this.#hold = null;
    this.#pressed = null;
    this.#claimIt();
  }

  emergency(until: number): void {
    this.#emergency_until = until;
  }

  gaveUp(): void {
    this.#pressed = null;
  }

  sentOn(): void {
    this.#lit ??= { minutes: 0, isOurs: true };
    this.#claimIt();
  }

  read(state: "on" | "off"): void {
    if (state === "off") this.#lit = null;
    else this.#lit ??= { minutes: 0, isOurs: false };
  }

  isRestricted(now: number): boolean {
    const today = Math.floor(this.#rules.clock.wallAt(now) / DAY);
    for (let day = today - 2; day <= today; day += 1) {
      if (this.#restrictions(day).some((window) => window.start <= now && now < window.end)) return true;
    }
    return false;
  }

  #accepted(now: number, change: () => void): boolean {
    if (this.#darkness(now)) return now < this.#emergency_until;
    change();
    if (this.#lit) this.#lit = { minutes: 0, isOurs: true };
    return true;
  }

  #wanted(why: string): string {
    this.#claimIt();
    return `on ${why}`;
  }

  #forbidden(why: string): string {
    this.#claimIt();
    return this.#lit ? `off ${why}` : "none";
  }

  /** Whether what keeps the light on has done so for the longest time; a permit only puts that off. */
  #isUsedUp(now: number, holding: BookedWindow[]): boolean {
    const { max_on, organization_max_on } = this.#rules;
    const hasEnd = holding.length > 0 || this.#hold !== null;
    const most = max_on > 0 ? max_on : hasEnd ? Infinity : organization_max_on;
    return !this.#isPermitted(now) && this.#usedMinutes(now, holding) >= most;
  }

  #usedMinutes(now: number, holding: BookedWindow[]): number {
    const lit = this.#lit?.minutes ?? 0;
    if (this.#pressed !== null) return Math.max(this.#pressed, lit);
    if (!this.#lit) return 0;
    const isKept = holding.length > 0 || this.#hold !== null || !this.#lit.isOurs;
    return isKept ? Math.min(lit, ...holding.map(({ begins }) => now - begins)) : 0;
  }

  /** What keeps the light dark at this minute: of several the one that ends last, a guardrail before a closure. */
  #darkness(now: number): string | null {
    const closed = this.closures.findIndex((_, i) => this.#isLastClosure(i, now));
    const isHere = this.isRestricted(now) && !this.#isPermitted(now);
    if (closed < 0) return isHere ? "guardrail" : null;
    if (!isHere) return `closure ${closed}`;
    const end = this.closures[closed]?.end ?? 0;
    let minute = now;
    while (minute < end && this.isRestricted(minute) && !this.#isPermitted(minute)) minute += 1;
    return minute >= end ? "guardrail" : `closure ${closed}`;
  }

  #isLastClosure(i: number, now: number): boolean {
    const open = this.closures.filter((closure) => contains(closure, now));
    const closure = this.closures[i];
    return closure !== undefined && contains(closure, now) && open.every(({ end }) => end <= closure.end);
  }

  #isPermitted(now: number): boolean {
    return this.permits.some((permit) => contains(permit, now));
  }

  #claimIt(): void {
    if (this.#lit) this.#lit.isOurs = true;
  }

  #restrictions(day: number): Window[] {
    const known = this.#nights.get(day);
    if (known) return known;
    const { curfew, blackout, clock } = this.#rules;
    const lasts = (start: number, length: number): Window => {
      const from = clock.minuteOf(day * DAY + start, "first");
      const to = clock.minuteOf(day * DAY + start + length, "last");
      return { start: from, end: to > from ? to : from + length };
    };
    const night = [
      ...(blackout ? [lasts(blackout.start, (blackout.end - blackout.start + DAY) % DAY)] : []),
      ...(curfew === null ? [] : [lasts(curfew, this.#curfewLength(curfew))]),
    ];
    this.#nights.set(day, night);
    return night;
  }

  /** Until the end of the blackout that is in force or opens within twelve hours; with none, six hours. */
  #curfewLength(curfew: number): number {
    let length = 0;
    while (length <= DAY / 2 && !this.#isBlackedOut(curfew + length)) length += 1;
    if (length > DAY / 2) return 6 * 60;
    while (this.#isBlackedOut(curfew + length)) length += 1;
    return length;
  }

  #isBlackedOut(wall: number): boolean {
    const { blackout } = this.#rules;
    if (!blackout) return false;
    const shown = wall % DAY;
    const { start, end } = blackout;
    return start < end ? shown >= start && shown < end : shown >= start || shown < end;
  }

  #holding(now: number): BookedWindow[] {
    return this.#windows.filter((window) => window.start <= now && now < window.end);
  }
}

function contains({ start, end }: Period, minute: number): boolean {
  return start <= minute && minute < end;
}

/** The windows of the booking's first two weeks, night by night. */
function windowsOf({ id, clock, wall, length, made, repeats }: Booking): BookedWindow[] {
  const windows: BookedWindow[] = [];
  for (let day = 0; day < (repeats ? 14 : 1); day += 1) {
    const weekday = new Date((wall + day * DAY) * 60_000).getUTCDay();
    if (repeats && day % repeats.every_days !== 0) continue;
    if (repeats?.on_weekdays && !repeats.on_weekdays.includes(weekday)) continue;
    if (repeats && windows.length === repeats.times) break;
    const start = clock.minuteOf(wall + day * DAY, "first");
    const end = clock.minuteOf(wall + day * DAY + length, "first");
    windows.push({ id, start, end: end > start ? end : start + length, begins: Math.max(start, made) });
  }
  return windows;
}
