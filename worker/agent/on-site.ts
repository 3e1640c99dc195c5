import { join } from "node:path";
import { z } from "zod";
import { newAutonomy, step, withoutAsked, type Act, type AgentEvent, type Autonomy } from "#domain/agent/autonomy";
import type { Ask } from "#domain/agent/asks";
import { DEVICE_STATES, SWITCH_ACTIONS, type DeviceState } from "#domain/enums";
import type { PlannedLamp, StandingPlan } from "#domain/agent/standing-plan";
import type { AgentLogEntry } from "#domain/agent/frames";
import { toAnswer } from "./answers";
import { callUntil } from "./call";
import type { Noted } from "./executor";
import { setOffTimer, type TimerDeps } from "./off-timer";
import type { OnSiteClock } from "./site-clock";
import { KeptFile } from "./store/kept-file";

export type OnSiteDeps = TimerDeps & {
  clock: OnSiteClock;
  folder: string;
  log: (entry: Omit<AgentLogEntry, "n">) => void;
};

const TICK_MS = 1_000;
const CALL_MS = 6_000;
/** While the city is master little is lost with what was not kept, and a memory card wears out by writing. */
const SAVE_EVERY_MS = 60_000;

const action = z.enum(SWITCH_ACTIONS);
const lampOnSite = z.object({
  state: z.enum(DEVICE_STATES),
  lit_since: z.number().nullable(),
  isOurs: z.boolean(),
  isOwed: z.boolean().default(false), // an agent of before has not kept it
  read_at: z.number().nullable(),
  asked: z.object({ what: z.union([action, z.literal("read")]), since: z.number() }).nullable(),
  pursuit: z
    .object({
      action,
      step: z.enum(["look", "send", "check"]),
      due: z.number(),
      attempts: z.number(),
      isTold: z.boolean(),
      why: z.string(),
    })
    .nullable(),
});
const kept = z.object({ since: z.number(), lamps: z.record(z.string(), lampOnSite) });

/** Keeps tonight's plan while the city can't be reached: gives the autonomy its clock, its memory and its hands. */
export class OnSite {
  #state: Autonomy;
  #savedLamps: Autonomy["lamps"] = {};
  #saved_at = 0;
  #callOff: () => void = () => undefined;
  readonly #underWay = new Set<Promise<void>>();
  readonly #kept: KeptFile<z.infer<typeof kept>>;

  constructor(private readonly deps: OnSiteDeps) {
    this.#state = newAutonomy(deps.clock.now);
    this.#kept = new KeptFile(join(deps.folder, "lamps.json"), kept);
  }

  get mode(): Autonomy["mode"] {
    return this.#state.mode;
  }

  /** Goes on where the last run of the program ended, with the plan that was kept. */
  async start(plan: StandingPlan | null): Promise<void> {
    const before = await this.#kept.read();
    this.#state = { ...newAutonomy(this.deps.clock.now), ...before };
    if (plan) this.tell({ type: "plan", plan });
    this.tell({ type: "boot" });
    this.#tick();
  }

  /** Begins nothing more, and keeps what has become of the calls that are under way. */
  async stop(): Promise<void> {
    this.#callOff();
    const isAlone = this.mode === "alone";
    // Each answer would lead to the next ask, for as long as a park has lamps.
    this.#state = { ...this.#state, mode: "doubt", heard: this.deps.clock.now.mono };
    await this.settled();
    this.#state = withoutAsked(this.#state);
    await this.#save(isAlone);
  }

