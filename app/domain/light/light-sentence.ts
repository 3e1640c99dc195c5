import { formatMoment } from "#domain/time/display";
import { problemOf, shownState } from "./light-problem";
import type { LightFacts } from "./light-facts";
import { personOf } from "./person-of";
import { coolingWords } from "#domain/resolve/cooling";
import { isDark, type Reason } from "#domain/resolve/reason";
import { closedWords, guardrailWords, maxOnReached, titlesOf } from "#domain/resolve/reason-sentence";

/**
 * The sentence that people read about a light: who or what caused its state, until when, and what comes next. 'Off by
 * manager at 7:05 PM; Evening lights again tomorrow 5:30 PM'.
 */
export function lightSentence(facts: LightFacts): string {
  if (facts.is_tested) return "A connectivity test is running";
  if (facts.entrusted_since !== null) return entrustedSentence(facts, facts.entrusted_since);
  if (facts.reason.kind === "external") return externalSentence(facts);
  const problem = problemOf(facts);
  if (problem) return `Should be ${facts.wanted} (${purposeOf(facts)}): ${problem.why}`;
  const sentence = facts.wanted === "on" ? litSentence(facts) : darkSentence(facts);
  return facts.hub_away_since === null
    ? sentence
    : `${sentence}; its hub is away since ${momentOf(facts, facts.hub_away_since)}`;
}

/** 'On until 10:00 PM (Evening lights) by the agent's own plan, unconfirmed since 8:14 PM'. */
function entrustedSentence(facts: LightFacts, since: number): string {
  const until = facts.flip ? ` until ${momentOf(facts, facts.flip.at)}` : "";
  const word = facts.wanted === "on" ? "On" : "Off";
  return `${word}${until} (${purposeOf(facts)}${thenWords(facts)}) by the agent's own plan, unconfirmed since ${momentOf(facts, since)}`;
}

function externalSentence(facts: LightFacts): string {
  const since = momentOf(facts, facts.lit_since ?? facts.now);
  const until = facts.reason.kind === "external" ? facts.reason.until : facts.now;
  const lead = `On since ${since} without a reason: switched on at the lamp`;
  // A booking that begins by then keeps it on for as long as it lasts.
  if (facts.flip && facts.flip.at <= until) return `${lead}${nextClause(facts)}`;
  return `${lead}; off at ${momentOf(facts, until)} at the latest`;
}

function litSentence(facts: LightFacts): string {
  const until = facts.flip ? ` until ${momentOf(facts, facts.flip.at)}` : "";
  const purpose = purposeOf(facts) + thenWords(facts);
  if (shownState(facts) === "on") return `On${until}: ${purpose}`;
  if (facts.cools_until !== null) return coolingSentence(facts, facts.cools_until, purpose);
  if (facts.command?.action === "on") return `Turning on${until}: ${purpose}`;
  return `Should be on${until} (${purpose}): not confirmed yet`;
}

/** 'Lamp is cooling; on at 7:17 PM, until 9:30 PM: Evening lights', or that this is over by then. */
function coolingSentence(facts: LightFacts, cools_until: number, purpose: string): string {
  const moment = (at: number) => momentOf(facts, at);
  const end = facts.flip && facts.flip.at > cools_until ? `, until ${moment(facts.flip.at)}` : "";
  return `${coolingWords(facts.flip, facts, cools_until, moment)}${end}: ${purpose}`;
}

/** ', then Finals': what takes over before the light goes off. Without it the end would seem to be that of the first. */
function thenWords(facts: LightFacts): string {
  if (facts.wanted !== "on") return "";
  const now = keptOnBy(facts, facts.reason);
  const later = facts.kept_on_by.flatMap((reason) => keptOnBy(facts, reason));
  const [next, ...others] = [...new Set(later)].filter((words) => !now.includes(words));
  if (next === undefined) return "";
  return others.length === 0 ? `, then ${next}` : `, then ${others.length + 1} more`;
}

/** The titles of the windows that keep it on, or who else does. */
function keptOnBy(facts: LightFacts, reason: Reason): string[] {
  return reason.kind === "claim" ? reason.claims.map(({ title }) => title) : [purposeOf({ ...facts, reason })];
}

