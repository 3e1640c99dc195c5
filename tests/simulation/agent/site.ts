import { step, newAutonomy, type Act, type AgentEvent, type Autonomy } from "#domain/agent/autonomy";
import { cityClock, lonelyClock, timeAt, type SiteClock } from "#domain/agent/clock";
import { toAgent, type AgentAnswer, type AgentLogEntry, type FromAgent, type ToAgent } from "#domain/agent/frames";
import type { Now } from "#domain/agent/lamp-on-site";
import { joinPart, type Parts } from "#domain/agent/plan-parts";
import { takePlan } from "#domain/agent/take-plan";
import type { SwitchAction } from "#domain/enums";
import { leave, receive } from "#durable/agents/receive";
import { carry } from "#durable/providers/agent-socket";
import type { Cmd } from "#tests/support/an-agent";
import { Socket } from "#tests/support/an-agent";
import type { World } from "#tests/support/engine";
import type { Lamps } from "./lamps";

/** Signed outside of the virtual time, plans would come at other instants each time a life is lived. */
export const SIMPLE_KEY = { public_key: "key", sign: (text: string) => Promise.resolve(`signed ${text.length}`) };

const LINE_MS = 20;
const HUB_MS = 300;
/** How often the program looks at the clock: while something is under way, and else. */
const BUSY_TICK_MS = 1_000;
const IDLE_TICK_MS = 15_000;
/** How often the lamps are judged while nothing can happen. */
const JUDGED_MS = 60_000;
const ENTRIES_A_FRAME = 100;

type Coming = { at: number; happens: () => void };
type Asked = Exclude<Act, { do: "log" }>;
type SignedPlan = Pick<Extract<ToAgent, { type: "plan" }>, "rev" | "body" | "sig">;
export type Switching = Pick<Extract<Asked, { do: "switch" }>, "action" | "off_after_min">;

/**
 * The program on site, on the world's clock: our autonomy, clock and plan, with a line and a store of its own. While it is
 * linked it has nothing to do but what it is told, and its clock does not tick.
 */
export class Site {
  state: Autonomy;
  #clock: SiteClock;
  #booted_at: number;
  /** Which run of the program this is: what an earlier one began comes to nothing. */
  #run = 0;
  isRunning = true;
  isLineUp = false;
  #socket: Socket | null = null;
  #pinged_at = 0;
  #parts: Parts | null = null;
  #log: AgentLogEntry[] = [];
  #told = 0;
  /** What comes next on site, while it is alone; when the program last looked at the clock; and how far it has lived. */
  #coming: Coming[] = [];
  #ticked_at = 0;
  /** Whether each tick of this time alone is lived, and not only those that can change anything. */
  #isInFull = true;
  #alone_at = 0;
  #cut_at = 0;
  entries = 0;
  /** How many of them tell of a switch. */
  switches = 0;
  #acks = 0;
  /** The plans that came, as they came. */
  #frames: SignedPlan[] = [];
  /** Sees what the agent does by itself, and each tick. */
  watch = {
    switched: (_device: string, _ask: Switching, _now: Now): void => {},
    ordered: (_device: string, _off_after_min: number | null): void => {},
    tried: (_device: string, _action: SwitchAction, _isDone: boolean): void => {},
    ticked: (): void => {},
  };

  constructor(
    readonly world: World,
    readonly id: string,
    readonly lamps: Lamps,
  ) {
    this.#booted_at = world.now;
    this.#clock = cityClock(world.now, 0);
    this.state = newAutonomy(this.time);
  }

