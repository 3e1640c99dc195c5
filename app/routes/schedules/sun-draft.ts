import { SUN_EVENTS, type SunTime } from "#domain/schedule/sun-time";

export const STARTS_BY = ["clock", ...SUN_EVENTS] as const;

/** How a start or an end is told, as the form's controls hold it: by the clock, or by an event of the sun. */
export type SunDraft = { by: (typeof STARTS_BY)[number]; offset: string; not_before: string; not_after: string };

export type Edge = "start" | "end";

export function sunDraftOf(sun: SunTime | null | undefined): SunDraft {
  return {
    by: sun?.event ?? "clock",
    offset: String(sun?.offset_min ?? 0),
    not_before: sun?.not_before ?? "",
    not_after: sun?.not_after ?? "",
  };
}

/** The draft in a submitted form. */
export function sunDraftSent(typed: Record<string, string>, of: Edge): SunDraft {
  return {
    by: STARTS_BY.find((by) => by === typed[`${of}_by`]) ?? "clock",
    offset: typed[`${of}_offset`] ?? "0",
    not_before: typed[`${of}_not_before`] ?? "",
    not_after: typed[`${of}_not_after`] ?? "",
  };
}

/** For the schema: null by the clock. An offset that is no number becomes NaN, which the schema rejects. */
export function sunTimeOf({ by, offset, not_before, not_after }: SunDraft): SunTime | null {
  if (by === "clock") return null;
  return {
    event: by,
    offset_min: Number(offset.trim() || 0),
    not_before: not_before || null,
    not_after: not_after || null,
  };
}

/**
 * The time of day that stands for an event until the server knows it: only its date counts, and which of start and end
 * comes first.
 */
export function timeOfDay(of: Edge, { by }: SunDraft, time: string): string {
  if (by === "clock") return time;
  const isEvening = by === "sunset" || by === "dusk";
  return of === "start" ? (isEvening ? "18:00" : "06:00") : isEvening ? "21:00" : "07:00";
}
