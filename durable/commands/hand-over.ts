import { closeIncident } from "#durable/reporting/incidents";
import type { Address } from "#durable/providers/provider";
import { socketsLit } from "#durable/providers/sockets-lit";
import { readable } from "#durable/state/body";
import type { EngineContext } from "#durable/state/context";
import { memoryOf, saveMemory } from "#durable/state/device-memory";
import { isSameDevice, sharedSockets, withSockets } from "#durable/state/lamps";
import { addressOf } from "#durable/state/addresses";
import { plan } from "#durable/state/plan";
import { dropUnfinished, startPendingOff } from "./command";
import { endCommand, pendingOffs, saveCommand, type Command } from "./command-table";

type Light = { id: string; route: Address };

/**
 * Ends the OFFs that old lamps are owed where a light of the plan has that lamp, be it the same light again or another one:
 * sent after its own ON they would darken a booking. Such a lamp may burn by us, and its light's own command has to see to
 * it. Of a strip of which lights have some sockets the OFF is owed to the others. Answers the lights. To be called once all old
 * routes are settled.
 */
export function handOverPendingOffs(context: EngineContext): string[] {
  const owed = pendingOffs(context.sql);
  const lights = owed.length === 0 ? [] : lightsOf(context, owed);
  const taken = new Set(owed.flatMap((command) => handOver(context, command, lights)));
  for (const id of taken) {
    const memory = memoryOf(context.sql, id);
    // It may have read what the other light had lit, and have taken it for lit by hand.
    saveMemory(context.sql, { ...memory, lit_since: memory.lit_since ?? context.now(), lit_by: "us" });
  }
  return [...taken];
}

/** Those that may have one of the lamps. */
function lightsOf({ sql }: EngineContext, owed: Command[]): Light[] {
  const addresses = owed.map(({ address }) => address);
  return plan.deviceIdsOfLamps(sql, addresses).flatMap((id) => {
    const device = readable(() => plan.device(sql, id));
    const route = device && readable(() => addressOf(sql, device));
    return route ? [{ id, route }] : [];
  });
}

/** Answers the lights that see to its lamp from now on, each to the sockets that none before it has. */
function handOver(context: EngineContext, command: Command, lights: Light[]): string[] {
  const { address } = command;
  let left = socketsLit(address);
  const reached = lights.filter(({ route }) => hasRoute(route) || !hasRoute(address));
  const takers = reached.filter(({ route }) => {
    const taken = sharedSockets(address, route) & left;
    left &= ~taken;
    return taken !== 0;
  });
  if (takers.length === 0) return leaveRest(context, command, reached);
  const why = takers.some(({ id }) => id === command.device_id) ? "its address is back" : "another light has its lamp";
  // Of one that is to go on with fewer sockets, and was never sent, there is nothing to tell.
  if (left !== 0 && command.attempt === 0 && command.kept_since === null) endCommand(context, command.target);
  else dropUnfinished(context, command, why, "dropped");
  closeIncident(context, `pending_off:${command.target.id}`);
  const { device_id, names, reason } = command;
  if (left !== 0) startPendingOff(context, device_id, withSockets(address, left), names, reason);
  return takers.map(({ id }) => id);
}

/**
 * The light has other sockets of its device by now. Where that is no strip they are the same lamp, and the light sees to it.
 * Answers it.
 */
function leaveRest(context: EngineContext, command: Command, lights: Light[]): string[] {
  const { address, device_id } = command;
  const isMoved = ({ id, route }: Light) => id === device_id && isSameDevice(address, route);
  if (address.mode === "mock" || address.is_rest || !lights.some(isMoved)) return [];
  saveCommand(context, { ...command, address: { ...address, is_rest: true } });
  return [device_id];
}

/** In local mode a device without a hub cannot be reached; every other mode has a way. */
export function hasRoute(address: Address): boolean {
  return address.hub !== null || address.mode !== "local";
}
