import { env, runInDurableObject } from "cloudflare:test";
import { database } from "#db/database";
import { planKey } from "#durable/agents/plan-key";
import { runEngine, type Engine } from "#durable/engine";
import { migrate } from "#durable/state/migrate";
import type { Toggle } from "#durable/requests/begin-toggle";
import { toggle, toggleMany, type ToggleManyRequest, type ToggleRequest } from "#durable/requests/toggle";
import { lampState, mockProvider, setFaults, switchLamp, type Fault } from "#durable/providers/mock";
import { AgentLines, type Line } from "#durable/providers/agent-lines";
import { carriedBy } from "#durable/providers/agent-socket";
import type { Provider, Providers } from "#durable/providers/provider";
import { setMeta } from "#durable/state/meta";
import { transact, type EngineContext, type LiveSocket, type Ports } from "#durable/state/context";
import { sync } from "#durable/sync/sync";
import type { ToggleResult, ToggleRow } from "#domain/records/records";
import type { ProviderMode, SwitchAction, ToggleAction } from "#domain/enums";
import { Wire } from "./wire";

/** Providers in place of the simulated lamps', on the same clock. */
export type Equip = (sql: SqlStorage, now: () => number, after: Ports["after"], agents: AgentLines) => Providers;

/** The end, the reason and the emergency of a toggle. */
export type MoreOfToggle = Pick<Toggle, "until" | "reason" | "emergency">;

const SOMEONE = { id: "someone", email: "someone@parks.example" };

/** `journal`: see Wire. With `drains`, what waits there is in D1 whenever the test may look. */
type Options = { journal: boolean; drains?: boolean };

/** `outside`: it waits in the world, not in the process that may die. */
type Waiter = { at: number; n: number; release: () => void; outside: boolean };

/** Callbacks for an observer, as things happen. */
export type Watch = {
  /** The engine starts to serve an alarm, a hint or a person; `why` says which. */
  acts: (why: "alarm" | "hint" | "toggle") => void;
  /** A transaction was committed; `hasPosted` if it left facts for D1 in the outbox. */
  committed: (hasPosted: boolean) => void;
  died: () => void;
  /** An alarm has been served; the clock may have moved meanwhile. */
  served: () => void;
};

/** One that is set back by more was wrong by hours, and is followed. */
export const LONGEST_STANDSTILL_MS = 600_000;

/** Log lines of the engine that fail any test. */
const BROKEN = new Set<unknown>(["tick.failed", "runner.failed", "outbox.failed"]);

/** Thrown into whatever still runs when the process dies. */
class Gone extends Error {}

/**
 * The real engine on a real SQLite and a real D1, under a virtual clock. Only the clock, the alarm's delivery and, through
 * the mock provider, the lamps are replaced. The process can be made to die between any two steps.
 */
export class World {
  now: number;
  /** How far each reading of the clock moves it, as a real clock moves while the engine works. */
  reading_ms = 0;
  /** The error of the process's clock, for the engine that reads it and the alarm that it sets. */
  skew_ms = 0;
  /** When the alarm will be delivered. */
  alarm_at: number | null = null;
  /** When the engine asked for it. */
  asked_at: number | null = null;
  /** The furthest that the engine has read its clock. */
  #shown = 0;
  #engine: Engine;
  readonly wire: Wire;
  /** The browsers that listen, and the lines of the agents. */
  sockets: LiveSocket[] = [];
  agentLines: Line[] = [];
  /** What went wrong, and the lines of the ticks, which only say what was done. */
  readonly lines: Record<string, unknown>[] = [];
  readonly ticks: Record<string, unknown>[] = [];
  watch: Watch = { acts: () => undefined, committed: () => undefined, died: () => undefined, served: () => undefined };
  /** Nothing is served before then. */
  down_until = 0;
  /** The process died and nothing has started it again. */
  isAsleep = false;
  #waiters: Waiter[] = [];
  #n = 0;
  #ringing: number | null = null;
  #asking: number | null = null;
  #fuse: { points: number; down_ms: number } | null = null;
  /** People who wait for an answer, each with what to tell them if nobody answers. */
  #people: { nobody: () => void }[] = [];
  #fault: unknown = null;
  readonly #drains: boolean;

  constructor(
    readonly org_id: string,
    readonly storage: DurableObjectStorage,
    now: string,
    readonly equip?: Equip,
    options?: Options,
  ) {
    this.now = Date.parse(now);
    this.wire = new Wire(env.DB, (ms) => new Promise((done) => this.outside(ms, done)), options);
    this.#drains = options?.drains ?? false;
    migrate(storage);
    this.#engine = this.#newEngine();
    transact(this.context, () => setMeta(storage.sql, "org_id", org_id));
  }

