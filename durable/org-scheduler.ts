import { DurableObject } from "cloudflare:workers";
import type { ToggleResult, ToggleRow } from "#domain/records/records";
import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/hubs/connectivity";
import type { SwitchAction } from "#domain/enums";
import type { HubAccountList } from "#domain/hubs/hub-account";
import { backupPage, flushForBackup, type ObjectPage, type ObjectTable } from "./requests/backup";
import { endTest, pingHub, readState, testSwitch } from "./requests/connectivity";
import { forecast } from "./requests/forecast";
import { listHubAccount } from "./requests/hub-account";
import type { Forecast, ForecastRequest } from "#domain/forecast/forecast-request";
import type { Preview, PreviewRequest } from "#domain/forecast/preview-request";
import { explain } from "./reconcile/explain";
import type { Explanation } from "#domain/resolve/explanation";
import { atAgentDoor, type Knocking } from "./agents/door-request";
import { acceptAgent } from "./agents/door";
import { dropAgent } from "./agents/drop";
import { leave, receive } from "./agents/receive";
import { preview } from "./requests/preview";
import { beginEvent } from "./dispatch/event";
import { runEngine, type Engine } from "./engine";
import { AGENT_CLOSE } from "#domain/agent/frames";
import { PING, PONG, type LiveList } from "#domain/lists/live";
import { acceptSocket } from "./live/accept";
import { noteLists } from "./live/note";
import { close } from "./live/push";
import { fromWorker } from "./live/request";
import { checkSessions } from "./live/sessions";
import { schedulerReport } from "./monitoring/lateness";
import type { SchedulerReport } from "#domain/alarms/scheduler-health";
import { toggle, toggleMany, type ToggleManyRequest, type ToggleRequest } from "./requests/toggle";
import { carriedBy } from "./providers/agent-socket";
import { migrate, SCHEMA_VERSION } from "./state/migrate";
import { meta, setMeta } from "./state/meta";
import { transact, type EngineContext } from "./state/context";
import { portsOf } from "./ports";
import type { MessageTest } from "#domain/messages/message-choice";
import type { EmailTest } from "#domain/messages/message-settings";
import type { WebhookMessage } from "#domain/messages/webhook-records";
import { sendWebhook } from "./requests/send-webhook";
import { testEmail } from "./requests/test-email";
import { testMessage } from "./requests/test-message";
import { syncLights } from "./sync/sync";
import { freshen } from "./tick";
import { unavailable } from "./unavailable";

/** The code of a farewell that says nothing. */
const WELL = 1000;

/**
 * One per organization: the only door to its hardware. A thin shell; the rules are in app/domain, the work beside it.
 * Where a newer release has written its database, it answers that it is unavailable and touches nothing.
 */
