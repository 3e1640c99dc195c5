import { counted } from "#domain/counted";
import { formatInstant, formatMoment } from "#domain/time/display";
import type { DeviceState, SwitchAction } from "#domain/enums";
import { capitalized } from "#domain/capitalized";

/** The clock that sentences are told by; `now` is epoch ms. */
export type Clock = { now: number; zone: string };

/** What is known of a light that is not as it should be. Instants are ISO 8601. */
export type WrongLight = {
  current_state: DeviceState;
  /** Why, in the engine's words: 'still off, 3 tries'. */
  problem: string;
  problem_since: string | null;
  /** What was last wanted of it, why, and in which words; null if nothing ever was. */
  wanted: { state: DeviceState; reason: string | null; sentence: string | null } | null;
};

/** What a light should be: as it was last asked to be, or else not as it is. One that nobody asked for should be dark. */
export function shouldBe({ current_state, wanted }: Pick<WrongLight, "current_state" | "wanted">): SwitchAction {
  if (wanted?.reason === "external") return "off";
  if (wanted && wanted.state !== "unknown") return wanted.state;
  return current_state === "off" ? "on" : "off";
}

/**
 * What is sure of a wrong light. One that has taken its command shows the state it was asked for until it is read, and is
 * neither dark nor lit meanwhile: a button that undoes that would end the match that it has been lit for.
 */
export function sureState(light: Pick<WrongLight, "current_state" | "wanted">): DeviceState {
  return isToBeRead(light) ? "unknown" : light.current_state;
}

function isToBeRead(light: Pick<WrongLight, "current_state" | "wanted">): boolean {
  return light.current_state === shouldBe(light);
}

const SEEN: Record<DeviceState, string> = { off: "Dark", on: "On", unknown: "Unknown" };

/** 'Dark since 5:00 PM: still off after 3 tries', 'On since 6:20 PM. Nobody asked for it'. */
export function wrongSentence(light: WrongLight, { zone, now }: Clock): string {
  if (isToBeRead(light)) return "It answered; its state is being read";
  return wrongWords(light, (at) => formatMoment(Date.parse(at), zone, now));
}

/** The same for a work order: its times name the day, for whoever reads it next week. */
export function wrongFacts(light: WrongLight, zone: string): string {
  return wrongWords(light, (at) => formatInstant(at, zone));
}

function wrongWords(light: WrongLight, moment: (at: string) => string): string {
  const { problem, problem_since, wanted } = light;
  const since = problem_since === null ? "" : ` since ${moment(problem_since)}`;
  const head = `${SEEN[sureState(light)]}${since}`;
  if (wanted?.reason === "external") return `${head}. Nobody asked for it`;
  return `${head}: ${problem.replace(/, (\d+ tr(?:y|ies))$/, " after $1")}`;
}

/** 'Should be on until 7:30 PM' of a light that should be on; null of another. */
export function dueSentence({ wanted }: Pick<WrongLight, "wanted">): string | null {
  if (wanted?.state !== "on" || wanted.reason === "external" || !wanted.sentence) return null;
  return wanted.sentence.replace(/^On (until .+?): .*$/, "Should be on $1");
}

/** How many visible lights a hub has that nobody can tell about, and that are known to be wrong. */
export type HubLights = { lights: number; unknown: number; wrong: number };

/** 'Away for 21 min. 2 lights unknown'; `last_seen` is ISO 8601, null for one that never answered. */
export function awaySentence(last_seen: string | null, of: HubLights, { now }: Clock): string {
  return awayWords(awayFor(last_seen, now), of);
}

/** 'Away for 21 min', as `awaySentence` says it of a hub; `now` is epoch ms. */
export function awayFor(last_seen: string | null, now: number): string {
  return last_seen === null ? "Never answered" : `Away for ${lengthOf(now - Date.parse(last_seen))}`;
}

/** The same for a work order, as `wrongFacts`: 'Away since Nov 24, 11:39 AM. 2 lights unknown'. */
export function awayFacts(last_seen: string | null, of: HubLights, zone: string): string {
  return awayWords(last_seen === null ? "Never answered" : `Away since ${formatInstant(last_seen, zone)}`, of);
}

function awayWords(away: string, of: HubLights): string {
  const parts = [];
  if (of.unknown > 0) parts.push(`${counted(of.unknown, "light")} unknown`);
  if (of.wrong > 0) parts.push(`${of.unknown > 0 ? of.wrong : counted(of.wrong, "light")} not as they should be`);
  if (parts.length > 0) return `${away}. ${parts.join(", ")}`;
  return of.lights === 0 ? away : `${away}. Its ${counted(of.lights, "light")} cannot be switched`;
}

/** Of a hub that is there and does not let us in, and of the wrong lights that are told of it only. */
export function refusedSentence(behind: number): string {
  return behindSentence("It does not let us in: check its IP address and its local credentials", behind);
}

/** 'Silent since 5:00 PM: the YoLink cloud does not answer. 287 lights not as they should be'. */
export function behindSentence(sentence: string, behind: number): string {
  return behind === 0 ? sentence : `${sentence}. ${counted(behind, "light")} not as they should be`;
}

/** 'less than a minute', '21 min', '3 h', '2 days'. */
export function lengthOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}

/** What lit lights are lit for, in the engine's sentences, the most frequent first: 'Winter market until 8:00 PM, 2 more'. */
export function litForWords([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null;
  const words = first.replace(/^On until (.+?): (.+)$/, "$2 until $1");
  const more = others.length > 0 ? `, ${others.length} more` : "";
  return capitalized(words) + more;
}
