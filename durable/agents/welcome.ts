import { MOST_FRAME_BYTES, type ToAgent } from "#domain/agent/frames";
import type { EngineContext } from "#durable/state/context";
import { plan } from "#durable/state/plan";
import type { HubRow } from "#durable/state/plan-rows";

type Welcome = Extract<ToAgent, { type: "welcome" }>;

/**
 * What an agent has to know: its hubs, with credentials where we have them, the key of its plans, and of which lights we
 * want to hear first; of both as many as fit into the frame, since an agent hangs up on a larger one and would reach none.
 */
export async function welcomeFor(context: EngineContext, agent_id: string, proto: number): Promise<Welcome> {
  const { sql } = context;
  const name = plan.agentName(sql, agent_id) ?? "";
  const rows = plan.hubIdsOfAgent(sql, agent_id).flatMap((id) => plan.readableHub(sql, id) ?? []);
  const all = await Promise.all(rows.map((hub) => hubOf(context, hub)));
  const { public_key: plan_key } = await context.planKey();
  // By the clock of the orders that follow: the engine's stands still where that one was set back.
  const empty = {
    type: "welcome",
    proto,
    now: context.platformNow(),
    agent: { id: agent_id, name },
    plan_key,
  } as const;
  const hubs = asManyAsFit(all, MOST_FRAME_BYTES - sizeOf({ ...empty, hubs: [] }) - SPARE_BYTES);
  if (hubs.length < all.length)
    context.log({ level: "error", event: "agent.too_many_hubs", agent_id, hubs: all.length, told: hubs.length });
  const welcome = { ...empty, hubs };
  const devices = rows.flatMap(({ id }) => plan.deviceIdsOfHub(sql, id));
  return { ...welcome, ask_states: asManyAsFit(devices, MOST_FRAME_BYTES - sizeOf(welcome) - SPARE_BYTES) };
}

async function hubOf(context: EngineContext, hub: HubRow): Promise<Welcome["hubs"][number]> {
  const { id, name, ip_address, port, connection_mode } = hub;
  return { id, name, ip_address, port, connection_mode, credentials: await credentialsOf(context, hub) };
}

/** Null where the agent's own file has to have them. */
async function credentialsOf(
  { unseal, log }: EngineContext,
  { id, local_client_id, local_client_secret }: HubRow,
): Promise<Welcome["hubs"][number]["credentials"]> {
  if (!local_client_id || !local_client_secret) return null;
  try {
    return {
      client_id: (await unseal(local_client_id)).trim(),
      client_secret: (await unseal(local_client_secret)).trim(),
    };
  } catch {
    log({ level: "error", event: "agent.credentials_unreadable", hub_id: id });
    return null;
  }
}

/** For the name of the list of lights. */
const SPARE_BYTES = ',"ask_states":[]'.length;

/** The first of a list whose JSON takes so many bytes at most, commas included. */
function asManyAsFit<Item>(items: Item[], bytes: number): Item[] {
  let left = bytes;
  const end = items.findIndex((item) => (left -= sizeOf(item) + 1) < 0);
  return end < 0 ? items : items.slice(0, end);
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}
