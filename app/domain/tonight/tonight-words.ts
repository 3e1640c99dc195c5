import { counted, grouped } from "#domain/counted";
import { hourWords } from "#domain/guardrails/policy";
import { formatClock } from "#domain/time/display";
import { MINUTE_MS } from "#domain/time/units";
import { clipped, isLight, type NightBar, type NightLight, type Why } from "./tonight";
import { flipsAfter, minuteOf, namesOf, type Flip } from "./tonight-flips";
import type { NightFrame } from "./tonight-frame";

export type NightTotals = { on: number; wrong: number; unknown: number; all: number };

type Told = {
  frame: Pick<NightFrame, "kind" | "to" | "from">;
  totals: NightTotals;
  /** The lights whose bars are there, and whether these are all of the city's. */
  lights: readonly NightLight[];
  isWhole: boolean;
  /** False where the engine did not answer. */
  isForeseen: boolean;
  areas: ReadonlyMap<string, string>;
  now: number;
  zone: string;
};

/** What stands for what comes where the engine did not answer. */
export const NOT_FORESEEN = "What comes next is not known right now.";

/** The sentence above the night: '31 of 49 lights are on, 2 are wrong, 3 unknown. Next at 7:30 PM: Pitch A goes off.' */
export function nightSentence(told: Told): string {
  const { kind } = told.frame;
  if (told.totals.all === 0) return "There are no lights to show.";
  if (kind === "running") return `${countWords(told.totals)} ${nextSentence(told, told.now)}`;
  return kind === "past" ? pastSentence(told) : comingSentence(told);
}

/** '31 of 49 lights are on, 2 are wrong, 3 unknown.' */
function countWords({ on, wrong, unknown, all }: NightTotals): string {
  const parts = [`${grouped(on)} of ${grouped(all)} ${all === 1 ? "light is" : "lights are"} on`];
  if (wrong > 0) parts.push(`${grouped(wrong)} ${wrong === 1 ? "is" : "are"} wrong`);
  if (unknown > 0) parts.push(`${grouped(unknown)} unknown`);
  return `${parts.join(", ")}.`;
}

function nextSentence({ lights, isWhole, isForeseen, areas, frame, zone }: Told, after: number): string {
  if (!isForeseen) return NOT_FORESEEN;
  const flips = flipsAfter(lights, after, frame.to);
  const first = flips[0];
  const among = isWhole ? "" : " among the lights shown here";
  if (!first) return `Nothing changes before noon${among}.`;
  const due = flips.filter(({ at }) => minuteOf(at) === minuteOf(first.at));
  return `Next${among} at ${formatClock(first.at, zone)}: ${dueWords(due, areas)}.`;
}

/** 'Pitch A goes off, Pitch B on'; of many at once how many. */
function dueWords(due: readonly Flip[], areas: ReadonlyMap<string, string>): string {
  const off = due.filter(({ on }) => !on);
  const on = due.filter((flip) => flip.on);
  const parts = off.length > 0 ? [sideOf(off, areas, "off")] : [];
  if (on.length > 0) parts.push(sideOf(on, areas, "on", off.length > 0));
  return parts.join(", ");
}

function sideOf(flips: readonly Flip[], areas: ReadonlyMap<string, string>, to: "on" | "off", isSecond = false) {
  const count = flips.reduce((sum, { lights }) => sum + lights.length, 0);
  const names = flips.map((flip) => namesOf(flip, areas.get(flip.lights[0]?.area_id ?? "") ?? "its area"));
  const who = names.length <= 2 ? names.join(" and ") : counted(count, "light");
  if (isSecond) return `${who} ${to}`;
  const isOne = names.length === 1 && (count === 1 || typeof flips[0]?.bar.group === "string");
  return `${who} ${isOne ? "goes" : "go"} ${to}`;
}

function pastSentence(told: Told): string {
  const { lights, totals, isWhole } = told;
  const having = (as: string) => lights.filter(({ seen }) => seen.some((each) => each.as === as)).length;
  const [lit, failed, unasked] = [having("lit"), having("failed"), having("unasked")];
  const known = isWhole ? totals.all : lights.length;
  const parts = [`${grouped(lit)} of ${knownWords(told)} ${known === 1 ? "was" : "were"} lit`];
  if (failed > 0) parts.push(`${grouped(failed)} ${failed === 1 ? "was" : "were"} dark though planned on`);
  if (unasked > 0) parts.push(`${grouped(unasked)} ${unasked === 1 ? "was" : "were"} lit though nobody asked for it`);
  return `${parts.join(", ")}.`;
}

function comingSentence(told: Told): string {
  const { lights, isWhole, frame } = told;
  const planned = lights.filter(({ bars }) => bars.some(isLight)).length;
  if (planned === 0 && !told.isForeseen) return "What is planned is not known right now.";
  if (planned === 0) return isWhole ? "Nothing is planned." : "Nothing is planned for the lights shown here.";
  return `${grouped(planned)} of ${knownWords(told)} ${planned === 1 ? "is" : "are"} planned on. ${nextSentence(told, frame.from - 1).replace("Next", "First")}`;
}

