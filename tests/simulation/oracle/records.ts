import { firstAfter, windowsOf, type Window } from "./calendar";
import { openedAt, type City } from "./city";
import { MINUTE, type Desk } from "./desk";
import type { Event } from "./event";
import type { Outcomes } from "./outcomes";
import { placedPlan, plansOf } from "./targets";
import { forgetBefore, REMEMBERED } from "./remembered";
import { DAY } from "./wall-clock";

/** When a window's record has to be there: its ladder, its verification and a restart have had their time. */
const SETTLED_AFTER = 10 * MINUTE;

/** Each window has one record: it was lit, failed, or was left out for a reason. */
export class Records {
  readonly #skipped = new Map<string, { what: string; at: number }>();
  #closed_until: number;

  constructor(
    readonly desk: Desk,
    readonly outcomes: Outcomes,
  ) {
    this.#closed_until = desk.world.now;
  }

  skip({ id, note }: Event, device: string): void {
    const [, what, plan, date] = /^(missed|cut|skipped):(.+):(\d{4}-\d\d-\d\d):/.exec(id) ?? [];
    if (what === undefined || plan === undefined || date === undefined) return;
    const { desk } = this;
    const window = `${plan}@${date} of ${device}`;
    const planned = desk.known.plans.get(plan);
    const found = planned && windowsOf(placedPlan(desk.known, planned)).find((one) => one.date === date);
    const start = found?.start;
    const before = this.#skipped.get(window);
    // Lengthened after it was over it is another window, and so where a restore has moved it behind its record.
    const isLengthened = before !== undefined && (desk.known.plans.get(plan)?.changed_at ?? 0) > before.at;
    const isBehind = before !== undefined && start !== undefined && start - desk.world.skew_ms > before.at;
    const isOther = isLengthened || isBehind || (before !== undefined && desk.wasAhead(before.at));
    const isForgotten = before !== undefined && desk.wasGoneSince(device, before.at);
    if (before !== undefined && !isOther && !isForgotten)
      desk.object(device, `two records of ${window}: ${before.what}, ${what}`);
    const changed_at = plansOf(desk.known, device).find(({ id: of }) => of === plan)?.changed_at ?? Infinity;
    const stood = start !== undefined && Math.max(changed_at, desk.known.restored_at) <= start;
    if (found && what !== "cut" && stood && this.#wasConfirmed(device, plan, found, what, note ?? ""))
      desk.object(device, `${window} was confirmed, and recorded as ${what}: ${note}`);
    this.#skipped.delete(window);
    this.#skipped.set(window, { what, at: desk.world.now });
    if (!note) desk.object(device, `a record without a reason: ${id}`);
    // A calendar that was changed, and changed back, while nobody was there is as it was known.
    const isLate = start !== undefined && changed_at !== Infinity && changed_at - desk.wrong_by > start;
    if (what === "missed" && isLate && !this.#wasKnown(device, plan, start))
      desk.object(device, `${window} was missed, and nobody had planned it by then`);
    if (what === "missed" && start !== undefined && this.#couldServe(device, plan, start))
      desk.object(device, `${window} was missed, and somebody was there`);
  }

  /**
   * Whether an ON was told as verified in the window, or a moment after it, where somebody knew of it; where it was
   * switched off by hand, before that. What lit it for another window when nobody knew of this one is not its record.
   */
  #wasConfirmed(device: string, plan: string, { start, end }: Window, what: string, note: string): boolean {
    const off_at = /off by hand/.test(note) ? (this.desk.books.get(device)?.off_at ?? 0) : Infinity;
    const until = what === "missed" ? end : end + 2 * MINUTE;
    const isKnown = (at: number) => {
      const known = this.desk.knownAt(at);
      return known === null || plansOf(known, device).some(({ id }) => id === plan);
    };
    const times = this.outcomes.confirmed.get(device) ?? [];
    return times.some(
      ({ at, begun_until }) =>
        at >= start && at <= until && at < off_at && start <= begun_until && isKnown(Math.min(at, begun_until)),
    );
  }

  /** Whether somebody was there from the window's beginning on, and could know of it by then: a hint may be lost. */
  #couldServe(device: string, plan: string, start: number): boolean {
    const { desk } = this;
    // The window began by the engine's clock; since when it was there is noted by the real one.
    const began = start - desk.world.skew_ms;
    if (!desk.wasOkSince(began) || !desk.couldAskSince(began)) return false;
    return this.#wasKnown(device, plan, start);
  }

  /** Whether the window was planned by what could be known at its start. */
  #wasKnown(device: string, plan: string, start: number): boolean {
    const known = this.desk.knownAt(start);
    const planned = known && plansOf(known, device).find(({ id }) => id === plan);
    return !!planned && windowsOf(planned).some((window) => window.start === start);
  }

