import type { SwitchAction } from "#domain/enums";
import type { Database } from "#db/database";
import type { Backlog } from "./backlog";
import type { Kind } from "./deliveries";
import { nextDue } from "./due";
import type { Store } from "./kept";
import { clockOf, setMeta } from "./meta";
import type { OneMore } from "./one-more";
import type { Post } from "#durable/providers/http-post";
import type { Tally } from "./tally";
import type { DataPoint } from "#domain/operations/metrics";
import type { Sms } from "#durable/providers/twilio";
import type { AgentLines } from "#durable/providers/agent-lines";
import type { Address, ProviderResult, Providers } from "#durable/providers/provider";
import { DAY_MS } from "#domain/time/units";

/** A line of the log. `event` never changes its meaning, since people search and count by it; no names and no secrets. */
type LogLine = { level: "info" | "warn" | "error"; event: string } & Record<string, unknown>;

/** What the engine needs of the outside world. */
export type Ports = {
  storage: Pick<DurableObjectStorage, "transactionSync" | "setAlarm">;
  sql: SqlStorage;
  db: Database;
  providers: Providers;
  /** Epoch milliseconds; a virtual clock in tests. */
  now: () => number;
  /** Calls back after `ms` of the same clock; answers how to call it off. */
  after: (ms: number, then: () => void) => () => void;
  log: (line: LogLine) => void;
  /** Writes what is made of the organization's hash to the metrics, where there are any. */
  measure: (points: (org: string) => DataPoint[]) => void;
  /** How many connections the platform lets one event have open. */
  connections: number;
  /** How many runners make the calls, each with connections of its own; 0 where calls open our own. */
  runners: number;
  /** Null where SMS is not configured. */
  sms: Sms | null;
  /** Posts to other services than the hubs': e-mail and webhooks. */
  post: Post;
  /** DEMO=on: what is posted may go to a loopback address. */
  loopback: boolean;
  /** The sockets of the browsers that listen. */
  sockets: () => LiveSocket[];
  /** The lines to the on-site agents. */
  agents: AgentLines;
  /** Whether hubs on private addresses are called directly; without, only through their agents. */
  direct_hubs: boolean;
  /** Throws where it was sealed with another key. */
  unseal: (sealed: string) => Promise<string>;
  /** What the organization's standing plans are signed with; its public half as an agent is given it. */
  planKey: () => Promise<{ public_key: string; sign: (text: string) => Promise<string> }>;
};

/** A browser's socket, as far as the engine uses it. */
export type LiveSocket = Pick<WebSocket, "send" | "close" | "deserializeAttachment">;

/** What lives in memory only: it dies with the process, and nothing is lost that people were promised. */
type Volatile = {
  /** The platform's clock, by which the alarm rings: it may go back, and `now` stands still meanwhile. */
  platformNow: () => number;
  /** By how much the clock was set back since this was last asked (ms), where it had been wrong by hours; else 0. */
  takeSetBack: () => number;
  /** Who waits for a command or a probe to be answered, by its seq. */
  waiting: Map<number, (result: RequestResult) => void>;
  /** Probes that wait for their hub. */
  probes: Probe[];
  /** Whether the last batch of due timers left others that are due. */
  hasMoreDue: boolean;
  /** How many calls are under way, and the answers that have come in and are not settled yet. */
  calling: number;
  reports: Report[];
  /** Texts and lists that wait for a connection or have one. */
  errands: Errand[];
  /** How many calls this event of the platform may still make; null: none, and the alarm is asked for another event. */
  calls_left: number | null;
  /** Calls off the pass of the pump that was asked for; null where none was. */
  callOffPass: (() => void) | null;
  /** How often ready commands were asked for; verifications have their turn by it. */
  asked_for_ready: number;
  /** Pulls of the plan, and deliveries of the outbox. */
  pulls: OneMore;
  flushes: OneMore;
  /** When evaluations that a change asked for were last put off; what another one found in that instant may be otherwise. */
  put_off_at: number | null;
  /** A pull in pages: whether it has every device already, and who waits for which of them. */
  paging: { hasDevices: boolean; waiting: Map<() => void, AwaitedLights> };
  /** When a delivery was asked for that has not begun. */
  flush_asked_at: number | null;
  /** People who wait for records of a device, each with the keys of those posted since they asked. */
  watched: Set<Watched>;
  /** When somebody last asked for something here, or was answered (epoch ms). */
  person_at: number;
  /** Deliveries that failed in a row, for their spacing. */
  failed_flushes: number;
  /** What the alarm is set to, as far as this process knows. */
  armed_at: number | null;
  /** What has changed lately, for browsers that listen. */
  backlog: Backlog;
  /**
   * Whether browsers are about to be told, when they last were (epoch ms), up to which version, and up to which those have
   * heard that came since.
   */
  push: { isAsked: boolean; at: number; since: number; newcomers: Map<LiveSocket, number> };
  /** Checks of the sessions of those browsers. */
  checks: OneMore;
  /** What has been done since the last tick was told. */
  tally: Tally;
};

