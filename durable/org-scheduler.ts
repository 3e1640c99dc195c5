import { DurableObject } from "cloudflare:workers";
import { database } from "#db/database";
import type { ToggleResult } from "#domain/records";
import { flush } from "./outbox";
import { press, type Press } from "./press";
import { selectProviders } from "./providers/select";
import { furnish, meta, setMeta, transact, type Room } from "./room";
import { run, RUNNERS } from "./runner";
import { sync } from "./sync";
import { freshen, loseAllCalls, tick } from "./tick";

const FLUSH_BEFORE_ANSWER_MS = 1_000;

/** One per organization: the only door to its hardware. A thin shell; the rules are in app/domain, the work beside it. */
export class OrgScheduler extends DurableObject<Env> {
  readonly room: Room;
  #runners = 0;
  #flushing: Promise<boolean> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    const now = () => Date.now();
    const after: Room["after"] = (ms, then) => {
      const timeout = setTimeout(then, ms);
      return () => clearTimeout(timeout);
    };
    this.room = {
      storage,
      sql: storage.sql,
      db: database(env.DB),
      providers: selectProviders(storage.sql, now, after),
      now,
      after,
      log: (line) => console.log(JSON.stringify({ object: "scheduler", org_id: meta(storage.sql, "org_id"), ...line })),
      kick: () => queueMicrotask(() => this.#kick()),
      flushSoon: () => queueMicrotask(() => void this.#flush()),
      waiting: new Map(),
      armed_at: null,
    };
    furnish(storage.sql);
    loseAllCalls(this.room);
  }

  override async alarm(): Promise<void> {
    // A handler that keeps throwing is dropped for ever by the runtime, so nothing leaves here but a log line.
    this.room.armed_at = null;
    try {
      await tick(this.room);
    } catch (error) {
      this.room.log({ level: "error", event: "tick.failed", reason: String(error) });
    } finally {
      this.room.armed_at = null;
      transact(this.room, () => undefined);
    }
  }

  /** The plan may have changed: pulls it. Rejects where D1 does not answer; the next tick tries again. */
  async sync(org_id: string): Promise<void> {
    this.#belongTo(org_id);
    await sync(this.room);
  }

  /** The sweep: makes sure that the alarm is armed and that the plan is fresh. */
  async ensure(org_id: string): Promise<void> {
    this.#belongTo(org_id);
    await this.alarm();
  }

  /** A person's ON or OFF; answers within 9 s. What it wrote is in D1 before it answers, if D1 does. */
  async press(pressed: Press & { org_id: string }): Promise<ToggleResult> {
    this.#belongTo(pressed.org_id);
    await freshen(this.room);
    const result = await press(this.room, pressed);
    await Promise.race([this.#flush(), new Promise((done) => setTimeout(done, FLUSH_BEFORE_ANSWER_MS))]);
    return result;
  }

  #belongTo(org_id: string): void {
    if (meta(this.room.sql, "org_id") === org_id) return;
    transact(this.room, () => setMeta(this.room.sql, "org_id", org_id));
  }

  #kick(): void {
    if (this.#runners >= RUNNERS) return;
    this.#runners += 1;
    run(this.room)
      .catch((error: unknown) => this.room.log({ level: "error", event: "runner.failed", reason: String(error) }))
      .finally(() => {
        this.#runners -= 1;
      });
  }

  /** One flush at a time; who asks meanwhile gets one more after it, so that what was just posted is told. */
  #flush(): Promise<boolean> {
    const next = (this.#flushing ?? Promise.resolve(true)).then(() => flush(this.room)).catch(() => false);
    this.#flushing = next;
    return next;
  }
}