  /** Every window that is over and stood from its beginning to its end has its record. */
  closeWindows(): void {
    const { desk } = this;
    const until = desk.world.now - SETTLED_AFTER;
    if (until <= this.#closed_until || !desk.wasOkSince(until)) return;
    const from = this.#closed_until;
    this.#closed_until = until;
    if (desk.read !== desk.truth) return;
    const { known } = desk;
    for (const [device_id, device] of known.devices) {
      for (const plan of plansOf(known, device_id)) {
        const opened_at = openedAt(known, device_id);
        const planned_at = Math.max(plan.changed_at, device.changed_at, opened_at, known.restored_at);
        const changed_at = Math.max(planned_at + desk.wrong_by, desk.rightAfter(planned_at));
        const windows = windowsOf(plan);
        for (let i = firstAfter(windows, from - 3 * DAY); i < windows.length; i += 1) {
          const window = windows[i];
          if (!window || window.start > until) break;
          if (window.end <= from || window.end > until || changed_at >= window.start) continue;
          this.#closeWindow(device_id, plan.id, window);
        }
      }
    }
    forgetBefore(this.#skipped, desk.world.now - REMEMBERED, ({ at }) => at);
  }

  #closeWindow(device: string, plan: string, window: Window): void {
    const { lit, failed, darkened } = this.outcomes;
    const { start, end, date } = window;
    const name = `${plan}@${date} of ${device}`;
    const within = (times: number[] | undefined) => (times ?? []).some((at) => at >= start && at <= end + 2 * MINUTE);
    if (this.#skipped.has(name) || within(lit.get(device)) || within(failed.get(device))) return;
    const lit_at = (lit.get(device) ?? []).findLast((at) => at < start);
    const isDarkSince = (darkened.get(device) ?? []).some((at) => at >= (lit_at ?? 0) && at < start);
    // Lit when it began, by the window before it or by a toggle: nothing had to be done for it.
    if (lit_at !== undefined && !isDarkSince) return;
    if (this.#hadRecord(device, plan, window) || this.desk.isForgotten(window)) return;
    const times = `${new Date(start).toISOString()} to ${new Date(end).toISOString()}`;
    this.desk.object(device, `${name}, ${times}, has no record`);
  }

  /** Whether its night was lit, or failed to be, when it had begun already, and moved its start then without being over. */
  #hadRecord(device: string, plan: string, { date, start }: Window): boolean {
    const { lit, failed } = this.outcomes;
    const begun = this.desk.learned.flatMap(({ at, city }) => {
      const then = nightOf(city, device, plan, date);
      return then ? [Math.max(at, then.start)] : [];
    });
    // Lit when it began, by something else: that was its record.
    const found = begun.filter((at) => this.#isLit(device, at));
    const times = [...(lit.get(device) ?? []), ...(failed.get(device) ?? []), ...found];
    return times.some((at) => {
      const known = at < start && at > start - DAY / 2 ? this.desk.knownAt(at) : null;
      const then = known && nightOf(known, device, plan, date);
      return !!then && then.start <= at && at <= then.end && then.end > start;
    });
  }

  #isLit(device: string, at: number): boolean {
    const { lit, darkened } = this.outcomes;
    const lit_at = (lit.get(device) ?? []).findLast((one) => one <= at);
    return lit_at !== undefined && !(darkened.get(device) ?? []).some((one) => one >= lit_at && one <= at);
  }
}

function nightOf(city: City, device: string, plan: string, date: string): Window | undefined {
  const planned = plansOf(city, device).find(({ id }) => id === plan);
  return planned && windowsOf(planned).find((window) => window.date === date);
}
