import { beginCall, CLOUD_QUEUE, type Call } from "./calls";
import { queueOf } from "./command-table";
import { deviceAddress } from "#durable/state/addresses";
import { plan, settingsOf } from "#durable/state/plan";
import type { Address, HubAddress } from "#durable/providers/provider";
import { nextSeq } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";

/**
 * A reading of a device, or a ping of a hub, that nobody waits for: the watchdog's and the hub checks'. `cloud`: the cloud is
 * asked for the hub, to find out whether the cloud itself is back.
 */
type Poll = { kind: "read" | "ping" | "cloud"; id: string };

/**
 * What a city without hubs asks the cloud for: that it knows no such hub is an answer, too, and needs no light. It is never
 * asked for itself.
 */
export const NO_HUB = "";
const NO_HUB_ADDRESS: HubAddress = {
  id: NO_HUB,
  name: "",
  ip_address: null,
  port: 0,
  connection_mode: "cloud",
  agent_id: null,
  local_client_id: null,
  local_client_secret: null,
};

/** Puts a poll in the queue behind everything that switches; asking twice is asking once. */
export function enqueuePoll(context: EngineContext, kind: Poll["kind"], id: string): void {
  context.sql.exec(
    "INSERT INTO polls (kind, id, due_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    kind,
    id,
    context.now(),
  );
}

/** Whether any poll waits. */
export function anyPoll({ sql }: EngineContext): boolean {
  return sql.exec("SELECT 1 FROM polls LIMIT 1").toArray().length > 0;
}

/** The longest waiting poll whose hub is free. What is no longer in the plan is dropped. */
export function nextPoll(context: EngineContext, busyHubs: Set<string>): Call | null {
  // Read as far as needed: a round of the watchdog is hundreds.
  for (const { kind, id } of context.sql.exec<Poll>("SELECT kind, id FROM polls ORDER BY due_at, kind, id")) {
    const address = addressOrNull(context, { kind, id });
    if (address && busyHubs.has(queueFor(kind, address))) continue;
    context.sql.exec("DELETE FROM polls WHERE kind = ? AND id = ?", kind, id);
    if (!address) continue;
    return beginCall(context, {
      kind: kind === "read" ? "poll_read" : "poll_ping",
      device_id: kind === "read" ? id : null,
      target: null,
      seq: nextSeq(context),
      hub: queueFor(kind, address),
      action: null,
      address,
      // The cloud may answer from its cache if that is newer than our last switch.
      how: {
        priority: "poll",
        via: kind === "cloud" ? "cloud" : null,
        cached_since: memoryOf(context.sql, id).sent_at ?? 0,
        not_after: null,
        off_after_min: null,
      },
    });
  }
  return null;
}

function queueFor(kind: Poll["kind"], address: Address): string {
  return kind === "cloud" ? CLOUD_QUEUE : queueOf(address);
}

/** A row of the plan that cannot be read costs its own poll and no other's turn. */
function addressOrNull(context: EngineContext, { kind, id }: Poll): Address | null {
  try {
    return kind === "read" ? deviceAddress(context.sql, id) : hubAddress(context, id);
  } catch (error) {
    context.log({ level: "error", event: "poll.failed", kind, id, reason: String(error) });
    return null;
  }
}

/** How a hub, or the cloud for none, is reached for itself; null where the plan lacks it. */
export function hubAddress(context: EngineContext, id: string): Address | null {
  const hub = id === NO_HUB ? NO_HUB_ADDRESS : plan.hub(context.sql, id);
  if (!hub) return null;
  const { PROVIDER_MODE } = settingsOf(context.sql);
  const none = { cloud_device_id: null, local_ref: null, model: null, on_payload: null, off_payload: null };
  return { mode: PROVIDER_MODE, hub, lamp: `hub ${hub.id}`, ...none };
}