  get context(): EngineContext {
    return this.#engine.context;
  }

  /** Moves the clock to `at`, serving every alarm and wait on the way, in order. */
  async to(at: string | number): Promise<void> {
    const end = typeof at === "number" ? at : Date.parse(at);
    if (this.#drains) this.wire.changed();
    for (;;) {
      await this.calm();
      const next = this.#next();
      if (!next || next.at > end) break;
      this.now = Math.max(this.now, next.at);
      next.serve();
    }
    this.now = Math.max(this.now, end);
    await this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#drains) await this.wire.drain();
  }

  /** One delivery of the alarm, asked for or not. */
  async ring(): Promise<void> {
    this.#ring();
    await this.calm();
    await this.#drain();
  }

  /** Waits for everything that needs no clock, the outbox included. */
  async calm(): Promise<void> {
    for (;;) {
      await scheduler.wait(0);
      if (this.wire.underWay === 0) break;
      await this.wire.idle();
    }
    if (this.#fault !== null) throw this.#fault;
  }

  async sync(): Promise<void> {
    if (this.now < this.down_until) return;
    const context = this.#woken("hint");
    if (context === null) return;
    if (this.#drains) this.wire.changed();
    void this.#watched(context, sync(context), () => this.wire.state.kind === "up");
    await this.calm();
    await this.#drain();
  }

  /** A person's toggle; moves the clock until it is answered. */
  async toggle(device_id: string, action: ToggleAction, more: MoreOfToggle = {}): Promise<ToggleResult> {
    const answers: ToggleResult[] = [];
    this.beginToggle(device_id, action, (answer) => answers.push(answer), undefined, more);
    return this.#answered(answers);
  }

  /** A person's toggle of many; moves the clock until it is answered. */
  async toggleMany(device_ids: string[], action: ToggleAction, more: MoreOfToggle = {}): Promise<ToggleRow[]> {
    const answers: ToggleRow[][] = [];
    const request: ToggleManyRequest = { device_ids, action, actor: SOMEONE, ...more };
    this.beginRequest(
      (context, since) => toggleMany(context, request, since),
      (rows) => answers.push(rows),
      () => undefined,
    );
    return this.#answered(answers);
  }

  async #answered<T>(answers: T[]): Promise<T> {
    await this.calm();
    for (;;) {
      const [result] = answers;
      if (result) await this.#drain();
      if (result) return result;
      const next = this.#next();
      if (!next) throw new Error("the press waits for nothing");
      await this.to(next.at);
    }
  }

  /** A person's toggle while the clock may go on; calls `begins` when the engine starts on it. */
  beginToggle(
    device_id: string,
    action: ToggleAction,
    then: (result: ToggleResult) => void,
    begins: () => void = () => undefined,
    more: MoreOfToggle = {},
  ): void {
    const request: ToggleRequest = { device_id, action, actor: SOMEONE, ...more };
    const asks = (context: EngineContext, since: number) => toggle(context, request, since);
    this.beginRequest(asks, then, () => then(nobody(action)), begins, device_id);
  }

  /** A person asks for something while the clock may go on. Calls `unanswered` where nobody is there to serve it. */
  beginRequest<T>(
    asks: (context: EngineContext, since: number) => Promise<T>,
    then: (result: T) => void,
    unanswered: () => void,
    begins: () => void = () => undefined,
    device_id?: string,
  ): void {
    if (this.now < this.down_until) return unanswered();
    const context = this.#woken("toggle");
    if (context === null) return unanswered();
    const person = { nobody: unanswered };
    this.#people.push(person);
    const asked = async () => {
      const result = await this.#engine.serve((since) => {
        if (context !== this.context) throw new Gone("the process is gone");
        begins();
        return asks(context, since);
      }, device_id);
      if (!this.#people.includes(person)) return;
      this.#people = this.#people.filter((other) => other !== person);
      then(result);
    };
    void this.#watched(context, asked());
  }

  /** The process dies: memory is lost, and calls under way never report. The clock may move while it is down. */
  die(down_ms = 0): void {
    this.#fuse = null;
    this.down_until = this.now + down_ms;
    this.#waiters = this.#waiters.filter((waiter) => waiter.outside);
    // An alarm that was being served is delivered again, and so is the one that it had set.
    this.alarm_at = earlier(this.alarm_at, this.#ringing);
    this.asked_at = earlier(this.asked_at, this.#asking);
    this.#ringing = null;
    this.#asking = null;
    this.isAsleep = true;
    this.#engine = this.#newEngine();
    const people = this.#people.splice(0);
    this.watch.died();
    for (const person of people) person.nobody();
  }

  /** Lets the process die after `steps` more steps: a transaction's begin or end, an answer from D1 or a lamp. */
  dieAfter(points: number, down_ms: number): void {
    this.#fuse = { points, down_ms };
  }

  /** The runtime starts the object again and delivers an overdue alarm. */
  async restart(at: string): Promise<void> {
    this.now = Date.parse(at);
    this.isAsleep = true;
    await this.ring();
  }

  /** D1 does not answer until it is up again. */
  setDatabaseDown(isDown: boolean): void {
    this.wire.state = { kind: isDown ? "down" : "up" };
  }

  /** Somebody changes the object's tables under the engine, which has to ask for everything again. */
  tamper(statement: string, ...values: (string | number)[]): void {
    this.storage.sql.exec(statement, ...values);
    this.context.sql.kept?.forget();
  }

  lamp(lamp: string): SwitchAction {
    return lampState(this.storage.sql, lamp);
  }

  switchExternally(lamp: string, state: SwitchAction): void {
    switchLamp(this.storage.sql, lamp, state, this.now);
  }

  fault(of: string, ...faults: Fault[]): void {
    setFaults(this.storage.sql, of, faults);
  }

  /** Replaces the provider by `part`, which gets the original; returns how to undo it. */
  wrapProvider(part: (real: Provider, mode: ProviderMode) => Partial<Provider>): () => void {
    const { context } = this;
    const { providers } = context;
    context.providers = (mode) => {
      const real = providers(mode);
      return { ...real, ...part(real, mode) };
    };
    return () => {
      context.providers = providers;
    };
  }

  /** Calls back after `ms`, even if the process dies. */
  outside(ms: number, release: () => void): void {
    this.#waiters.push({ at: this.now + ms, n: this.#n++, release, outside: true });
  }

  /** The sweep that runs every five minutes and restores a lost alarm. */
  sweepAfter(ms: number): void {
    this.outside(ms, () => {
      if (this.now >= this.down_until) this.#ring("ensure");
    });
  }

  /** What the engine's clock shows: it stands still while the real one is a little behind what it has shown. */
  get clock(): number {
    return this.#shownAt(this.now + this.skew_ms);
  }

  #shownAt(instant: number): number {
    return this.#shown - instant > LONGEST_STANDSTILL_MS ? instant : Math.max(this.#shown, instant);
  }

  get isRinging(): boolean {
    return this.#ringing !== null;
  }

  /** Delivers an answer from outside to the process if it still lives, and calls `heard`. */
  deliver<T>(answer: Promise<T>, response: (answer: T) => void): Promise<T> {
    const { context } = this;
    return new Promise((resolve) => {
      void answer.then((told) => {
        if (!this.#isAlive(context)) return;
        response(told);
        resolve(told);
      });
    });
  }

  /** One step of the process, at which it may die. */
  #isAlive(context: EngineContext): boolean {
    if (context !== this.context) return false;
    if (this.#fuse === null || (this.#fuse.points -= 1) > 0) return true;
    this.die(this.#fuse.down_ms);
    return false;
  }

  #wake(why: "alarm" | "hint" | "toggle"): EngineContext {
    this.watch.acts(why);
    const { context } = this;
    if (this.isAsleep) {
      this.isAsleep = false;
      context.armed_at = this.alarm_at;
      this.#engine.start();
    }
    return context;
  }

  /** Null if it died while starting. */
  #woken(why: "hint" | "toggle"): EngineContext | null {
    try {
      return this.#wake(why);
    } catch (error) {
      if (error instanceof Gone) return null;
      throw error;
    }
  }

  /** An alarm is delivered, or the sweep asks that one be set. */
  #ring(call: "ring" | "ensure" = "ring"): void {
    const was = this.alarm_at;
    const wasAsked = this.asked_at;
    try {
      const context = this.#wake("alarm");
      // A process that has just started may have set a sooner one.
      this.#ringing = earlier(was, this.alarm_at) ?? this.now;
      this.#asking = earlier(wasAsked, this.asked_at) ?? this.now;
      this.alarm_at = null;
      this.asked_at = null;
      const served = this.#engine[call]().then(() => {
        if (context !== this.context) return;
        this.#ringing = null;
        this.#asking = null;
        this.watch.served();
      });
      void this.#watched(context, served);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
  }

