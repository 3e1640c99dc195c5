import { env, runInDurableObject } from "cloudflare:test";
import { database } from "#db/database";
import { flush } from "#durable/outbox";
import { press, type Press } from "#durable/press";
import { lampState, mockProvider, setFaults, switchLamp, type Fault } from "#durable/providers/mock";
import type { Providers } from "#durable/providers/provider";
import { furnish, setMeta, transact, type Room } from "#durable/room";
import { run, runnersFor } from "#durable/runner";
import { sync } from "#durable/sync";
import { loseAllCalls, tick } from "#durable/tick";
import type { ToggleResult } from "#domain/records";
import type { SwitchAction } from "#domain/words";

/** Other providers than the simulated lamps', on the same clock. */
export type Equip = (sql: SqlStorage, now: () => number, after: Room["after"]) => Providers;

type Waiter = { at: number; n: number; release: () => void };

/**
 * The real engine on a real SQLite and a real D1, under a clock that only moves when told. Replaced are the clock, the
 * alarm's delivery, and, through the mock provider, the lamps.
 */
export class World {
  now: number;
  alarm_at: number | null = null;
  room: Room;
  #waiters: Waiter[] = [];
  #n = 0;
  #runners = 0;
  #isDirty = false;
  readonly lines: Record<string, unknown>[] = [];

  constructor(
    readonly org_id: string,
    readonly storage: DurableObjectStorage,
    now: string,
    readonly equip?: Equip,
  ) {
    this.now = Date.parse(now);
    furnish(storage.sql);
    this.room = this.#newRoom();
    transact(this.room, () => setMeta(storage.sql, "org_id", org_id));
  }

  /** Moves the clock to `at`, serving every alarm and every wait on the way, in their order. */
  async to(at: string | number): Promise<void> {
    const end = typeof at === "number" ? at : Date.parse(at);
    for (;;) {
      const waiter = this.#nextWaiter();
      const next = Math.min(waiter?.at ?? Infinity, this.alarm_at ?? Infinity);
      if (next > end) break;
      this.now = Math.max(this.now, next);
      if (waiter && waiter.at === next) this.#release(waiter);
      else await this.ring();
      await this.calm();
    }
    this.now = end;
  }

  /** One delivery of the alarm, asked for or not. */
  async ring(): Promise<void> {
    this.alarm_at = null;
    this.room.armed_at = null;
    await tick(this.room);
    this.room.armed_at = null;
    transact(this.room, () => undefined);
  }

  /** Lets everything that needs no clock come to rest, the outbox included. */
  async calm(): Promise<void> {
    await breathe();
    while (this.#isDirty) {
      this.#isDirty = false;
      await flush(this.room);
      await breathe();
    }
  }

  async sync(): Promise<void> {
    await sync(this.room);
    await this.calm();
  }

  /** A person's press, with the clock moving until it is answered. */
  async press(device_id: string, action: SwitchAction): Promise<ToggleResult> {
    const pressed: Press = { device_id, action, actor: { id: "someone", email: "someone@parks.example" } };
    let result: ToggleResult | null = null;
    void press(this.room, pressed).then((answered) => {
      result = answered;
    });
    await this.calm();
    while (result === null) {
      const waiter = this.#nextWaiter();
      if (!waiter) throw new Error("the press waits for nothing");
      await this.to(Math.min(waiter.at, this.alarm_at ?? Infinity));
    }
    await this.calm();
    return result;
  }

  /** The process dies: what was in memory is gone, calls under way never report. The clock may move while it is down. */
  die(): void {
    this.#waiters = [];
    this.#runners = Infinity; // whoever still runs in the dead room finds nobody to work for
    this.#isDirty = false;
    this.room = this.#newRoom();
    this.#runners = 0;
  }

  /** The runtime starts the object again: overdue alarms are delivered without anybody asking. */
  async restart(at: string): Promise<void> {
    this.now = Date.parse(at);
    this.room = this.#newRoom();
    loseAllCalls(this.room);
    await this.ring();
    await this.calm();
  }

  /** The database answers nothing until it is up again. */
  setDatabaseDown(isDown: boolean): void {
    const up = database(env.DB);
    const down = new Proxy(up, {
      get() {
        throw new Error("D1 does not answer");
      },
    });
    this.room.db = isDown ? down : up;
  }

  lamp(lamp: string): SwitchAction {
    return lampState(this.storage.sql, lamp);
  }

  byHand(lamp: string, state: SwitchAction): void {
    switchLamp(this.storage.sql, lamp, state, this.now);
  }

  fault(of: string, ...faults: Fault[]): void {
    setFaults(this.storage.sql, of, faults);
  }

  #newRoom(): Room {
    const now = () => this.now;
    const after: Room["after"] = (ms, release) => {
      const waiter = { at: this.now + ms, n: this.#n++, release };
      this.#waiters.push(waiter);
      return () => this.#forget(waiter);
    };
    const mock = mockProvider(this.storage.sql, now, (ms) => new Promise((done) => after(ms, done)));
    const room: Room = {
      storage: {
        transactionSync: (change) => this.storage.transactionSync(change),
        setAlarm: async (at) => {
          if (this.room === room) this.alarm_at = Number(at);
        },
      },
      sql: this.storage.sql,
      db: database(env.DB),
      providers: this.equip?.(this.storage.sql, now, after) ?? (() => mock),
      now,
      after,
      log: (line) => this.lines.push(line),
      kick: () => queueMicrotask(() => this.#kick(room)),
      flushSoon: () => {
        this.#isDirty = true;
      },
      sms: null,
      waiting: new Map(),
      armed_at: null,
    };
    return room;
  }

  #kick(room: Room): void {
    if (room !== this.room || this.#runners >= runnersFor(room)) return;
    this.#runners += 1;
    void run(room).finally(() => {
      if (room === this.room) this.#runners -= 1;
    });
  }

  #nextWaiter(): Waiter | null {
    return this.#waiters.reduce<Waiter | null>(
      (first, w) => (first === null || w.at < first.at || (w.at === first.at && w.n < first.n) ? w : first),
      null,
    );
  }

  #release(waiter: Waiter): void {
    this.#forget(waiter);
    waiter.release();
  }

  #forget(waiter: Waiter): void {
    this.#waiters = this.#waiters.filter((w) => w !== waiter);
  }
}

async function breathe(): Promise<void> {
  for (let i = 0; i < 60; i += 1) await Promise.resolve();
}

/** Runs a test inside a Durable Object of its own, so that the engine stands on the real storage. */
export async function inWorld(
  org_id: string,
  now: string,
  story: (world: World) => Promise<void>,
  equip?: Equip,
): Promise<void> {
  const stub = env.SCHEDULER.get(env.SCHEDULER.newUniqueId());
  await runInDurableObject(stub, async (_instance, state) => {
    await story(new World(org_id, state.storage, now, equip));
  });
}