/** What every part of the engine works with. Its clock stands still while a change is made (`transact`). */
export type EngineContext = Ports &
  Volatile & {
    sql: Store;
    /** Hands out what is ready, soon; never waits for it. */
    startRunners: () => void;
    /** Writes the outbox to D1 soon; never waits. */
    flushSoon: () => void;
    /** D1 has refused records for good: somebody has to be told. */
    recordsRefused: () => void;
    /** D1 has these records now, where screens read them. */
    recordsDelivered: (rows: { kind: Kind; body: string }[]) => void;
  };

type Errand = { key: string; work: () => Promise<void>; isUnderWay: boolean };

/** Ids of devices; none of them for one who only tells of a change. */
export type AwaitedLights = string[] | "all";

type Watched = { device_id: string; keys: Set<string> };

/** What a call has come to; `device_id` is null where it was about none. */
export type Report = { call_id: number; device_id: string | null; answer: ProviderResult };

/** What a person who waits is told: the provider's result, or what came instead of it. */
export type RequestResult = ProviderResult | { superseded: string } | { postponed: string };

/** What a person asks of the hardware in the connectivity test; it waits in memory, since the person does too. */
export type Probe = {
  seq: number;
  /** `probe_verify` reads what a test's switch has done, and is part of that test. */
  kind: "probe_switch" | "probe_verify" | "probe_read" | "probe_ping";
  device_id: string | null;
  address: Address;
  action: SwitchAction | null;
};

/**
 * One atomic change: everything `change` writes and the alarm that serves the timers it left, or nothing. It is made at
 * one instant, however long it takes: with a clock that goes on, one pass could see a window both open and closed.
 * transactionSync silently accepts an async callback, whose writes would escape it; a promise is a bug and throws.
 */
export function transact<T>(context: EngineContext, change: () => T): T {
  const { armed_at, now } = context;
  const { kept } = context.sql;
  const instant = now();
  context.now = () => instant;
  try {
    const result = context.storage.transactionSync(() => {
      kept?.begin();
      const result = change();
      if (result instanceof Promise) throw new TypeError("a transaction must not be async");
      noteClock(context);
      kept?.write();
      arm(context);
      return result;
    });
    kept?.end();
    return result;
  } catch (error) {
    kept?.forget();
    context.armed_at = armed_at;
    throw error;
  } finally {
    context.now = now;
  }
}

/** A part of a transaction that may fail by itself: then it alone is undone, and answers what `failed` does. */
export function attempt<T>({ storage, sql: { kept } }: EngineContext, part: () => T, failed: (error: unknown) => T): T {
  const inSavepoint = (change: () => T) => storage.transactionSync(change);
  try {
    return kept ? kept.attempt(part, inSavepoint) : inSavepoint(part);
  } catch (error) {
    if (kept?.needsSavepoint) throw error;
    return failed(error);
  }
}

/** Between two batches others have their turn: people, and answers from the field. */
export function breath({ after }: EngineContext): Promise<void> {
  return new Promise((done) => {
    after(0, done);
  });
}

/** How exactly the next process knows how far the clock of this one had come. */
export const CLOCK_NOTED_EVERY_MS = 1_000;

function noteClock({ sql, now }: EngineContext): void {
  if (Math.abs(now() - clockOf(sql)) >= CLOCK_NOTED_EVERY_MS) setMeta(sql, "clock", String(now()));
}

/** An alarm that is later than this may be lost. */
const COMES_WITHIN_MS = 1_000;

/**
 * Sets the one alarm to what is due first, overdue or not, never before the next millisecond and at most a day ahead; at
 * once where the last one was lost, since commands that came due then have nobody. Nobody else calls setAlarm.
 */
function arm(context: EngineContext): void {
  const now = context.now();
  const { armed_at } = context;
  // One that is due is on its way. Set anew, it would come for what is due next, and what fell due meanwhile would wait.
  if (armed_at !== null && armed_at <= now && now - armed_at < COMES_WITHIN_MS) return;
  const isLost = armed_at !== null && armed_at <= now;
  const earliest = isLost || context.calls_left === null ? now : nextDue(context.sql, now);
  if (earliest === null) return;
  const at = Math.min(Math.max(earliest, now + 1), now + DAY_MS);
  if (armed_at !== null && armed_at <= at && armed_at > now) return;
  context.armed_at = at;
  // What is due while the clock stands still is due now, and not when the platform's has caught up.
  void context.storage.setAlarm(earliest <= now ? Math.min(at, context.platformNow() + 1) : at);
}
