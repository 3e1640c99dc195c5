import { sawState } from "#domain/desired-state";
import type { DeviceState } from "#domain/enums";
import type { Answer } from "#durable/providers/provider";
import { tellState } from "#durable/reporting/events";
import type { Room } from "#durable/state/context";
import { saveStanding, standing } from "#durable/state/device-state";

/** Takes in a reading of the device's state, whoever asked for it; only a reading can tell that a light is off. */
export function reportState(room: Room, device_id: string, state: DeviceState, told: { always: boolean }): void {
  const of = standing(room.sql, device_id);
  const now = room.now();
  tellState(room, of, state, told);
  // Later than any send: one call is under way per device, so this one was asked after the last send was answered.
  const reported_at = Math.max(now, (of.sent_at ?? 0) + 1);
  saveStanding(room.sql, { ...of, ...sawState(of, state, now), reported: state, reported_at });
}

/** Whether a call surely never reached the lamp: it did not leave, or was refused as it was configured. */
export function didNothing(answer: Answer): boolean {
  return !answer.ok && (answer.reason === "throttled" || answer.reason === "refused");
}
