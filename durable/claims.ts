import type { Claim, Resolved } from "#domain/desired-state";
import { reasonSentence } from "#domain/desired-state";
import { occurrences } from "#domain/recurrence";
import { settingsOf, type AreaRow, type DeviceRow, type ScheduleRow } from "./plan";
import { recordEvent } from "./record";
import type { Room } from "./room";

/** How long a claim is remembered after its end; longer than any window. */
const KEEP_MS = 2 * 86_400_000;

/**
 * Remembers the claims of this look, and records once each one that a guardrail, or the longest time a light may be on,
 * cuts short (design 3).
 */
export function noteClaims(room: Room, device: DeviceRow, claims: Claim[], resolved: Resolved): void {
  for (const claim of claims) {
    room.sql.exec(
      "INSERT INTO claims (schedule_id, start, device_id, end) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET end = excluded.end",
      claim.schedule_id,
      claim.start,
      device.id,
      claim.end,
    );
    const { kind } = resolved.reason;
    if (kind !== "curfew" && kind !== "blackout" && kind !== "max_on") continue;
    const { rowsWritten } = room.sql.exec(
      "UPDATE claims SET outcome = 'cut' WHERE schedule_id = ? AND start = ? AND outcome IS NOT 'cut'",
      claim.schedule_id,
      claim.start,
    );
    if (rowsWritten > 0) recordSkipped(room, device, claim, "cut", cutSentence(room, resolved, claim));
  }
  room.sql.exec("DELETE FROM claims WHERE end < ?", room.now() - KEEP_MS);
}

/**
 * Records once, as missed, each occurrence that lay wholly between the last look and this one: nothing ran then.
 * What began before its schedule or area was last changed was not missed, only planned late.
 */
export function noteMissed(
  room: Room,
  device: DeviceRow,
  schedules: ScheduleRow[],
  looked_at: number | null,
  area: AreaRow | null,
): void {
  if (looked_at === null) return;
  const now = room.now();
  for (const schedule of schedules) {
    const since = Math.max(looked_at, ...[schedule, area, device].map((row) => (row ? Date.parse(row.updated_at) : 0)));
    for (const o of occurrences(schedule, since, now)) {
      if (o.start <= since || o.end > now) continue;
      recordSkipped(
        room,
        device,
        { ...o, schedule_id: schedule.id, title: schedule.title },
        "missed",
        "missed: nothing ran at the time",
      );
    }
  }
}

function cutSentence(room: Room, resolved: Resolved, claim: Claim): string {
  const { APP_TIMEZONE } = settingsOf(room.sql);
  return `cut short: ${claim.title} · ${reasonSentence(resolved.state, resolved.reason, APP_TIMEZONE)}`;
}

/** Attempts 0: nothing was sent, and nobody is notified. */
function recordSkipped(room: Room, device: DeviceRow, claim: Claim, what: "cut" | "missed", sentence: string): void {
  const note = what === "missed" ? `${claim.title} · ${sentence}` : sentence;
  recordEvent(room, `${what}:${claim.schedule_id}:${claim.start}`, {
    device_id: device.id,
    device_name: device.name,
    dept_id: device.dept_id,
    source: "scheduler",
    action: "on",
    result: "fail",
    attempts: 0,
    note,
  });
}
