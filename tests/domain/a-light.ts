import { fromLocalInput, toLocalInput } from "#domain/time/display";
import type { Claim } from "#domain/resolve/reason";
import { type Instants, NO_INSTANTS, sawState, sentOn } from "#domain/resolve/instants";
import type { Closure, Limits } from "#domain/guardrails/device-limits";
import {
  declareEmergency,
  holdOff,
  holdOn,
  toggleAuto,
  type Toggled,
  toggleOff,
  toggleOn,
} from "#domain/resolve/toggles";
import { resolve } from "#domain/resolve/desired-state";
import type { Resolved } from "#domain/resolve/rungs";
import { claimsAt as ruleClaimsAt, nextStartOf, type Planned } from "#domain/resolve/claims";
import type { Guardrails, Recurring, Span } from "#domain/schedule/schedule";

export const LA = "America/Los_Angeles";

export const UNTOUCHED: Instants = NO_INSTANTS;

/** The instant of '2026-07-01 18:00' in Los Angeles; a time that occurs twice is the first. */
export function at(text: string): number {
  const [date = "", time = ""] = text.split(" ");
  const instant = fromLocalInput({ date, time }, LA);
  if (instant === null) throw new Error(`No such time: ${text}`);
  return instant;
}

export function guardrails(over: Partial<Guardrails> = {}): Guardrails {
  return { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "", MAX_ON_DURATION_MIN: 240, zone: LA, ...over };
}

/** What limits a light by these guardrails alone, unless said otherwise. */
export function limits(guardrails: Guardrails, over: Partial<Limits> = {}): Limits {
  return { guardrails, organization_max_on_min: 240, permits: [], closures: [], ...over };
}

export function aSchedule(start: string, end: string, rrule: string | null = null): Recurring {
  return {
    start_at: new Date(at(start)).toISOString(),
    end_at: new Date(at(end)).toISOString(),
    rrule,
    timezone: LA,
  };
}

/** By title. A schedule was created at its first start unless `created_at` says otherwise. */
export type Plans = Record<string, Recurring & { created_at?: string; since?: number }>;

/** As the engine, the same schedule for the same plan: what the rules have worked out for it is not worked out anew. */
export function planned(plans: Plans): Planned[] {
  return Object.entries(plans).map(([id, schedule]) => {
    const known = known_as.get(schedule)?.[id];
    if (known) return known;
    const made = { created_at: schedule.start_at, ...schedule, id, title: id };
    known_as.set(schedule, { ...known_as.get(schedule), [id]: made });
    return made;
  });
}

/** The plans, which no test changes in place, by their titles. */
const known_as = new WeakMap<Plans[string], Record<string, Planned>>();

export function claimsAt(plans: Plans, now: number): Claim[] {
  return ruleClaimsAt(planned(plans), now);
}

export function nextOf(plans: Plans, now: number): number | null {
  return nextStartOf(planned(plans), now);
}

/** A lamp that obeys at once, with a loop as the engine's: resolve, act, sleep until `until`. */
export class Light {
  instants = UNTOUCHED;
  isLit = false;
  /** Takes what it is sent and does nothing. */
  isDeaf = false;
  /** The commands and their times: 'on 18:00'. */
  log: string[] = [];
  resolves = 0;
  permits: Span[] = [];
  closures: Closure[] = [];

  constructor(
    public plans: Plans,
    public rules: Guardrails = guardrails(),
    public now = at("2026-07-01 12:00"),
  ) {}

  goTo(time: string | number): this {
    const goal = instantOf(time);
    let next = this.reconcile().until;
    while (next !== null && next <= goal) {
      if (next <= this.now) throw new Error("woken for the past");
      this.now = next;
      next = this.reconcile().until;
    }
    this.now = goal;
    this.reconcile();
    return this;
  }

  /** Time passes without a resolve, as while the server is down; then one as at its restart. */
  sleepTo(time: string): this {
    this.now = at(time);
    this.reconcile();
    return this;
  }

  /** Nothing runs meanwhile; what was missed is made up from edge to edge, without a switch. */
  gapTo(time: string): this {
    const goal = at(time);
    for (let next = this.resolved().until; next !== null && next < goal; next = this.resolved().until) {
      this.now = next;
      this.instants = this.resolved().instants;
    }
    return this.sleepTo(time);
  }

  toggleOn(): boolean {
    return this.#take(toggleOn({ ...this.#pressed(), claims: claimsAt(this.plans, this.now) }));
  }

  holdOn(until: string | number): boolean {
    return this.#take(holdOn({ ...this.#pressed(), until: instantOf(until) }));
  }

  holdOff(until: string | number): this {
    this.instants = holdOff({ until: instantOf(until), instants: this.instants });
    this.reconcile();
    return this;
  }

  emergency(until: string | number): this {
    this.instants = declareEmergency({ until: instantOf(until), instants: this.instants });
    this.reconcile();
    return this;
  }

  auto(): this {
    this.instants = toggleAuto(this.instants);
    this.reconcile();
    return this;
  }

  toggleOff(): this {
    this.instants = toggleOff({ now: this.now, instants: this.instants });
    this.reconcile();
    return this;
  }

  switchAtLamp(state: "on" | "off"): this {
    this.isLit = state === "on";
    this.instants = sawState(this.instants, state, this.now);
    this.reconcile();
    return this;
  }

  change(plans: Plans): this {
    this.plans = plans;
    this.reconcile();
    return this;
  }

  /** The plan's closures and permits change under the light. */
  limit(over: { closures?: Closure[]; permits?: Span[] }): this {
    Object.assign(this, over);
    this.reconcile();
    return this;
  }

  get limits(): Limits {
    const { MAX_ON_DURATION_MIN } = this.rules;
    return limits(this.rules, {
      permits: this.permits,
      closures: this.closures,
      organization_max_on_min: MAX_ON_DURATION_MIN || 240,
    });
  }

  resolved(): Resolved {
    return resolve({
      now: this.now,
      claims: claimsAt(this.plans, this.now),
      next_start: nextOf(this.plans, this.now),
      instants: this.instants,
      limits: this.limits,
    });
  }

  #pressed(): { now: number; instants: Instants; limits: Limits } {
    return { now: this.now, instants: this.instants, limits: this.limits };
  }

  #take(toggled: Toggled): boolean {
    if ("refused" in toggled) return false;
    this.instants = toggled.instants;
    this.reconcile();
    return true;
  }

  reconcile(): Resolved {
    this.resolves += 1;
    const resolved = this.resolved();
    this.instants = resolved.instants;
    if (resolved.state === "none" || (resolved.state === "on") === this.isLit) return resolved;
    if (this.isDeaf) return resolved;
    this.isLit = resolved.state === "on";
    this.log.push(`${resolved.state} ${toLocalInput(this.now, LA).time}`);
    if (this.isLit) this.instants = sentOn(this.instants, this.now);
    this.instants = sawState(this.instants, resolved.state, this.now);
    return this.reconcile();
  }
}

function instantOf(time: string | number): number {
  return typeof time === "number" ? time : at(time);
}
