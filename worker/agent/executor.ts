import type { SwitchAction } from "#domain/enums";
import { assertNever } from "#domain/assert-never";
import type { AgentAnswer, ToAgent } from "#domain/agent/frames";
import type { HubAddress } from "#durable/providers/provider";
import type { Transport, TransportCall } from "#durable/providers/transport";
import { notDone, toAnswer, toListAnswer } from "./answers";
import { callUntil } from "./call";
import type { HubClock } from "./hub-calls";
import type { Hubs } from "./hubs";
import type { Lanes, Rank } from "./lanes";
import type { Arrival } from "./link";
import type { Means } from "./means";
import { setOffTimer } from "./off-timer";
import type { Orders } from "./store/orders";

export type Command = ToAgent & { type: "cmd" };

/** What a switch or a reading for the city has come to, for whoever keeps an eye on the lamps. */
export type Noted = { device: string; action: SwitchAction | null; answer: AgentAnswer };

export type ExecutorDeps = {
  means: Means;
  hubs: Hubs;
  lanes: Lanes;
  orders: Orders;
  transport: Transport & { now: HubClock };
  note: (noted: Noted) => void;
};

/** So many commands at once; the hubs behind one agent are a park's, not a city's. */
const MOST_AT_ONCE = 32;
const THROTTLED_MS = 500;
const REMEMBERED_MS = 10 * 60_000;
const LATE = notDone("late", "the command came too late and was not carried out");

/** Carries out what the city asks, each command at most once and none too late. */
export class Executor {
  /** By the command's id: one that comes again gets the same answer. */
  readonly #answers = new Map<string, { answer: Promise<AgentAnswer>; since: number }>();

  constructor(private readonly deps: ExecutorDeps) {}

  /** Settles when there is an answer; never throws. */
  take(command: Command, arrival: Pick<Arrival, "at" | "delay_ms">): Promise<AgentAnswer> {
    this.#forget();
    const known = this.#answers.get(command.id);
    if (known) return known.answer;
    const answer = this.#answer(command, arrival).catch((error: unknown) => {
      this.deps.means.say(`A command failed: ${String(error)}`);
      return notDone("timeout", "the agent has a fault, see its journal");
    });
    this.#answers.set(command.id, { answer, since: arrival.at });
    return answer;
  }

  #answer(command: Command, { at, delay_ms }: Pick<Arrival, "at" | "delay_ms">): Promise<AgentAnswer> {
    const { lanes, means } = this.deps;
    const until = at - delay_ms + command.for_ms;
    if (means.mono() >= until) return Promise.resolve(LATE);
    if (lanes.size >= MOST_AT_ONCE) {
      return Promise.resolve({ ...notDone("throttled", "the agent is busy"), retry_after_ms: THROTTLED_MS });
    }
    return lanes.run(command.hub, rankOf(command), async () => {
      const left_ms = until - means.mono();
      return left_ms > 0 ? this.#call(command, left_ms) : LATE;
    });
  }

  async #call(command: Command, left_ms: number): Promise<AgentAnswer> {
    const { hubs, transport } = this.deps;
    const found = hubs.find(command.hub);
    if (!found.ok) return notDone("refused", found.detail, "hub");
    const answer = await this.#ask(command, found.hub, callUntil(transport.now() + left_ms));
    const isHubWell = answer.ok || !answer.failures?.some(({ where }) => where === "hub");
    hubs.answered(command.hub, isHubWell, answer.snippet);
    const { device, verb, action } = command;
    if (device !== null && (verb === "switch" || verb === "read")) this.deps.note({ device, action, answer });
    return answer;
  }

  async #ask(command: Command, hub: HubAddress, call: TransportCall): Promise<AgentAnswer> {
    const { transport } = this.deps;
    const { verb } = command;
    switch (verb) {
      case "switch":
        return this.#switch(command, hub, call);
      case "read":
        return command.address
          ? toAnswer(await transport.read({ ...command.address, hub }, call))
          : notDone("refused", "the command names no lamp");
      case "ping":
        return toAnswer(await transport.ping(hub, call));
      case "list": {
        const began = transport.now();
        return toListAnswer(await transport.list(hub, call), transport.now() - began);
      }
      default:
        return assertNever(verb);
    }
  }

  async #switch(command: Command, hub: HubAddress, call: TransportCall): Promise<AgentAnswer> {
    const { orders, transport } = this.deps;
    const { action, address, device, order } = command;
    if (!action || !address || !device) return notDone("refused", "the command names no lamp or no action");
    if (orders.isStale(device, order)) return notDone("stale", "a newer command for this light came first");
    const isKept = await orders.take(device, order);
    // A lamp that can't be put out is worse than an OFF that might be done twice.
    if (!isKept && action === "on") return notDone("refused", "the agent's disk can't be written to", "hub");
    if (transport.now() > call.until) return LATE;
    const answer = toAnswer(await transport.switch({ ...address, hub }, action, call));
    const { hub: id, off_after_min: minutes } = command;
    if (answer.ok && action === "on" && minutes !== null) {
      const isWanted = () => !orders.isStale(device, order + 1);
      setOffTimer(this.deps, { hub: id, address, minutes, isWanted });
    }
    return answer;
  }

  #forget(): void {
    const before = this.deps.means.mono() - REMEMBERED_MS;
    for (const [id, { since }] of this.#answers) {
      if (since > before) return; // they are in their order
      this.#answers.delete(id);
    }
  }
}

function rankOf({ verb, action }: Command): Rank {
  return verb === "switch" ? (action ?? "off") : "read";
}
