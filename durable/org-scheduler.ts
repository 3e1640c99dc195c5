import { DurableObject } from "cloudflare:workers";
import { database } from "#db/database";
import type { ToggleResult } from "#domain/records";
import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/connectivity";
import type { SwitchAction } from "#domain/enums";
import { endTest, pingHub, readState, testSwitch } from "./requests/connectivity";
import { explain } from "./reconcile/explain";
import type { Explanation } from "#domain/explanation";
import { flush } from "./state/outbox";
import { toggle, type ToggleRequest } from "./requests/toggle";
import { selectProviders } from "./providers/select";
import { migrate, meta, setMeta, transact, type EngineContext } from "./state/context";
import { run, runnersFor } from "./dispatch/runner";
import { twilio } from "./providers/twilio";
import { sync } from "./sync";
import { freshen, loseAllCalls, tick } from "./tick";

const FLUSH_BEFORE_ANSWER_MS = 1_000;
/** Spec 9: the browser gives up at 10 s. */
const PERSON_WAITS_MS = 9_000;

/** One per organization: the only door to its hardware. A thin shell; the rules are in app/domain, the work beside it. */
export class OrgScheduler extends DurableObject<Env> {
  readonly context: EngineContext;
  #runners = 0;
  #flushing: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    const now = () => Date.now();
    const after: EngineContext["after"] = (ms, then) => {
      const timeout = setTimeout(then, ms);
      return () => clearTimeout(timeout);
    };
    this.context = {
      storage,
      sql: storage.sql,
      db: database(env.DB),
      providers: selectProviders(storage.sql, now, after, {
        settings_key: env.SETTINGS_KEY,
        demo: env.DEMO === "on",
      }),
      now,
      after,
      log: (line) => console.log(JSON.stringify({ object: "scheduler", org_id: meta(storage.sql, "org_id"), ...line })),
      startRunners: () => queueMicrotask(() => this.#startRunners()),
      flushSoon: () => queueMicrotask(() => void this.#flush()),
      sms: twilio({
        account_sid: env.TWILIO_ACCOUNT_SID,
        auth_token: env.TWILIO_AUTH_TOKEN,
        from: env.TWILIO_FROM,
      }),
      waiting: new Map(),
      armed_at: null,
    };
    migrate(storage.sql);
    loseAllCalls(this.context);
  }

  override async alarm(): Promise<void> {
    // A handler that keeps throwing is dropped for ever by the runtime, so nothing leaves here but a log line.
    this.context.armed_at = null;
    try {
      await tick(this.context);
    } catch (error) {
      this.context.log({ level: "error", event: "tick.failed", reason: String(error) });
    } finally {
      this.context.armed_at = null;
      transact(this.context, () => undefined);
    }
  }

  /** The plan may have changed: pulls it. Rejects where D1 does not answer; the next tick tries again. */
  async sync(org_id: string): Promise<void> {
    this.#belongTo(org_id);
    await sync(this.context);
  }

  /** The sweep: makes sure that the alarm is armed and that the plan is fresh. */
  async ensure(org_id: string): Promise<void> {
    this.#belongTo(org_id);
    await this.alarm();
  }

  /** A person's ON or OFF; answers within 9 s. */
  toggle(request: ToggleRequest & { org_id: string }): Promise<ToggleResult> {
    return this.#forPerson(request.org_id, (since) => toggle(this.context, request, since));
  }

  /** Why each device's light is as it is, from the plan as it is now. */
  async explain(request: { org_id: string; device_ids: string[] }): Promise<Explanation[]> {
    this.#belongTo(request.org_id);
    await freshen(this.context);
    return explain(this.context, request.device_ids);
  }

  /** The connectivity tests (spec 7); each answers within 9 s, whatever the hardware does. */
  pingHub(test: { org_id: string; hub_id: string }): Promise<PingAnswer> {
    return this.#forPerson(test.org_id, (since) => pingHub(this.context, test.hub_id, since));
  }

  readState(test: { org_id: string; device_id: string }): Promise<StatusAnswer> {
    return this.#forPerson(test.org_id, (since) => readState(this.context, test.device_id, since));
  }

  testSwitch(test: { org_id: string; device_id: string; action: SwitchAction }): Promise<TestAnswer> {
    return this.#forPerson(test.org_id, (since) => testSwitch(this.context, test.device_id, test.action, since));
  }

  /** The test of a device has ended or was stopped: it is reconciled at once. */
  async endTest(test: { org_id: string; device_id: string }): Promise<void> {
    await this.#forPerson(test.org_id, async () => endTest(this.context, test.device_id));
  }

  /** Acts on the plan as it is now, and writes to D1 before it answers: what the person reloads is what they did. */
  async #forPerson<T>(org_id: string, act: (since: number) => Promise<T>): Promise<T> {
    const since = this.context.now();
    this.#belongTo(org_id);
    await freshen(this.context);
    const result = await act(since);
    const left_ms = Math.max(0, since + PERSON_WAITS_MS - this.context.now());
    const patience = new Promise<void>((done) => {
      this.context.after(Math.min(FLUSH_BEFORE_ANSWER_MS, left_ms), done);
    });
    await Promise.race([this.#flush(), patience]);
    return result;
  }

  #belongTo(org_id: string): void {
    if (meta(this.context.sql, "org_id") === org_id) return;
    transact(this.context, () => setMeta(this.context.sql, "org_id", org_id));
  }

  #startRunners(): void {
    if (this.#runners >= runnersFor(this.context)) return;
    this.#runners += 1;
    run(this.context)
      .catch((error: unknown) => this.context.log({ level: "error", event: "runner.failed", reason: String(error) }))
      .finally(() => {
        this.#runners -= 1;
      });
  }

  /** One flush at a time; who asks meanwhile gets one more after it, so that what was just posted is told. */
  #flush(): Promise<void> {
    const next = (this.#flushing ?? Promise.resolve()).then(() => flush(this.context)).catch(() => undefined);
    this.#flushing = next;
    return next;
  }
}