  /** Ignores errors in a dead process; any other error fails the test. */
  #watched(context: EngineContext, work: Promise<unknown>, counts: () => boolean = () => true): Promise<void> {
    return work.then(
      () => undefined,
      (error: unknown) => {
        if (context === this.context && counts()) this.#fault ??= error;
      },
    );
  }

  #newEngine(): Engine {
    const now = () => {
      this.now += this.reading_ms;
      // One that has not started yet shows nothing: by then the clock may be right again.
      if (!this.isAsleep) this.#shown = this.#shownAt(this.now + this.skew_ms);
      return this.now + this.skew_ms;
    };
    const after: EngineContext["after"] = (ms, release) => {
      const waiter = { at: this.now + ms, n: this.#n++, release, outside: false };
      this.#waiters.push(waiter);
      return () => this.#forget(waiter);
    };
    const mock = mockProvider(this.storage.sql, now, (ms) => new Promise((done) => after(ms, done)));
    const living = () => {
      if (!this.#isAlive(context)) throw new Gone("the process is gone");
    };
    const agents = new AgentLines({
      lines: (agent_id) =>
        this.agentLines.filter(({ socket }) => agent_id === undefined || carriedBy(socket)?.agent_id === agent_id),
      now,
      after,
    });
    let asked: number | null = null;
    let hasPosted = false;
    let depth = 0; // a nested transaction commits with the outer one
    const engine = runEngine({
      storage: {
        transactionSync: (change) => {
          if (depth > 0) return this.storage.transactionSync(change);
          living();
          asked = null;
          hasPosted = false;
          depth += 1;
          const result = this.#within(change, () => (depth -= 1));
          if (asked !== null) {
            this.alarm_at = asked;
            this.asked_at = asked;
          }
          this.watch.committed(hasPosted);
          living();
          return result;
        },
        setAlarm: async (at) => {
          asked = Number(at);
        },
      },
      sql: this.storage.sql,
      db: database(this.wire.d1),
      providers: this.equip?.(this.storage.sql, now, after, agents) ?? (() => mock),
      now,
      after,
      measure: () => undefined,
      log: (line) => {
        const list = line["event"] === "tick" ? this.ticks : this.lines;
        list.push({ at: new Date(this.now).toISOString(), ...line });
        if (context === this.context && BROKEN.has(line.event)) this.#fault ??= new Error(JSON.stringify(line));
      },
      connections: 202,
      runners: 0,
      sms: null,
      post: async () => ({ ok: false, failure: "unsent", status: null, detail: "it could not be reached" }),
      loopback: false,
      sockets: () => this.sockets,
      agents,
      direct_hubs: true,
      unseal: (sealed) => Promise.resolve(sealed),
      planKey: () => planKey(btoa("a secret of the tests"), this.org_id),
    });
    const { context } = engine;
    const { startRunners, flushSoon } = context;
    context.startRunners = () => {
      if (context === this.context) startRunners();
    };
    context.flushSoon = () => {
      hasPosted = true;
      if (context === this.context) flushSoon();
    };
    return engine;
  }

  #within<T>(change: () => T, done: () => void): T {
    try {
      return this.storage.transactionSync(change);
    } finally {
      done();
    }
  }

  /** The next wait, or the alarm unless it is being served. */
  #next(): { at: number; serve: () => void } | null {
    const waiter = this.#waiters.reduce<Waiter | null>(
      (first, w) => (first === null || w.at < first.at || (w.at === first.at && w.n < first.n) ? w : first),
      null,
    );
    const rings =
      this.alarm_at !== null && this.#ringing === null
        ? Math.max(this.alarm_at - this.skew_ms, this.down_until)
        : Infinity;
    if (rings < (waiter?.at ?? Infinity)) return { at: rings, serve: () => this.#ring() };
    if (!waiter) return null;
    return {
      at: waiter.at,
      serve: () => {
        this.#forget(waiter);
        waiter.release();
      },
    };
  }

  #forget(waiter: Waiter): void {
    this.#waiters = this.#waiters.filter((w) => w !== waiter);
  }
}

function nobody(action: ToggleAction): ToggleResult {
  return { success: false, action, state: "unknown", provider: null, detail: "the scheduler did not answer" };
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Runs a test inside a Durable Object of its own, so that the engine has the real storage. */
export async function inWorld(
  org_id: string,
  now: string,
  story: (world: World) => Promise<void>,
  equip?: Equip,
  options?: Options,
): Promise<void> {
  const stub = env.SCHEDULER.get(env.SCHEDULER.newUniqueId());
  await runInDurableObject(stub, async (_instance, state) => {
    await story(new World(org_id, state.storage, now, equip, options));
  });
}

/**
 * The same where D1 plays no part in the story: what the engine writes there is written at once when the test may look. It
 * would take most of the time of long hours.
 */
export function inWorldOfLateRows(
  org_id: string,
  now: string,
  story: (world: World) => Promise<void>,
  equip?: Equip,
): Promise<void> {
  return inWorld(org_id, now, story, equip, { journal: true, drains: true });
}
