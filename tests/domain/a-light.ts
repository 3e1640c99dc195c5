import { fromLocalInput, toLocalInput } from "#domain/display";
import {
  type Claim,
  type Instants,
  toggleOff,
  toggleOn,
  resolve,
  type Resolved,
  sawState,
  sentOn,
} from "#domain/desired-state";
import { claimsAt as ruleClaimsAt, nextStartOf, type Planned } from "#domain/claims";
import type { Guardrails, Recurring } from "#domain/schedule";

export const LA = "America/Los_Angeles";

export const UNTOUCHED: Instants = { off_at: null, cut_min: null, on_at: null, lit_since: null, lit_by: "us" };

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

export function aSchedule(start: string, end: string, rrule: string | null = null): Recurring {
  return {
    start_at: new Date(at(start)).toISOString(),
    end_at: new Date(at(end)).toISOString(),
    rrule,
    timezone: LA,
  };
}

/** By title. A schedule was created at its first start unless `created_at` says otherwise. */
export type Plans = Record<string, Recurring & { created_at?: string }>;

export function planned(plans: Plans): Planned[] {
  return Object.entries(plans).map(([id, schedule]) => ({ created_at: schedule.start_at, ...schedule, id, title: id }));
}

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
  /** The commands and their times: 'on 18:00'. */
  log: string[] = [];
  resolves = 0;

  constructor(
    public plans: Plans,
    public rules: Guardrails = guardrails(),
    public now = at("2026-07-01 12:00"),
  ) {}

  goTo(time: string | number): this {
    const goal = typeof time === "number" ? time : at(time);
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

  toggleOn(): boolean {
    const pressed = toggleOn({ ...this, claims: claimsAt(this.plans, this.now), guardrails: this.rules });
    if ("refused" in pressed) return false;
    this.instants = pressed.instants;
    this.reconcile();
    return true;
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

  resolved(): Resolved {
    return resolve({
      now: this.now,
      claims: claimsAt(this.plans, this.now),
      next_start: nextOf(this.plans, this.now),
      instants: this.instants,
      guardrails: this.rules,
    });
  }

  reconcile(): Resolved {
    this.resolves += 1;
    const resolved = this.resolved();
    this.instants = resolved.instants;
    if (resolved.state === "none" || (resolved.state === "on") === this.isLit) return resolved;
    this.isLit = resolved.state === "on";
    this.log.push(`${resolved.state} ${toLocalInput(this.now, LA).time}`);
    if (this.isLit) this.instants = sentOn(this.instants, this.now);
    this.instants = sawState(this.instants, resolved.state, this.now);
    return this.reconcile();
  }
}
