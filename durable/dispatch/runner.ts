import { isPing, type Call } from "#durable/commands/calls";
import { nextCall } from "./dispatch";
import { settingsOf } from "#durable/state/plan";
import type { ProviderResult } from "#durable/providers/provider";
import { noAnswer } from "#durable/providers/no-answer";
import { transact, type EngineContext } from "#durable/state/context";
import { settle, type Report } from "./settle";

/** The runtime allows six connections at once to one object; the cloud's budget asks for no more. */
const RUNNERS = 6;
/**
 * Local hubs are many and slow, a second a call: six hands could not light four hundred lamps within a minute. They are
 * on private addresses, which only a server on their own network reaches, and that one has no bound of six.
 */
const LOCAL_RUNNERS = 24;

/** How many runners may work at once. */
export function runnersFor(context: EngineContext): number {
  const { PROVIDER_MODE } = settingsOf(context.sql);
  return PROVIDER_MODE === "local" || PROVIDER_MODE === "hybrid" ? LOCAL_RUNNERS : RUNNERS;
}

/**
 * Asks for a call, makes it, reports it, until nothing is ready. Never throws: a call that breaks is a time-out, and a
 * runner that dies loses nothing, since every call is leased.
 */
export async function run(context: EngineContext): Promise<void> {
  let report: Report | null = null;
  for (;;) {
    const call: Call | null = transact(context, () => {
      if (report) settle(context, report);
      return nextCall(context);
    });
    if (!call) return;
    // What the report made ready may need more hands than this one.
    context.startRunners();
    report = { call_id: call.id, answer: await make(context, call) };
  }
}

async function make(context: EngineContext, call: Call): Promise<ProviderResult> {
  const { address, action, how, timeout_ms } = call;
  if (context.now() > call.not_after) {
    return { ...noAnswer(address, "throttled", "too late to send"), retry_after_ms: 0 };
  }
  const provider = context.providers(address.mode);
  try {
    if (isPing(call) && address.hub) return await provider.ping(address.hub, address.mode, timeout_ms, how);
    if (action !== null) return await provider.switch(address, action, timeout_ms, how);
    return await provider.read(address, timeout_ms, how);
  } catch (error) {
    context.log({ level: "error", event: "provider.threw", reason: String(error) });
    return noAnswer(address, "timeout", "the call broke off");
  }
}
