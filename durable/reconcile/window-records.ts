import type { ScheduleWindow } from "#domain/resolve/reason";
import { formatClock } from "#domain/time/display";
import { holdWords } from "#domain/light/light-sentence";
import { closedFor, reasonSentence } from "#domain/resolve/reason-sentence";
import type { Resolved } from "#domain/resolve/rungs";
import { namesOf, recordEvent } from "#durable/reporting/events";
import type { EngineContext } from "#durable/state/context";
import type { DeviceMemory } from "#durable/state/device-memory";
import { settingsOf } from "#durable/state/plan";

/** Why people keep the light dark, for the record of a window that is never lit; null where they do not. */
export function darkNote(context: EngineContext, memory: DeviceMemory, { reason }: Resolved): string | null {
  if (reason.kind === "closure") return closedFor(reason.reason);
  if (reason.kind !== "hold_off") return null;
  const until = formatClock(reason.until, settingsOf(context.sql).APP_TIMEZONE);
  return `off until ${until}: ${holdWords(memory.hold_reason, memory.hold_by, "switched off")}`;
}

/** What is recorded of a window that a rule or a closure cut short. */
export function cutNote(context: EngineContext, { state, reason }: Resolved, claim: ScheduleWindow): string {
  const why =
    reason.kind === "closure"
      ? closedFor(reason.reason)
      : reasonSentence(state, reason, settingsOf(context.sql).APP_TIMEZONE, context.now());
  return `cut short: ${claim.title} · ${why}`;
}

/**
 * Attempts 0: nothing was sent, and nobody is notified. A window that moved to another light is recorded for each, and one
 * that moved to later on its day, after it was over, for each of its starts.
 */
export function recordSkipped(
  context: EngineContext,
  device_id: string,
  claim: Pick<ScheduleWindow, "schedule_id" | "date" | "start">,
  what: "cut" | "missed" | "skipped",
  note: string,
): void {
  const { device_name, dept_id } = namesOf(context, device_id, null);
  recordEvent(context, `${what}:${claim.schedule_id}:${claim.date}:${device_id}:${claim.start}`, {
    device_id,
    device_name,
    dept_id,
    source: "scheduler",
    action: "on",
    result: "fail",
    attempts: 0,
    note,
    cause: what,
  });
}