  /** The true time. */
  get now(): number {
    return this.isLineUp ? this.world.now : Math.max(this.#alone_at, this.#cut_at);
  }

  get time(): Now {
    return timeAt(this.#clock, this.now - this.#booted_at);
  }

  /** The line is there, and the program says hello. */
  mend(): void {
    this.isLineUp = true;
    if (this.isRunning) this.#connect();
  }

  /**
   * The line is cut `silent_ms` after the last word. `isNoticed`: the city hears of it at once; `isInFull`: each tick is
   * lived until it is mended.
   */
  cut(silent_ms: number, { isNoticed, isInFull }: { isNoticed: boolean; isInFull: boolean }): void {
    const { time } = this;
    this.isLineUp = false;
    this.#isInFull = isInFull;
    this.#cut_at = this.world.now;
    this.#coming = [];
    if (this.isRunning && this.state.mode !== "alone")
      this.#send({ type: "heard" }, { ...time, at: time.at - silent_ms, mono: time.mono - silent_ms });
    if (isNoticed) this.#hangUp();
    this.#ticked_at = this.now;
  }

  crash(): void {
    this.isRunning = false;
    this.#run += 1;
    this.#hangUp();
  }

  /** `own` is its computer's clock. */
  boot(own: { at: number; isSynced: boolean }): void {
    const stored = this.state.since;
    const state: Autonomy = JSON.parse(JSON.stringify(this.state));
    this.state = state;
    this.isRunning = true;
    this.#booted_at = this.now;
    this.#clock = lonelyClock(own, stored, 0);
    this.#parts = null;
    this.#send({ type: "boot" });
    this.#ticked_at = this.now;
  }

  /** The city's process is replaced, and its sockets with it. */
  reconnect(): void {
    this.#hangUp();
    if (this.isLineUp && this.isRunning) this.#connect();
  }

  #connect(): void {
    const { world, id } = this;
    const old = this.#socket;
    if (old && old.readyState === 1) world.context.agents.hangUp(old, "replaced", "The same agent has connected again");
    const socket = new Socket(
      (text) => this.#hear(socket, text),
      () => {},
    );
    const { now } = world;
    carry(socket, {
      agent_id: id,
      generation: 1,
      connection: `${id}@${now}@${this.#run}`,
      since: now,
      proto: null,
      welcomed_at: null,
      settled_at: null,
    });
    this.#pinged_at = now;
    const pingedAt = () => (this.isLineUp && socket === this.#socket ? (this.#pinged_at = world.now) : this.#pinged_at);
    world.agentLines = [
      {
        socket,
        get pinged_at() {
          return pingedAt();
        },
      },
    ];
    this.#socket = socket;
    const log_from = this.#log[0]?.n ?? null;
    const plan_rev = this.state.plan?.rev ?? null;
    this.#say({ type: "hello", proto: [1, 1], agent: "1.0.0", boot: `b${this.#run}`, log_from, plan_rev, hubs: [] });
  }

  #hangUp(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.world.agentLines = [];
    if (!socket || socket.readyState !== 1) return;
    socket.readyState = 3;
    leave(this.world.context, socket);
  }

  #say(frame: FromAgent): void {
    const socket = this.#socket;
    const text = JSON.stringify(frame);
    this.world.outside(LINE_MS, () => {
      if (socket && socket === this.#socket && this.isLineUp) void receive(this.world.context, socket, text);
    });
  }

  #hear(socket: Socket, text: string): void {
    this.world.outside(LINE_MS, () => {
      if (socket === this.#socket && this.isLineUp && this.isRunning) this.#take(toAgent.parse(JSON.parse(text)));
    });
  }

  #take(frame: ToAgent): void {
    // The pongs of a quiet day are not made one by one.
    this.#send({ type: "heard" });
    switch (frame.type) {
      case "welcome":
        return this.#welcomed(frame);
      case "plan":
        return this.#plan(frame);
      case "cmd":
        return this.#obey(frame);
      case "ack":
        // Some do not arrive, and what they were for is told again.
        if ((this.#acks += 1) % 3 !== 0) this.#log = this.#log.filter(({ n }) => n > frame.upto);
        return;
      default:
        return;
    }
  }

  #welcomed({ now, ask_states }: Extract<ToAgent, { type: "welcome" }>): void {
    this.#clock = cityClock(now + LINE_MS, this.world.now - this.#booted_at);
    this.#send({ type: "linked" });
    for (let n = 0; n < this.#log.length; n += ENTRIES_A_FRAME) {
      const isLast = n + ENTRIES_A_FRAME >= this.#log.length;
      this.#say({ type: "log", entries: this.#log.slice(n, n + ENTRIES_A_FRAME), isLast });
    }
    if (!this.lamps.areHubsUp || ask_states.length === 0) return;
    const states = ask_states.map((device) => ({ device, state: this.lamps.state(device), at: this.world.now }));
    this.#say({ type: "states", states });
  }

  #plan(frame: Extract<ToAgent, { type: "plan" }>): void {
    const { parts, whole } = joinPart(this.#parts, frame);
    this.#parts = parts;
    if (!whole) return;
    this.#frames = [...this.#frames.slice(-20), whole];
    const taken = this.#taken(whole);
    if (!taken.ok) return this.#say({ type: "plan_refused", rev: whole.rev, why: taken.why });
    this.#send({ type: "plan", plan: taken.plan });
    this.#say({ type: "plan_ok", rev: whole.rev });
  }

  #taken({ rev, body, sig }: SignedPlan): ReturnType<typeof takePlan> {
    const isSigned = sig === `signed ${body.length}`;
    return takePlan({ body, rev, isSigned }, { agent: this.id, held: this.state.plan?.rev ?? null });
  }

