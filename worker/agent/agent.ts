import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { OLDEST_PROTO, PROTO, type ToAgent } from "#domain/agent/frames";
import { assertNever } from "#domain/assert-never";
import { agentIdIn, socketUrl, type Config } from "./config";
import { Executor } from "./executor";
import { hubCalls } from "./hub-calls";
import { Hubs } from "./hubs";
import { Lanes } from "./lanes";
import { Link, type Arrival } from "./link";
import type { Means } from "./means";
import { Orders } from "./store/orders";
import { AGENT_VERSION } from "./version";

export type Agent = {
  link: Link;
  /** Says goodbye to the city; what is under way at a hub is answered to nobody. */
  stop: (say: string) => Promise<void>;
};

/** Starts the program: `folder` is where it keeps what must survive a power cut. Throws where that can't be written to. */
export async function startAgent(
  config: Config,
  { folder, means, fetcher }: { folder: string; means: Means; fetcher?: typeof fetch },
): Promise<Agent> {
  const boot = randomUUID();
  const hubs = new Hubs(config);
  const lanes = new Lanes();
  const orders = await Orders.open(join(folder, "orders.jsonl"));
  const transport = hubCalls(means, config.networks, fetcher);
  const executor = new Executor({ means, hubs, lanes, orders, transport });

  const link = new Link({
    url: socketUrl(config.url),
    secret: config.secret,
    means,
    hello: () => ({
      type: "hello",
      proto: [OLDEST_PROTO, PROTO],
      agent: AGENT_VERSION,
      boot,
      log_from: null,
      plan_rev: null,
      hubs: hubs.health,
    }),
    take,
    heard: () => undefined,
  });

  function take(frame: ToAgent, arrival: Arrival): void {
    switch (frame.type) {
      case "welcome":
        if (frame.agent.id !== agentIdIn(config.secret)) return means.say("The city takes this agent for another one");
        hubs.assign(frame.hubs);
        return means.say(`Connected as ${frame.agent.name}, with ${frame.hubs.length} hubs`);
      case "cmd":
        return void executor.take(frame, arrival).then((answer) => {
          arrival.reply({ type: "result", id: frame.id, answer });
        });
      case "bye":
        return means.say(`The city says: ${frame.say}`);
      case "plan":
      case "ack":
        return;
      default:
        return assertNever(frame);
    }
  }

  link.start();
  return {
    link,
    stop: async (say) => {
      link.stop(say);
      await orders.close();
    },
  };
}
