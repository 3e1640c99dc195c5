import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { assignedHub, OLDEST_PROTO, PROTO, type AgentLogEntry, type ToAgent } from "#domain/agent/frames";
import { assertNever } from "#domain/assert-never";
import { agentIdIn, socketUrl, type Config } from "./config";
import { Executor } from "./executor";
import { hubCalls } from "./hub-calls";
import { Hubs } from "./hubs";
import { Lanes } from "./lanes";
import { Link, type Arrival } from "./link";
import type { Means } from "./means";
import { OnSite } from "./on-site";
import { PlanKeeper } from "./plan-keeper";
import { Readings } from "./readings";
import { LogSender } from "./send-log";
import { OnSiteClock } from "./site-clock";
import { KeptFile } from "./store/kept-file";
import { LogRing } from "./store/log-ring";
import { Orders } from "./store/orders";
import { AGENT_VERSION } from "./version";

export type Agent = {
  link: Link;
  onSite: OnSite;
  /** Says goodbye to the city; what is under way at a hub is answered to nobody. */
  stop: (say: string) => Promise<void>;
};

type Given = { folder: string; means: Means; fetcher?: typeof fetch };

/** Where the hubs are kept, with the credentials that the city sent: an agent may start without the city. */
export function hubsFile(folder: string): KeptFile<z.infer<typeof assignedHub>[]> {
  return new KeptFile(join(folder, "hubs.json"), z.array(assignedHub));
}

/** Starts the program: `folder` is where it keeps what must survive a power cut. Throws where that can't be written to. */
export async function startAgent(config: Config, { folder, means, fetcher }: Given): Promise<Agent> {
  const boot = randomUUID();
  const clock = new OnSiteClock(folder, means);
  await clock.restore();
  const keptHubs = hubsFile(folder);
  const hubs = new Hubs(config);
  hubs.assign((await keptHubs.read()) ?? []);
  const lanes = new Lanes();
  const orders = await Orders.open(join(folder, "orders.jsonl"));
  const ring = await LogRing.open(join(folder, "log.jsonl"), clock.now.at);
  const plans = new PlanKeeper(folder, config, means.say);
  await plans.restore();
  const transport = hubCalls(means, config.networks, fetcher);
  const deps = { means, hubs, lanes, orders, transport };
  const onSite = new OnSite({
    ...deps,
    clock,
    folder,
    log: (entry) => void failing("The log", addToLog(entry)),
  });
  const executor = new Executor({ ...deps, note: (noted) => onSite.note(noted) });
  const link = new Link({
    url: socketUrl(config.url),
    secret: config.secret,
    means,
    hello: () => ({
      type: "hello",
      proto: [OLDEST_PROTO, PROTO],
      agent: AGENT_VERSION,
      boot,
      log_from: ring.from,
      plan_rev: plans.plan?.rev ?? null,
      hubs: hubs.health,
    }),
    take,
    heard: () => onSite.tell({ type: "heard" }),
  });
  const logSender = new LogSender(means, () => ring.all);
  const readings = new Readings(means, (frame) => link.send(frame));

  function take(frame: ToAgent, arrival: Arrival): void {
    if ("now" in frame) clock.heard(frame.now + arrival.delay_ms, arrival.at);
    switch (frame.type) {
      case "welcome":
        return welcome(frame, arrival);
      case "cmd":
        return void executor.take(frame, arrival).then((answer) => {
          arrival.reply({ type: "result", id: frame.id, answer });
        });
      case "plan":
        return void failing("A plan", takePart(frame, arrival));
      case "ack":
        return void failing("The log", ring.acknowledge(frame.upto));
      case "bye":
        return means.say(`The city says: ${frame.say}`);
      default:
        return assertNever(frame);
    }
  }

  function welcome(frame: ToAgent & { type: "welcome" }, { isFirst, reply }: Arrival): void {
    if (frame.agent.id !== agentIdIn(config.secret)) return means.say("The city takes this agent for another one");
    hubs.assign(frame.hubs);
    void failing("The hubs", keptHubs.save(frame.hubs));
    const names = frame.hubs.map(({ name }) => name).join(", ");
    means.say(`${isFirst ? "Connected as" : "Still"} ${frame.agent.name}, for ${names === "" ? "no hub" : names}`);
    if (!isFirst) return;
    onSite.tell({ type: "linked" });
    logSender.begin(reply);
    void failing("The key", plans.enroll(frame.plan_key));
    const tell = (device: string, state: "on" | "off" | "unknown") => readings.add({ device, state, at: clock.now.at });
    void failing("A reading", onSite.lookAt(frame.ask_states, tell));
  }

  async function addToLog(entry: Omit<AgentLogEntry, "n">): Promise<void> {
    await ring.add(entry);
    logSender.tell();
  }

  async function takePart(part: ToAgent & { type: "plan" }, { reply }: Arrival): Promise<void> {
    const taken = await plans.take(part);
    if (!taken) return;
    if (taken.plan) {
      readings.tellNow();
      onSite.tell({ type: "plan", plan: taken.plan });
      const { rev, lamps, expires } = taken.plan;
      means.say(`Has plan ${rev} for ${lamps.length} lights, until ${new Date(expires).toISOString()}`);
    }
    reply(taken.answer);
  }

  function failing(what: string, work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) => means.say(`${what} failed: ${String(error)}`));
  }

  await onSite.start(plans.plan);
  link.start();
  return {
    link,
    onSite,
    stop: async (say) => {
      link.stop(say);
      await onSite.stop();
      await Promise.all([orders.close(), ring.close()]);
    },
  };
}