  /** Somebody on the way brings a plan that is not the city's, or not the last; answers whether it is taken. */
  isMisled(): boolean {
    const last = this.#frames.at(-1);
    const older = this.#frames.find(({ rev }) => rev < (this.state.plan?.rev ?? 0));
    const forged = last && { ...last, sig: "signed by nobody" };
    return [forged, older].some((frame) => frame !== undefined && this.#taken(frame).ok);
  }

  #obey({ id, verb, action, device, off_after_min }: Cmd): void {
    const run = this.#run;
    this.world.outside(HUB_MS, () => {
      if (run !== this.#run) return;
      if (device !== null && action === "on") this.watch.ordered(device, off_after_min);
      this.#say({ type: "result", id, answer: this.#done(verb, action, device, off_after_min) });
    });
  }

  #done(
    verb: Cmd["verb"],
    action: SwitchAction | null,
    device: string | null,
    off_after_min: number | null,
  ): AgentAnswer {
    const details = { http_status: 200, snippet: "local: simulated", rtt_ms: HUB_MS };
    const isDone = this.lamps.areHubsUp;
    if (verb === "switch" && device !== null && action !== null) {
      this.watch.tried(device, action, isDone);
      if (!isDone) this.#send({ type: "commanded", device, action, isSent: false });
      if (!isDone && action === "on") this.#send({ type: "silent", device });
    }
    if (!isDone) {
      const failures: AgentAnswer["failures"] = [{ where: "hub", reason: "unreachable" }];
      return { ok: false, reason: "unreachable", detail: "the hub is away", ...details, failures: failures ?? [] };
    }
    if (device === null) return { ok: true, state: "unknown", ...details };
    if (verb === "switch" && action !== null) {
      this.lamps.switch(device, action, "city", off_after_min);
      this.#send({ type: "commanded", device, action, isSent: true });
    }
    const state = this.lamps.state(device);
    this.#send({ type: "read", device, state });
    return { ok: true, state, ...details };
  }

