import { counted, grouped } from "#domain/counted";
import { formatClock } from "#domain/time/display";
import type { Step } from "./forecast";
import { cutOf, segmentsOf, type Segment } from "./forecast-segments";
import type { PreviewWindow } from "./preview-request";
import type { Occurrence } from "#domain/schedule/schedule";
import { capitalized } from "#domain/capitalized";

/** The steps of one light in one window; `zone` is for the times in sentences. */
export type LightWindow = { steps: Step[]; zone: string };

/** When any of the lights is on in a schedule's window, and why others, or all at other times, are not. */
export function previewWindow(window: Occurrence, lights: LightWindow[], schedule_id: string): PreviewWindow {
  const { start, end } = window;
  const segments = lights.map(({ steps, zone }) => segmentsOf(steps, end, zone));
  const on = segments.flat().filter(({ state }) => state === "on");
  const reasons = new Map<string, { reason: Reason; n: number }>();
  for (const [n, light] of lights.entries()) {
    const dark = (segments[n] ?? []).filter((s) => s.state === "off" && s.schedule_ids.includes(schedule_id));
    const ofLight = new Map(dark.map((segment) => reasonOf(segment, light)).map((one) => [JSON.stringify(one), one]));
    for (const [key, reason] of ofLight) reasons.set(key, { reason, n: (reasons.get(key)?.n ?? 0) + 1 });
  }
  const limits = [...reasons.values()].map(({ reason, n }) => limitSentence(reason, n, lights.length));
  return { start, end, lit: union(on), limits };
}

/** Why a light is dark: 'closed: wet ground', 'blackout until 5:00 AM'; or when its longest time on is reached. */
type Reason = { words: string } | { minutes: number; clock: string; isPast: boolean };

function reasonOf({ from, sentence }: Segment, { steps, zone }: LightWindow): Reason {
  const step = steps.find(({ at }) => at === from);
  const cut = step ? cutOf(step) : null;
  if (cut === null) return { words: sentence.replace(/^Off: /, "").replace(/^Off /, "off ") };
  return { minutes: cut.minutes, clock: formatClock(cut.at, zone), isPast: cut.at < (steps[0]?.at ?? cut.at) };
}

/** 'Blackout until 5:00 AM'; '2 of 8 lights: closed: wet ground'; '1 of 8 lights reaches its limit of 240 minutes at 8:40 PM'. */
function limitSentence(reason: Reason, n: number, total: number): string {
  const some = `${grouped(n)} of ${counted(total, "light")}`;
  if ("words" in reason) {
    return n < total ? `${some}: ${reason.words}` : capitalized(reason.words);
  }
  const { minutes, clock, isPast } = reason;
  const limit = `limit of ${counted(minutes, "minute")}`;
  if (n === total) return `The ${limit} ${isPast ? "was" : "is"} reached at ${clock}`;
  const verb = isPast ? "reached" : n === 1 ? "reaches" : "reach";
  return `${some} ${verb} ${n === 1 ? "its" : "their"} ${limit} at ${clock}`;
}

function union(spans: { from: number; to: number }[]): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
