import type { LampAddress } from "#domain/agent/frames";
import type { Transport } from "#durable/providers/transport";
import { callUntil } from "./call";
import type { HubClock } from "./hub-calls";
import type { Hubs } from "./hubs";
import type { Lanes } from "./lanes";
import type { Means } from "./means";

export type TimerDeps = { means: Means; hubs: Hubs; lanes: Lanes; transport: Transport & { now: HubClock } };

const WITHIN_MS = 6_000;

/**
 * Sets the lamp's own timer when its hub is free, so that it goes dark even if nobody reaches it any more. Nobody waits for
 * it; `isWanted` is asked once more then, since a later switch makes it pointless.
 */
export function setOffTimer(
  { means, hubs, lanes, transport }: TimerDeps,
  { hub, address, minutes, isWanted }: { hub: string; address: LampAddress; minutes: number; isWanted: () => boolean },
): void {
  const set = async () => {
    const found = hubs.find(hub);
    if (!found.ok || !isWanted()) return;
    const call = callUntil(transport.now() + WITHIN_MS);
    const answer = await transport.putOutAfter?.({ ...address, hub: found.hub }, minutes, call);
    if (answer && !answer.ok) means.say(`${address.lamp}: its own timer could not be set: ${answer.detail}`);
  };
  lanes.run(hub, "later", set).catch((error: unknown) => means.say(`A timer failed: ${String(error)}`));
}