  /** When all that follows from what was told so far is done. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Takes note of what has happened, and does what follows from it. */
  tell(event: AgentEvent): void {
    const { mode } = this.#state;
    const { state, acts } = step(this.#state, event, this.deps.clock.now);
    this.#state = state;
    if (state.mode !== mode) this.#sayMode();
    for (const act of acts) {
      const done = this.#act(act)
        .catch((error: unknown) => this.deps.means.say(`Failed: ${String(error)}`))
        .finally(() => this.#underWay.delete(done));
      this.#underWay.add(done);
    }
  }

  /** What the city has read or tried: the lamp is not as it was, or is still to be lit. */
  note({ device, action, answer }: Noted): void {
    if (action === null) return this.tell({ type: "read", device, state: answer.ok ? answer.state : "unknown" });
    // What came too late, or after a newer command, is not what the city wants now.
    if (!answer.ok && (answer.reason === "late" || answer.reason === "stale")) return;
    this.tell({ type: "commanded", device, action, isSent: mayBeDone(answer) });
    if (action === "on" && isHubSilent(answer)) this.tell({ type: "silent", device });
  }

  /** Reads lamps of the plan one after the other, since the city wants to know; those of other hubs at the same time. */
  async lookAt(devices: string[], found: (device: string, state: DeviceState) => void): Promise<void> {
    const wanted = (this.#state.plan?.lamps ?? []).filter(({ device }) => devices.includes(device));
    const hubs = new Set(wanted.map(({ hub }) => hub));
    await Promise.all(
      [...hubs].map(async (hub) => {
        for (const lamp of wanted.filter((one) => one.hub === hub)) {
          // By the plan that has come meanwhile the light may have another lamp, of which this one says nothing.
          const state = await this.#read(lamp, () => this.mode === "linked" && this.#isPlanned(lamp));
          if (state === null || !this.#isPlanned(lamp)) continue;
          this.tell({ type: "read", device: lamp.device, state });
          if (state !== "unknown") found(lamp.device, state);
        }
      }),
    );
  }

  #isPlanned({ device, hub, address }: PlannedLamp): boolean {
    const planned = this.#state.plan?.lamps.find((one) => one.device === device);
    return planned?.hub === hub && JSON.stringify(planned.address) === JSON.stringify(address);
  }

  #tick(): void {
    const { means, clock } = this.deps;
    this.#callOff = means.after(TICK_MS, () => this.#tick());
    this.tell({ type: "tick" });
    const isOld = means.mono() - this.#saved_at > SAVE_EVERY_MS;
    if (isOld) void clock.askComputer();
    if (isOld || (this.mode === "alone" && this.#state.lamps !== this.#savedLamps)) void this.#save();
  }

  async #act(act: Act): Promise<void> {
    if (act.do === "log") return this.deps.log(act.entry);
    if (act.do === "switch") return this.#switch(act);
    const { device } = act.lamp;
    const state = await this.#read(act.lamp, () => this.mode === "alone");
    if (state !== null) this.tell({ type: "read", device, state });
  }

  /** The lamp's state, `unknown` without an answer; null where it is not wanted any more when the hub is free. */
  #read({ hub, address }: PlannedLamp, isWanted: () => boolean): Promise<DeviceState | null> {
    const { lanes, hubs, transport } = this.deps;
    return lanes.run(hub, "read", async () => {
      if (!isWanted()) return null;
      const found = hubs.find(hub);
      if (!found.ok) return "unknown";
      const answer = await transport.read({ ...address, hub: found.hub }, callUntil(transport.now() + CALL_MS));
      hubs.answered(hub, answer.ok, answer.snippet);
      return answer.ok ? answer.state : "unknown";
    });
  }

  async #switch({ lamp, action, off_after_min: minutes, not_after }: Ask & { do: "switch" }): Promise<void> {
    const { lanes, hubs, transport, clock } = this.deps;
    const { hub, address, device } = lamp;
    // What is under way must be known to the next run of the program.
    await this.#save();
    const answer = await lanes.run(hub, action, async () => {
      if (this.mode !== "alone") return null;
      const found = hubs.find(hub);
      if (!found.ok) return false;
      const now = transport.now();
      const left_ms = not_after === null ? CALL_MS : not_after - clock.now.at;
      if (left_ms <= 0) return false;
      const result = await transport.switch(
        { ...address, hub: found.hub },
        action,
        callUntil(now + CALL_MS, now + left_ms),
      );
      hubs.answered(hub, result.ok, result.snippet);
      return toAnswer(result);
    });
    if (answer === null) return; // the city decides again
    const isSent = answer !== false && mayBeDone(answer);
    this.tell({ type: "switched", device, isSent });
    if (answer === false || !answer.ok || minutes === null) return;
    setOffTimer(this.deps, { hub, address, minutes, isWanted: () => this.mode !== "linked" });
  }

  async #save(isAlone = this.mode === "alone"): Promise<void> {
    const { since, lamps } = this.#state;
    this.#saved_at = this.deps.means.mono();
    try {
      await this.deps.clock.save();
      if (lamps === this.#savedLamps && !isAlone) return;
      await this.#kept.save({ since, lamps });
      this.#savedLamps = lamps;
    } catch (error) {
      this.deps.means.say(`The disk can't be written to: ${String(error)}`);
    }
  }

  #sayMode(): void {
    const { means } = this.deps;
    if (this.mode === "doubt") means.say("The city is silent");
    if (this.mode === "alone") means.say("The city can't be reached: keeping tonight's plan without it");
  }
}

/** What surely was not done need not be checked. */
function mayBeDone(answer: Noted["answer"]): boolean {
  return answer.ok || answer.reason === "timeout" || answer.reason === "device";
}

function isHubSilent(answer: Noted["answer"]): boolean {
  return (
    !answer.ok &&
    answer.failures.some(({ where, reason }) => where === "hub" && (reason === "unreachable" || reason === "timeout"))
  );
}
