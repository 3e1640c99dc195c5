import { COOL } from "#domain/resolve/cooling";
import { closeIncident } from "../reporting/incidents";
import { namesOf, type Names } from "../reporting/events";
import { keepNamesOfCalls } from "../commands/calls";
import { dropUnfinished, startPendingOff, supersede } from "../commands/command";
import { deviceTarget, endCommand, pendingOffs, type Command } from "../commands/command-table";
import type { Address } from "../providers/provider";
import { readable } from "../state/body";
import { forgetClaims } from "../state/claims";
import { attempt, type EngineContext } from "../state/context";
import { forgetMemory, memoryOf, saveMemory } from "../state/device-memory";
import { addressOf, isSameLamp, plan } from "../state/plan";
import { dropTimer } from "../state/timers";

/** Where the copy of the plan reaches a device, and by which names it is told. */
type Way = { route: Address | null; names: Names };

/** Of one that cannot be read nobody knows which lamp it has: it is left out. */
export function routesOf(context: EngineContext, device_ids: Set<string>): Map<string, Way> {
  const ways = [...device_ids].flatMap((id) => {
    const way = readable(() => ({ route: routeOf(context, id), names: namesOf(context, id, null) }));
    return way ? [[id, way] as const] : [];
  });
  return new Map(ways);
}

/** Null where it is not planned, or no more. */
function routeOf(context: EngineContext, device_id: string): Address | null {
  const device = plan.device(context.sql, device_id);
  return device && addressOf(context.sql, device);
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
  const next = routeOf(context, device_id);
  if (next !== null && routeKey(next) === routeKey(old)) return false;
  const memory = memoryOf(context.sql, device_id);
  const isGone = next === null;
  const isOtherLamp = next !== null && !isSameLamp(next, old);
  const isCutOff = next !== null && hasRoute(old) && !hasRoute(next);
  const leavesLamp = isGone || isCutOff || next.lamp !== old.lamp || (old.mode !== "mock" && next.mode === "mock");
  if (leavesLamp && memory.lit_since !== null)
    startPendingOff(context, device_id, old, names, pendingOffReason(isGone, isCutOff));
  if (isGone) {
    keepNamesOfCalls(context, device_id, names);
    supersede(context, device_id, "the device was deleted");
    forgetDevice(context, device_id);
    return false;
  }
  supersede(context, device_id, "its address changed");
  const isUnlit = isOtherLamp || memory.lit_since === null;
  const lit = isUnlit ? { lit_since: null, lit_by: "us" as const } : {};
  const unseen = { reported: "unknown", resolved_state: null, resolved_reason: null } as const;
  saveMemory(context.sql, { ...memory, ...lit, ...(isOtherLamp && COOL), ...unseen });
  return true;
}

/**
 * Ends the OFFs that old lamps are owed where a light of the plan has that lamp, be it the same light again or another one:
 * sent after its own ON they would darken a booking. Such a lamp may burn by us, and its light's own command has to see to
 * it. Answers the lights. To be called once all old routes are settled.
 */
export function handOverPendingOffs(context: EngineContext): string[] {
  const owed = new Map<string, Command[]>();
  for (const command of pendingOffs(context.sql)) {
    const { lamp } = command.address;
    owed.set(lamp, [...(owed.get(lamp) ?? []), command]);
  }
  const lights = owed.size === 0 ? [] : plan.deviceIdsOfLamps(context.sql, [...owed.keys()]);
  return lights.filter((id) => takeOver(context, id, owed));
}

/** `owed`: the OFFs that nobody has taken over yet, by their lamps. */
function takeOver(context: EngineContext, device_id: string, owed: Map<string, Command[]>): boolean {
  const next = readable(() => routeOf(context, device_id));
  if (!next) return false;
  const isBack = ({ address }: Command) => isSameLamp(address, next) && (hasRoute(next) || !hasRoute(address));
  const ofLamp = owed.get(next.lamp) ?? [];
  const taken = ofLamp.filter(isBack);
  owed.set(
    next.lamp,
    ofLamp.filter((command) => !taken.includes(command)),
  );
  for (const command of taken) {
    const why = command.device_id === device_id ? "its address is back" : "another light has its lamp";
    dropUnfinished(context, command, why, "dropped");
    closeIncident(context, `pending_off:${command.target.id}`);
  }
  const memory = memoryOf(context.sql, device_id);
  if (taken.length === 0) return false;
  // It may have read what the other light had lit, and have taken it for lit by hand.
  saveMemory(context.sql, { ...memory, lit_since: memory.lit_since ?? context.now(), lit_by: "us" });
  return true;
}

function pendingOffReason(isGone: boolean, isCutOff: boolean): string {
  if (isGone) return "Off: the device was deleted while it was lit";
  return isCutOff ? "Off: its hub was deleted while it was lit" : "Off: its address was changed while it was lit";
}

/** In local mode a device without a hub cannot be reached; every other mode has a way. */
function hasRoute(address: Address): boolean {
  return address.hub !== null || address.mode !== "local";
}

function forgetDevice(context: EngineContext, device_id: string): void {
  endCommand(context, deviceTarget(device_id));
  forgetMemory(context.sql, device_id);
  for (const kind of ["wake", "recheck", "off_timer"] as const) dropTimer(context.sql, kind, device_id);
  forgetClaims(context.sql, device_id);
  context.sql.exec("DELETE FROM reads WHERE device_id = ?", device_id);
  for (const kind of ["device", "external"]) closeIncident(context, `${kind}:${device_id}`);
}