/** The sentence of a light that is off or turning off. */
function darkSentence(facts: LightFacts): string {
  const { reason, off, now, zone } = facts;
  const word = darkWord(facts);
  if (isDark(reason)) return `${word}: ${purposeOf(facts)}${nextClause(facts)}`;
  if (reason.kind === "hold_off") return heldSentence(facts, word, momentOf(facts, reason.until));
  if (off !== null && off.cut_min === null && word === "Off") {
    const moment = formatMoment(off.at, zone, now);
    const lead =
      facts.off_by === null
        ? `Switched off ${atMoment(moment)}`
        : `Off by ${personOf(facts.off_by)} ${atMoment(moment)}`;
    return `${lead}${nextClause(facts)}`;
  }
  if (off !== null || reason.kind === "max_on") return `${word}: ${purposeOf(facts)}${nextClause(facts)}`;
  if (word !== "Off") return `${word}${nextClause(facts)}`;
  if (facts.flip) return `Off until ${momentOf(facts, facts.flip.at)}: ${titlesAhead(facts)}`;
  return `Off: ${emptyWords(facts)}`;
}

/** 'Off until 9:30 PM: rain (manager)'. */
function heldSentence(facts: LightFacts, word: string, until: string): string {
  return word === "Off" ? `Off until ${until}: ${purposeOf(facts)}` : `${word}: ${purposeOf(facts)}, until ${until}`;
}

function darkWord(facts: LightFacts): string {
  if (shownState(facts) === "off") return "Off";
  return facts.command?.action === "off" ? "Turning off" : "Not confirmed to be off";
}

/** Why it should be on or off: 'Evening lights', 'curfew until 5:00 AM', 'switched off by manager at 7:05 PM'. */
function purposeOf(facts: LightFacts): string {
  const { reason, off } = facts;
  switch (reason.kind) {
    case "emergency":
      return `emergency, ${holdWords(facts.emergency_reason, facts.emergency_by, "switched on")}`;
    case "closure":
      return closedWords(reason, (at) => momentOf(facts, at));
    case "hold_off":
      return holdWords(facts.hold_reason, facts.hold_by, "switched off");
    case "hold_on":
      return holdWords(facts.hold_reason, facts.hold_by, "switched on");
    case "claim":
      return titlesOf(reason.claims);
    case "manual_on":
      return personal("switched on", facts.on_by, facts.on_at, facts);
    case "curfew":
    case "blackout":
      return guardrailWords(reason, facts.now, (at) => momentOf(facts, at));
    case "max_on":
      return maxOnReached(reason.max_on_min);
    default:
      if (off === null) return "no schedule is running";
      if (off.cut_min !== null) return `${maxOnReached(off.cut_min)} ${atMoment(momentOf(facts, off.at))}`;
      return personal("switched off", facts.off_by, off.at, facts);
  }
}

/** Why a person holds it, and who: 'rain (manager)', or 'switched off by manager' where nobody said why. */
export function holdWords(reason: string | null, by: string | null, verb: string): string {
  const person = by === null ? null : personOf(by);
  if (reason === null) return person === null ? verb : `${verb} by ${person}`;
  return person === null ? reason : `${reason} (${person})`;
}

function personal(verb: string, email: string | null, at: number | null, facts: LightFacts): string {
  const by = email === null ? "" : ` by ${personOf(email)}`;
  return `${verb}${by}${at === null ? "" : ` ${atMoment(momentOf(facts, at))}`}`;
}

/** What switches it on next: '; Evening lights again tomorrow 5:30 PM'. */
function nextClause(facts: LightFacts): string {
  // Until somebody reopens it nothing else matters.
  if (facts.reason.kind === "closure" && facts.reason.until === null) return "";
  if (!facts.flip) return `; ${emptyWords(facts)}`;
  const isAgain = facts.interrupted.includes(titlesAhead(facts));
  return `; ${titlesAhead(facts)} ${isAgain ? "again " : ""}${atMoment(momentOf(facts, facts.flip.at))}`;
}

/** Why nothing will switch it on. */
function emptyWords({ is_area_active, next_start, next_dark, claims }: LightFacts): string {
  if (!is_area_active) return "its area is inactive";
  if (next_dark === "closure") return "a closure keeps what is scheduled dark";
  if (next_start !== null) return "curfew and blackout keep what is scheduled dark";
  // Beside a window that still runs, 'nothing is scheduled' would be false.
  return `nothing is scheduled${claims.length > 0 ? ` after ${titlesOf(claims)}` : ""}`;
}

function titlesAhead({ flip }: LightFacts): string {
  const reason = flip?.resolved.reason;
  return reason?.kind === "claim" ? titlesOf(reason.claims) : "on";
}

function momentOf({ zone, now }: LightFacts, at: number): string {
  return formatMoment(at, zone, now);
}

/** Adds 'at' before a time and 'on' before a date: 'at 5:30 PM', 'tomorrow 5:30 PM', 'on Nov 20, 5:30 PM'. */
function atMoment(moment: string): string {
  if (/^\d/.test(moment)) return `at ${moment}`;
  return /^[A-Z]/.test(moment) ? `on ${moment}` : moment;
}