/** '49 lights'; '12 lights shown here' where these are not all. */
function knownWords({ lights, totals, isWhole }: Told): string {
  return isWhole ? counted(totals.all, "light") : `${counted(lights.length, "light")} shown here`;
}

const WHY_WORDS: Record<Why, string> = {
  booked: "Booked",
  sun: "By the sun",
  hand: "By hand",
  emergency: "Emergency",
  unasked: "Not asked for",
  held: "Off by hand",
  cut: "Kept dark",
  closed: "Closed",
};

/** The words of a bar's color: 'Booked', 'By the sun', 'Cut by curfew'. */
export function whyWords({ why, reason }: Pick<NightBar, "why" | "reason">): string {
  if (why !== "cut") return WHY_WORDS[why];
  if (reason === "curfew" || reason === "blackout") return `Cut by ${reason}`;
  return reason === "max_on" ? "Longest time on" : WHY_WORDS.cut;
}

type Hours = Pick<NightBar, "from" | "to" | "isFromBefore" | "goesOn">;

/** '5:00 PM to 7:30 PM'; 'noon' at the night's own ends, where it reaches beyond. */
export function hoursWords(bar: Hours, zone: string): string {
  return `${beginWords(bar, zone)} to ${endWords(bar, zone)}`;
}

/** '5:00 PM', or 'before noon' of what began before the night. */
export function beginWords({ from, isFromBefore }: Hours, zone: string): string {
  return isFromBefore ? "before noon" : formatClock(from, zone);
}

/** '7:30 PM', or 'after noon' of what goes on behind the night. */
export function endWords({ to, goesOn }: Hours, zone: string): string {
  return goesOn ? "after noon" : formatClock(to, zone);
}

type Light = Pick<NightLight, "seen" | "state">;

/** What readings say of a bar until `known` (epoch ms): 'lit from 5:00 PM', 'dark since 5:00 PM', 'not yet'. */
export function verifiedWords(bar: NightBar, { seen }: Light, known: number, zone: string): string {
  if (bar.from >= known) return "not yet";
  const until = Math.min(bar.to, known);
  const pieces = seen
    .map((each) => clipped(each, { from: bar.from, to: until }))
    .filter(({ from, to, as }) => to > from && !(as === "lit" && to < until && hasObeyed(bar, to)));
  if (pieces.length === 0) return isLight(bar) ? "not confirmed" : "dark, as planned";
  const words = pieces.map(({ from, to, as }) => {
    const lasts = to === until && until < bar.to;
    const end = to < until ? ` until ${formatClock(to, zone)}` : "";
    return `${SEEN[as]} ${lasts ? "since" : "from"} ${formatClock(from, zone)}${end}`;
  });
  return words.join(", then ");
}

/** Whether a light that went out then (epoch ms) only took its seconds to obey a bar that darkens it. */
function hasObeyed(bar: NightBar, until: number): boolean {
  return !isLight(bar) && until < bar.from + MINUTE_MS;
}

const SEEN = { lit: "lit", failed: "dark", unasked: "lit", unknown: "unknown" };

/** Of a light without any bar: 'lit since 6:20 PM', 'dark', 'unknown'. */
export function unplannedWords({ seen, state }: Light, kind: NightFrame["kind"], known: number, zone: string): string {
  const last = seen.at(-1);
  if (last?.as === "unasked") {
    return `lit ${last.to === known && kind === "running" ? "since" : "from"} ${formatClock(last.from, zone)}`;
  }
  if (kind !== "running") return kind === "past" ? "dark" : "";
  return state === "off" ? "dark" : state === "on" ? "lit" : "unknown";
}

/** What a limit cuts from a bar of light, right behind it: 'cut 30 min', 'cut 1 h 30 min'; '' where nothing does. */
export function cutWords(bar: NightBar, { bars }: Pick<NightLight, "bars">): string {
  const cut = bars.find(({ why, from, isSkipped }) => why === "cut" && !isSkipped && from === bar.to);
  const isSame = cut?.schedule_ids.some((id) => bar.schedule_ids.includes(id));
  return cut && isSame && isLight(bar) ? `cut ${hourWords(Math.round((cut.to - cut.from) / 60_000))}` : "";
}

/** Whether readings contradict the bar somewhere. */
export function isWrongBar({ from, to }: NightBar, { seen }: Pick<NightLight, "seen">): boolean {
  return seen.some((each) => (each.as === "failed" || each.as === "unasked") && each.from < to && each.to > from);
}

/** A bar as a sentence: 'Pitch A south mast: Under-12 training, 5:00 PM to 7:30 PM, booked, dark since 5:00 PM'. */
export function barSentence(
  bar: NightBar,
  light: NightLight,
  { known, zone }: { known: number; zone: string },
): string {
  const why = whyWords(bar);
  const parts = [bar.text, hoursWords(bar, zone), why === bar.text ? "" : why.toLowerCase()];
  if (bar.from < known) parts.push(verifiedWords(bar, light, known, zone));
  return `${light.name}: ${parts.filter((part) => part !== "").join(", ")}`;
}