export class OrgScheduler extends DurableObject<Env> {
  readonly #engine: Engine | null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const ports = portsOf(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    const migrated = migrate(ctx.storage);
    if (migrated.ok) {
      this.#engine = runEngine(ports);
      this.#engine.start();
    } else {
      const { version } = migrated;
      ports.log({ level: "error", event: "database.too_new", version, supported: SCHEMA_VERSION });
      this.#engine = null;
    }
  }

  /** What the engine works with; for the tests. */
  get context(): EngineContext {
    if (!this.#engine) throw new Error("the database is newer than this release");
    return this.#engine.context;
  }

  /** What is due is served. Never rejects, or the runtime would drop the alarm; without an engine it does nothing. */
  override async alarm(): Promise<void> {
    await this.#engine?.ring();
  }

  /** The plan may have changed: pulls it. Rejects where D1 does not answer; the next tick tries again. */
  async sync(org_id: string): Promise<void> {
    const engine = this.#belongTo(org_id);
    if (engine) await syncLights(engine.context, []);
  }

  /** Records that the plan does not have have changed: browsers load these lists again. */
  async noteLists(org_id: string, lists: LiveList[]): Promise<void> {
    const engine = this.#belongTo(org_id);
    if (engine) noteLists(engine.context, lists);
  }

  /** Somebody may have signed out, or may see something else than before: their browsers hear no more. */
  async checkSessions(org_id: string): Promise<void> {
    const engine = this.#belongTo(org_id);
    if (engine) await checkSessions(engine.context);
  }

  /** The agent's secret was replaced or revoked: its socket is closed at once. */
  async dropAgent(org_id: string, agent_id: string): Promise<void> {
    const engine = this.#belongTo(org_id);
    if (engine) dropAgent(engine.context, agent_id);
  }

  /** A socket for a person's browser or for an on-site agent, from the worker, which has checked who it is. */
  override async fetch(request: Request): Promise<Response> {
    const knocking = atAgentDoor(request);
    return knocking ? this.#openTo(knocking) : this.#listen(request);
  }

  async #openTo(knocking: Knocking): Promise<Response> {
    const engine = this.#belongTo(knocking.org_id);
    if (!engine) return new Response(null, { status: 503 });
    // The copy may not have an agent that was made a moment ago.
    await freshen(engine.context, []);
    return acceptAgent(engine.context, this.ctx, knocking);
  }

  #listen(request: Request): Response {
    const { org_id, subscriber, ...more } = fromWorker(request);
    const engine = this.#belongTo(org_id);
    if (!engine) return new Response(null, { status: 503 });
    return acceptSocket(engine.context, this.ctx, subscriber, more);
  }

  /** Agents speak. Browsers only listen; what keeps either line alive is answered by the platform. */
  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    if (!carriedBy(socket)) return close(socket, "unexpected", "Nothing is expected from the browser");
    if (!this.#engine) return socket.close(AGENT_CLOSE.again, unavailable.sentence);
    beginEvent(this.#engine.context);
    await receive(this.#engine.context, socket, data);
  }

  /** Answers a farewell. */
  override webSocketClose(socket: WebSocket): void {
    if (carriedBy(socket)) return this.#leave(socket);
    close(socket, "changed", "Closed");
  }

  override webSocketError(socket: WebSocket): void {
    if (carriedBy(socket)) this.#leave(socket);
  }

  #leave(socket: WebSocket): void {
    if (this.#engine) leave(this.#engine.context, socket);
    socket.close(WELL, "Closed");
  }

  /**
   * The sweep: makes sure that the alarm is armed and that the plan is fresh, and tells people where what was due has
   * waited. Answers how it was found; null where a newer release has written the database.
   */
  async ensure(org_id: string): Promise<SchedulerReport | null> {
    return (await this.#belongTo(org_id)?.ensure()) ?? null;
  }

  /** How late it is, without doing anything about it; null as with `ensure`. */
  async report(org_id: string): Promise<SchedulerReport | null> {
    const engine = this.#belongTo(org_id);
    return engine && schedulerReport(engine.context);
  }

  /** A person's ON or OFF; answers within 9 s. */
  async toggle(request: ToggleRequest & { org_id: string }): Promise<ToggleResult> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) return unavailable.toggle(request.action);
    return engine.serve((since) => toggle(engine.context, request, since), request.device_id);
  }

  /** The same of many devices, in one go; answers within 9 s for each, as far as it is known by then. */
  async toggleMany(request: ToggleManyRequest & { org_id: string }): Promise<ToggleRow[]> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) return request.device_ids.map((device_id) => unavailable.row(device_id));
    return engine.serve((since) => toggleMany(engine.context, request, since));
  }

  /** Why each device's light is as it is, from the plan as it is now. */
  async explain(request: { org_id: string; device_ids: string[] }): Promise<Explanation[]> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) return [];
    await freshen(engine.context, request.device_ids);
    return explain(engine.context, request.device_ids);
  }

  /** What each device is going to do, by the plan as it is now. */
  async forecast(request: { org_id: string } & ForecastRequest): Promise<Forecast> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) throw new Error(unavailable.sentence);
    await freshen(engine.context, "all");
    return forecast(engine.context, request);
  }

  /** What a schedule would come to, by the plan as it is now. */
  async preview(request: { org_id: string } & PreviewRequest): Promise<Preview> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) throw new Error(unavailable.sentence);
    await freshen(engine.context, "all");
    return preview(engine.context, request);
  }

  /** The connectivity tests; each answers within 9 s, whatever the hardware does. */
  async pingHub(test: { org_id: string; hub_id: string }): Promise<PingAnswer> {
    const engine = this.#belongTo(test.org_id);
    if (!engine) return unavailable.ping(Date.now());
    return engine.serve((since) => pingHub(engine.context, test.hub_id, since));
  }

  /** What the device says of itself, read now; `unknown` where it does not answer within 9 s. */
  async readState(test: { org_id: string; device_id: string }): Promise<StatusAnswer> {
    const engine = this.#belongTo(test.org_id);
    if (!engine) return unavailable.status(Date.now());
    return engine.serve((since) => readState(engine.context, test.device_id, since));
  }

  /** A test's ON or OFF with the reading after it; an ON that a guardrail forbids is refused with the reason. */
  async testSwitch(test: { org_id: string; device_id: string; action: SwitchAction }): Promise<TestAnswer> {
    const engine = this.#belongTo(test.org_id);
    if (!engine) return unavailable.test(Date.now(), test.action);
    return engine.serve((since) => testSwitch(engine.context, test.device_id, test.action, since));
  }

  /** The test of a device has ended or was stopped: it is reconciled at once. */
  async endTest(test: { org_id: string; device_id: string }): Promise<void> {
    const engine = this.#belongTo(test.org_id);
    await engine?.serve(async () => endTest(engine.context, test.device_id));
  }

  /** The devices that the hub account, or a hub, knows. */
  async listHubAccount(request: { org_id: string; hub_id: string | null }): Promise<HubAccountList> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) return unavailable.list();
    return engine.serve((since) => listHubAccount(engine.context, request.hub_id, since));
  }

  /** Sends a test e-mail by the settings as they are saved. */
  async testEmail(request: { org_id: string; to: string }): Promise<EmailTest> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) return unavailable.email();
    return engine.serve(() => testEmail(engine.context, request.to));
  }

  /** Sends a person a test message by their choice as it is saved. */
  async testMessage(request: { org_id: string; user_id: string }): Promise<MessageTest> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) return unavailable.message();
    return engine.serve(() => testMessage(engine.context, request.user_id));
  }

  /** The version of the object's tables, once what it has to tell D1 is told; null where a newer release has written them. */
  async prepareBackup(org_id: string): Promise<number | null> {
    const engine = this.#belongTo(org_id);
    if (!engine) return null;
    await flushForBackup(engine.context);
    return SCHEMA_VERSION;
  }

  /** Rows of a table as a backup has them, behind a cursor. */
  async backupPage(org_id: string, table: ObjectTable, after: string | null): Promise<ObjectPage> {
    const engine = this.#belongTo(org_id);
    if (!engine) throw new Error(unavailable.sentence);
    return backupPage(engine.context, table, after);
  }

  /** Sends a message to a webhook at once. */
  async sendWebhook(request: { org_id: string; message: WebhookMessage }): Promise<void> {
    const engine = this.#belongTo(request.org_id);
    if (!engine) throw new Error(unavailable.sentence);
    await engine.serve(() => sendWebhook(engine.context, request.message));
  }

  #belongTo(org_id: string): Engine | null {
    const engine = this.#engine;
    if (engine && meta(engine.context.sql, "org_id") !== org_id)
      transact(engine.context, () => setMeta(engine.context.sql, "org_id", org_id));
    return engine;
  }
}
