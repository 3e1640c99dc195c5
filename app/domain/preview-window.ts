import { formatClock } from "./display";
import type { Step } from "./forecast";
import { segmentsOf, type Segment } from "./forecast-segments";
import type { PreviewWindow } from "./preview-request";
import type { Occurrence } from "./schedule";

/** The steps of one light in one window; `zone` is for the times in sentences. */
export type LightWindow = { steps: Step[]; zone: string };

/** When any of the lights is on in a schedule's window, and why others, or all at other times, are not. */
export function previewWindow(window: Occurrence, lights: LightWindow[], schedule_id: string): PreviewWindow {
  const { start, end } = window;
  const segments = lights.map(({ steps, zone }) => segmentsOf(steps, end, zone));
  const on = segments.flat().filter(({ state }) => state === "on");
  const counts = new Map<string, number>();
  for (const [n, ofLight] of segments.entries()) {
    const zone = lights[n]?.zone ?? "UTC";
    const dark = ofLight.filter((segment) => segment.state === "off" && segment.schedule_ids.includes(schedule_id));
    const reasons = new Set(dark.map((segment) => reasonOf(segment, zone)));
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const limits = [...counts].map(([reason, n]) => limitSentence(reason, n, lights.length));
  return { start, end, lit: union(on), limits };
}

/** 'closed: wet ground', 'blackout until 5:00 AM', '240 minutes reached at 10:00 PM'. */
function reasonOf({ from, reason, sentence }: Segment, zone: string): string {
  const words = sentence.replace(/^Off: /, "").replace(/^Off /, "off ");
  return reason === "max_on" ? `${words} at ${formatClock(from, zone)}` : words;
}

function limitSentence(reason: string, n: number, total: number): string {
  return n < total ? `${n} of ${total}: ${reason}` : reason.charAt(0).toUpperCase() + reason.slice(1);
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
