import { COOL } from "#domain/resolve/cooling";
import { closeIncident } from "#durable/reporting/incidents";
import { namesOf, type Names } from "#durable/reporting/events";
import { keepNamesOfCalls } from "#durable/commands/calls";
import { startPendingOff, supersede } from "#durable/commands/command";
import { deviceTarget, endCommand } from "#durable/commands/command-table";
import { hasRoute } from "#durable/commands/hand-over";
import type { Address } from "#durable/providers/provider";
import { readable } from "#durable/state/body";
import { forgetClaims } from "#durable/state/claims";
import { attempt, type EngineContext } from "#durable/state/context";
import { forgetMemory, memoryOf, saveMemory } from "#durable/state/device-memory";
import { isSameLamp } from "#durable/state/lamps";
import { deviceAddress } from "#durable/state/addresses";
import { dropTimer } from "#durable/state/timers";

/** Where the copy of the plan reaches a device, and by which names it is told. */
type Way = { route: Address | null; names: Names };

/** Of one that cannot be read nobody knows which lamp it has: it is left out. */
export function routesOf(context: EngineContext, device_ids: Set<string>): Map<string, Way> {
  const ways = [...device_ids].flatMap((id) => {
    const way = readable(() => ({ route: deviceAddress(context.sql, id), names: namesOf(context, id, null) }));
    return way ? [[id, way] as const] : [];
  });
  return new Map(ways);
}

/** What has to be the same for a route to be the same; another name or model is no other way. */
function routeKey(address: Address): string {
  const { hub, model: _, ...route } = address;
  return JSON.stringify({ ...route, hub: hub && { ...hub, name: "" } });
}

/**
 * What becomes of a device whose address changed: an OFF that is owed to the old target goes to the
 * old target; another route leaves the state unknown, without a blink. Answers whether its address changed; false also where that
 * cannot be told, which is no other light's trouble.
 */
export function settleOldRoute(context: EngineContext, device_id: string, was: Way): boolean {
  const failed = (error: unknown) => {
    context.log({ level: "error", event: "reroute.failed", device_id, reason: String(error) });
    return false;
  };
  return attempt(context, () => settleOrThrow(context, device_id, was), failed);
}

function settleOrThrow(context: EngineContext, device_id: string, { route: old, names }: Way): boolean {
  if (old === null) return false;
  const next = deviceAddress(context.sql, device_id);
  if (next !== null && routeKey(next) === routeKey(old)) return false;
  const memory = memoryOf(context.sql, device_id);
  const isGone = next === null;
  const isOtherLamp = next !== null && !isSameLamp(next, old);
  const isCutOff = next !== null && hasRoute(old) && !hasRoute(next);
  // The simulated lamp of one that is real by now is nobody's trouble.
  const isReal = old.mode === "mock" && next?.mode !== "mock" && next?.lamp === old.lamp;
  const isLeft = isOtherLamp && !isReal;
  const leavesLamp = isGone || isCutOff || isLeft;
  if (leavesLamp && memory.lit_since !== null)
    startPendingOff(context, device_id, old, names, pendingOffReason(isGone, isCutOff));
  if (isGone) {
    keepNamesOfCalls(context, device_id, names);
    supersede(context, device_id, "the device was deleted");
    forgetDevice(context, device_id);
    return false;
  }
  supersede(context, device_id, "its address changed");
  const lit = isOtherLamp ? { lit_since: null, lit_by: "us" as const } : {};
  const unseen = { reported: "unknown", resolved_state: null, resolved_reason: null } as const;
  saveMemory(context.sql, { ...memory, ...lit, ...(isOtherLamp && COOL), ...unseen });
  return true;
}

function pendingOffReason(isGone: boolean, isCutOff: boolean): string {
  if (isGone) return "Off: the device was deleted while it was lit";
  return isCutOff ? "Off: its hub was deleted while it was lit" : "Off: its address was changed while it was lit";
}

function forgetDevice(context: EngineContext, device_id: string): void {
  endCommand(context, deviceTarget(device_id));
  forgetMemory(context.sql, device_id);
  for (const kind of ["wake", "recheck", "off_timer"] as const) dropTimer(context.sql, kind, device_id);
  forgetClaims(context.sql, device_id);
  context.sql.exec("DELETE FROM reads WHERE device_id = ?", device_id);
  for (const kind of ["device", "external"]) closeIncident(context, `${kind}:${device_id}`);
}
