import type { Call } from "#durable/commands/calls";
import { closeIncident, incident, openIncident, tellOnce } from "#durable/reporting/incidents";
import type { Answer } from "#durable/providers/provider";
import type { Room } from "#durable/state/context";

const INCIDENT = "account:cloud";

/**
 * One incident while switching waits for the cloud account's limit of calls, told once (decision 25); it is over when
 * nothing waits for it any more. Readings that wait are no trouble.
 */
export function noteAccount(room: Room, { kind }: Pick<Call, "kind">, answer: Answer): void {
  if (!answer.ok && answer.limit === "account") {
    if (kind !== "send") return;
    openIncident(room, INCIDENT);
    const message = "The cloud account's limit of calls is reached: lights are switched late.";
    return tellOnce(room, INCIDENT, "account_throttled", message);
  }
  if (!answer.ok && answer.reason === "throttled") return;
  if (answer.provider === "cloud" && incident(room, INCIDENT) && !anyHeld(room)) closeIncident(room, INCIDENT);
}

function anyHeld(room: Room): boolean {
  return room.sql.exec("SELECT 1 FROM commands WHERE body ->> 'held_since' IS NOT NULL LIMIT 1").toArray().length > 0;
}