  /** Without a line nothing crosses between the city and the site, so the site lives through the time by itself. */
  to(end: number): void {
    if (this.isLineUp) return;
    for (;;) {
      const next = this.#coming.reduce<Coming | null>(
        (first, one) => (first && first.at <= one.at ? first : one),
        null,
      );
      const ticks_at = this.isRunning ? this.#ticksAt(next !== null) : Infinity;
      const at = Math.min(next?.at ?? Infinity, Math.max(this.now, ticks_at));
      this.#judgeUpTo(Math.min(at, end));
      this.#alone_at = Math.min(at, end);
      if (at > end) break;
      if (next && next.at === at) {
        this.#coming = this.#coming.filter((one) => one !== next);
        next.happens();
      } else this.#tick();
    }
    if (this.isRunning) this.watch.ticked();
  }

  /** The lamps burn on while nothing happens. */
  #judgeUpTo(end: number): void {
    if (!this.isRunning) return;
    for (let at = this.now + JUDGED_MS; at < end; at += JUDGED_MS) {
      this.#alone_at = at;
      this.watch.ticked();
    }
  }

  #soon(ms: number, happens: () => void): void {
    const run = this.#run;
    this.#coming.push({ at: this.now + ms, happens: () => run === this.#run && !this.isLineUp && happens() });
  }

  #tick(): void {
    this.#ticked_at = this.now;
    this.#send({ type: "tick" });
    this.watch.ticked();
  }

  /** When the program looks at the clock next: at the first of its ticks that can change anything. */
  #ticksAt(isUnderWay: boolean): number {
    const lamps = Object.values(this.state.lamps);
    const isBusy = lamps.some(
      ({ pursuit, asked }) => asked !== null || (pursuit !== null && pursuit.due - this.time.mono < IDLE_TICK_MS),
    );
    if (isBusy || isUnderWay) return this.#ticked_at + BUSY_TICK_MS;
    const idle = this.#isInFull || !this.#isAtRest() ? 0 : this.#nextEdge() - this.#ticked_at;
    return this.#ticked_at + Math.max(1, Math.ceil(idle / IDLE_TICK_MS)) * IDLE_TICK_MS;
  }

  /** Nothing is pursued, and to read the lamps again would tell nothing new. */
  #isAtRest(): boolean {
    return (
      this.state.mode === "alone" &&
      Object.entries(this.state.lamps).every(
        ([device, { state, pursuit }]) =>
          pursuit === null && (!this.lamps.areHubsUp || state === this.lamps.state(device)),
      )
    );
  }

  /** When the plan next asks for anything that is not dealt with, or a lamp has been on for its longest time. */
  #nextEdge(): number {
    const { plan, lamps, since } = this.state;
    const edges = (plan?.lamps ?? []).flatMap(({ device, on, dark, max_on_ms }) => {
      const lit = [lamps[device]?.lit_since ?? 0, ...on.map(([from]) => from)];
      return [...on.flat(), ...dark.flat(), ...lit.map((from) => from + (max_on_ms ?? Infinity))];
    });
    const next = [...edges, plan?.expires ?? Infinity].reduce((a, b) => (b > since && b < a ? b : a), Infinity);
    return this.now + (next - this.time.at);
  }

  #send(event: AgentEvent, now = this.time): void {
    const { state, acts } = step(this.state, event, now);
    this.state = state;
    for (const act of acts) {
      if (act.do === "log") this.#note(act.entry);
      else this.#do(act);
    }
  }

  #note(entry: Omit<AgentLogEntry, "n">): void {
    this.#told += 1;
    this.entries += 1;
    if (entry.action !== null && entry.attempts > 0) this.switches += 1;
    this.#log.push({ ...entry, n: this.#told });
  }

  #do(ask: Asked): void {
    const { device } = ask.lamp;
    this.#soon(HUB_MS, () => {
      const { areHubsUp } = this.lamps;
      if (ask.do === "read")
        return this.#send({ type: "read", device, state: areHubsUp ? this.lamps.state(device) : "unknown" });
      const isLate = ask.not_after !== null && this.time.at >= ask.not_after;
      // The city is master again, and what the agent had begun is off.
      const isDone = areHubsUp && !isLate && this.state.mode === "alone";
      if (isDone) {
        this.watch.switched(device, ask, this.time);
        this.lamps.switch(device, ask.action, "agent", ask.off_after_min);
      }
      this.#send({ type: "switched", device, isSent: isDone });
    });
  }
}
