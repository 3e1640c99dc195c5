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
  max_on: number;
};

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
  /** The minute of the last OFF of a person or of the max-on rule. */
  #off_at = -Infinity;
  /** The restrictions that begin on a day, cached. */
  readonly #nights = new Map<number, Window[]>();
  #rules: HouseRules;
  #windows: BookedWindow[];

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

  /** The desired state at this minute: 'on' and why, 'off', or 'none' for a light that is left alone. */
  decide(now: number): string {
    if (this.isRestricted(now)) {
      this.#pressed = null;
      this.#claimIt();
      return this.#lit ? "off" : "none";
    }
    const holding = this.#holding(now).filter((held) => held.begins > this.#off_at);
    if (holding.length > 0 || (this.#pressed !== null && this.#pressed >= this.#rules.max_on)) this.#pressed = null;
    const isWanted = holding.length > 0 || this.#pressed !== null;
    if (isWanted) this.#claimIt();

    if (this.#lit && (isWanted || !this.#lit.isOurs)) {
      const counted = Math.min(this.#lit.minutes, ...holding.map((held) => now - held.begins));
      if (counted >= this.#rules.max_on) {
        this.#pressed = null;
        this.#off_at = now;
        this.#claimIt();
        return "off";
      }
    }
    const ids = holding.map((held) => held.id).toSorted();
    if (ids.length > 0) return `on ${ids.join(" ")}`;
    if (this.#pressed !== null) return "on pressed";
    if (!this.#lit) return "none";
    return this.#lit.isOurs ? "off" : "none external";
  }

  /** True if the ON was accepted. */
  toggleOn(now: number): boolean {
    if (this.isRestricted(now)) return false;
    this.#off_at = -Infinity;
    this.#pressed = this.#holding(now).length > 0 ? null : 0;
    if (this.#lit) this.#lit = { minutes: 0, isOurs: true };
    return true;
  }

  toggleOff(now: number): void {
    this.#off_at = now;
    this.#pressed = null;
    this.#claimIt();
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
