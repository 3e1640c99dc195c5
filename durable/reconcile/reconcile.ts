import { reasonKey, reasonSentence, resolve, type Claim, type Resolved } from "#domain/desired-state";
import { nextStart, occurrences } from "#domain/recurrence";
import type { CommandSource } from "#domain/enums";
import { closeClaims, noteClaims, noteLit, noteMissed } from "./windows";
import { commandFor, startCommand, supersede } from "#durable/commands/command";
import { guardrailsOf, plan, settingsOf, type AreaRow, type DeviceRow, type ScheduleRow } from "#durable/state/plan";
import { type Room } from "#durable/state/context";
import { knownState, saveStanding, standing, type Standing } from "#durable/state/device-state";
import { dropTimer, putTimer, putTimerIfNone } from "#durable/state/timers";

/** What beside a changed resolution starts a command (design 3, Commands). */
export type Because = "hub_back" | "address" | "watchdog" | "test_over" | null;

/** A look that finds nothing to wait for still looks again, in case a rule changed under it. */
const IDLE_LOOK_MS = 24 * 3_600_000;

/**
 * Makes the device's timer and command follow from what is true now: resolves, stores the instants, asks for the next
 * wake-up, and starts, keeps or drops its command. Harmless to repeat. Must run inside a transaction. Never throws: a
 * device that can't be looked at is a fault of its own timer, `look:{device}`, and nobody else's trouble.
 */
export function look(room: Room, device_id: string, because: Because = null): Resolved | null {
  try {
    return room.storage.transactionSync(() => lookAt(room, device_id, because));
  } catch (error) {
    room.log({ level: "error", event: "look.failed", device_id, reason: String(error) });
    putTimerIfNone(room.sql, `look:${device_id}`, room.now());
    return null;
  }
}

/** As look, but throws. */
export function lookAt(room: Room, device_id: string, because: Because = null): Resolved | null {
  const device = plan.device(room.sql, device_id);
  if (!device) return null;
  const now = room.now();
  const settings = settingsOf(room.sql);
  const area = plan.area(room.sql, device.area_id);
  const schedules = openSchedules(room.sql, device, area);
  const before = standing(room.sql, device_id);
  const claims = claimsAt(schedules, now);
  const next_start = earliest(schedules.map((s) => nextStart(s, now)));
  const resolved = resolve({
    now,
    claims,
    next_start,
    instants: before,
    guardrails: guardrailsOf(settings),
  });
  const key = reasonKey(resolved.state, resolved.reason);
  const after: Standing = { ...before, ...resolved.instants, resolved: key, looked_at: now };

  noteMissed(room, device, schedules, before.looked_at, area);
  noteClaims(room, device, claims, resolved);
  if (resolved.reason.kind === "claim" && knownState(after) === "on") noteLit(room, device_id, resolved.reason.claims);
  const next_end = closeClaims(room, device, after.off_at);
  const isTestOver = after.test_until !== null && after.test_until <= now;
  if (isTestOver) after.test_until = null;
  saveStanding(room.sql, after);
  dropTimer(room.sql, `look:${device_id}`);
  follow(room, after, resolved, before.resolved !== key ? "changed" : isTestOver ? "test_over" : because);
  // A window that begins under a guardrail, or ends unlit, changes nothing, and has to be recorded all the same.
  wakeAgain(room, after, earliest([resolved.until, next_start, next_end]));
  return resolved;
}

/** The schedules that can claim the device: not canceled, and none in an inactive area (decision 18). */
export function openSchedules(sql: SqlStorage, device: DeviceRow, area: AreaRow | null): ScheduleRow[] {
  if (!area?.active) return [];
  return plan.schedulesOf(sql, device.id).filter((s) => s.status === "scheduled");
}

/** The occurrences that hold the device at `now`. */
export function claimsAt(schedules: ScheduleRow[], now: number): Claim[] {
  return schedules.flatMap((s) =>
    occurrences(s, now, now + 1).map((o) => ({ ...o, schedule_id: s.id, title: s.title })),
  );
}

export function earliest(instants: (number | null)[]): number | null {
  return instants.reduce((least, at) => (at !== null && (least === null || at < least) ? at : least), null);
}

function follow(room: Room, of: Standing, resolved: Resolved, because: Because | "changed"): void {
  if (of.test_until !== null) return;
  const { device_id } = of;
  const live = commandFor(room.sql, device_id);
  const wanted = resolved.state === "none" ? null : resolved.state;
  const sentence = reasonSentence(resolved.state, resolved.reason, settingsOf(room.sql).APP_TIMEZONE);
  // An OFF that nothing contradicts is kept: it is never refused and never too late.
  if (live && (live.action === wanted || (wanted === null && live.action === "off"))) return;
  if (live && wanted === null) return supersede(room, device_id, `no longer wanted: ${sentence}`);
  if (wanted === null || (!live && (because === null || knownState(of) === wanted))) return;
  const source: CommandSource = because === "watchdog" ? "watchdog" : "scheduler";
  const schedule_title = resolved.reason.kind === "claim" ? (resolved.reason.claims[0]?.title ?? null) : null;
  startCommand(room, device_id, { action: wanted, source, reason: sentence, schedule_title });
  room.kick();
}

function wakeAgain(room: Room, of: Standing, until: number | null): void {
  const id = `wake:${of.device_id}`;
  const next = earliest([until, of.test_until]);
  if (next !== null) putTimer(room.sql, id, next);
  else if (of.lit_since !== null) putTimer(room.sql, id, room.now() + IDLE_LOOK_MS);
  else dropTimer(room.sql, id);
}
