import type { Call } from "#durable/commands/calls";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, incident, openIncident, notifyOnce } from "#durable/reporting/incidents";
import type { ProviderResult } from "#durable/providers/provider";
import { meta, setMeta } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";

export const THROTTLED = "account:cloud";

/** An account that stays near its limit is over it every few minutes: nobody wants a message for each time. */
const TOLD_AGAIN_MS = 1_800_000;
/** Unless it lasts: then lights are late by that much. */
const LASTS_MS = 600_000;
const TOLD_AT = "account_told_at";

/**
 * One incident while switching waits for the cloud account's limit of calls, told once, and
 * in half an hour once if it is short; it is over when nothing waits for it any more. Readings that wait are no trouble.
 */
export function noteAccount(context: EngineContext, { kind }: Pick<Call, "kind">, answer: ProviderResult): void {
  // A hub has no account: where something before it counts the calls, that is the hub's own trouble.
  if (!answer.ok && answer.limit === "account" && answer.provider === "cloud") {
    if (kind !== "send") return;
    openIncident(context, THROTTLED);
    if (!isToBeTold(context)) return;
    const message = "The cloud account's limit of calls is reached: lights are switched late.";
    const why = "the cloud account's limit of calls is reached";
    return notifyOnce(context, THROTTLED, "account_throttled", message, { what: "Late", why, about: WHOLE_CITY });
  }
  if (!answer.ok && answer.reason === "throttled") return;
  if (answer.provider === "cloud" && incident(context, THROTTLED) && !anyHeld(context))
    closeIncident(context, THROTTLED);
}

function isToBeTold(context: EngineContext): boolean {
  const open = incident(context, THROTTLED);
  if (open === null || open.alarm !== null) return true;
  const now = context.now();
  const told_ms = Math.abs(now - Number(meta(context.sql, TOLD_AT) ?? 0));
  if (told_ms < TOLD_AGAIN_MS && now - open.since < LASTS_MS) return false;
  setMeta(context.sql, TOLD_AT, String(now));
  return true;
}

/** A command that cannot be read is held by nothing. */
function anyHeld(context: EngineContext): boolean {
  context.sql.kept?.write();
  const held = context.sql.exec(
    "SELECT 1 FROM commands WHERE CASE WHEN json_valid(body) THEN body ->> 'held_since' END IS NOT NULL LIMIT 1",
  );
  return held.toArray().length > 0;
}
