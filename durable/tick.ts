import { causeOf } from "#domain/errors";
import { planTurn } from "./agents/send-plan";
import { endCall, timeLostCalls } from "./commands/calls";
import { verifyAbandoned } from "./commands/command-table";
import { watchSessions } from "./live/sessions";
import { checkHub } from "./monitoring/hub-health";
import { sendDigest } from "./reporting/digest";
import { escalate, watchEscalation } from "./reporting/escalate";
import { sendMessage, watchMessage } from "./reporting/notify";
import { sendWebhooks, watchWebhooks } from "./reporting/send-webhooks";
import { readable } from "./state/body";
import { plan } from "./state/plan";
import type { DeviceRow } from "./state/plan-rows";
import { recordEvent } from "./reporting/events";
import { loadForEvaluation } from "./reconcile/at-hand";
import { reconcileDevice, reconcileOrThrow } from "./reconcile/reconcile";
import { nextSeq } from "./state/meta";
import { attempt, breath, transact, type AwaitedLights, type EngineContext } from "./state/context";
import { runErrand } from "./dispatch/lanes";
import { renewOffTimer } from "./dispatch/off-timer";
import { pass, passFollows, sliceOf } from "./dispatch/pump";
import { settleLost } from "./dispatch/settle";
import { syncLights } from "./sync/sync";
import { watch } from "./monitoring/watchdog";
import {
  dropTimer,
  finishTimers,
  postponeTimer,
  putTimer,
  takeDueTimers,
  type Timer,
  type TimerKind,
} from "./state/timers";

/** How many timers one alarm serves at most, some second of work; what is left is due at once, and the next alarm has its own limits. */
const MOST_TIMERS = 2_560;
const FRESHEN_MS = 1_000;
const TRIES = 5;
const SET_ASIDE_MS = 3_600_000;
const SEEN_TO_MS = 30_000;

/**
 * One pass over the due timers. Looks at the plan's version first, for at most a second, so that a lost hint cannot light
 * a canceled booking; then serves each timer by itself: one that throws holds up no other. Never rejects.
 */
export async function tick(context: EngineContext): Promise<void> {
  context.tally.ticked_at = context.now();
  await freshen(context, "all");
  transact(context, () => {
    timeLostCalls(context, { all: false });
    verifyAbandoned(context);
  });
  for (let served = 0; ;) {
    const batch = sliceOf(context);
    context.hasMoreDue = serveDue(context, batch) === batch;
    served += batch;
    if (!context.hasMoreDue || served >= MOST_TIMERS) break;
    passFollows(context);
    await breath(context);
  }
  context.startRunners();
}

/** The earliest comes first; re-checks are served last, and how late they are says nothing. */
function countTaken({ tally, now }: EngineContext, due: Timer[]): void {
  const [first] = due;
  tally.timers += due.length;
  if (first && first.kind !== "recheck") tally.late_ms = Math.max(tally.late_ms, now() - first.due_at);
}

/** Asks D1 for a newer plan of these lights, for at most a second; where D1 does not answer, the copy is acted from. */
export async function freshen(context: EngineContext, lights: AwaitedLights): Promise<void> {
  const pulled = syncLights(context, lights).catch((error: unknown) =>
    context.log({ level: "warn", event: "sync.failed", reason: causeOf(error).error }),
  );
  let callOff = (): void => {};
  const patience = new Promise<void>((done) => {
    callOff = context.after(FRESHEN_MS, done);
  });
  await Promise.race([pulled, patience]);
  callOff();
}

/**
 * Takes up to `most` due timers and serves them, all in one transaction, which costs more than what it serves, with the
 * calls that they lead to; each for itself, so that one that fails is undone alone. Answers how many were due. Where the
 * transaction itself fails, they wait until their leases are over, and the others have their turn.
 */
function serveDue(context: EngineContext, most: number): number {
  const take = () => takeDueTimers(context.sql, context.now(), most);
  try {
    const { due, served } = pass(context, () => {
      const due = take();
      return { due, served: serveAll(context, due) };
    });
    countTaken(context, due);
    beginErrands(context, served);
    return due.length;
  } catch (error) {
    transact(context, take);
    throw error;
  }
}

function serveAll(context: EngineContext, due: Timer[]): Timer[] {
  loadForEvaluation(
    context.sql,
    due.filter(({ kind }) => kind === "wake" || kind === "recheck").map(({ key }) => key),
  );
  const served = due.filter((timer) => serve(context, timer));
  finishTimers(context.sql, served);
  return served;
}

/** What takes its time is begun after the transaction. */
function beginErrands(context: EngineContext, served: Timer[]): void {
  for (const { kind, key } of served) {
    if (kind === "message") runErrand(context, key, () => quietly(context, "sms.failed", sendMessage(context, key)));
    if (kind === "escalation")
      runErrand(context, `${kind} ${key}`, () => quietly(context, "escalation.failed", escalate(context, key)));
    // One errand for all of them, so that a webhook that hangs leaves a connection to the messages for people.
    if (kind === "webhooks") runErrand(context, kind, () => quietly(context, "webhooks.failed", sendWebhooks(context)));
  }
}

function serve(context: EngineContext, timer: Timer): boolean {
  if (!Object.hasOwn(HANDLERS, timer.kind)) return leaveAlone(context, timer);
  const handle = () => {
    HANDLERS[timer.kind](context, timer.key);
    return true;
  };
  const failed = (error: unknown) => {
    const { kind, key, tries } = timer;
    context.log({ level: "error", event: "timer.failed", timer: kind, key, tries, reason: String(error) });
    postpone(context, timer, String(error));
    return false;
  };
  return attempt(context, handle, failed);
}

/** After a rollback: a kind that only a newer release knows waits for it. */
function leaveAlone(context: EngineContext, timer: Timer): false {
  context.log({ level: "warn", event: "timer.unknown", timer: timer.kind, key: timer.key });
  postponeTimer(context.sql, timer, context.now() + SET_ASIDE_MS);
  return false;
}

/** Messages take seconds each, and the alarm waits for nobody. */
async function quietly(context: EngineContext, event: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    context.log({ level: "error", event, reason: String(error) });
  }
}

/** Poison is set aside after five tries, with one event; it is tried again every hour, in case the cause has gone. */
function postpone(context: EngineContext, timer: Timer, reason: string): void {
  const now = context.now();
  if (timer.tries < TRIES) return postponeTimer(context.sql, timer, now + 1_000 * 2 ** timer.tries);
  postponeTimer(context.sql, timer, now + SET_ASIDE_MS);
  if (timer.tries > TRIES) return;
  if (timer.kind === "call") {
    endCall(context, Number(timer.key)); // its hub is free again
    dropTimer(context.sql, "call", timer.key);
  }
  const device = deviceOf(context, timer);
  recordEvent(context, `poison:${timer.kind}:${timer.key}:${nextSeq(context)}`, {
    device_id: device?.id ?? null,
    device_name: device?.name ?? null,
    dept_id: device?.dept_id ?? null,
    source: "scheduler",
    action: "off",
    result: "fail",
    attempts: 0,
    note: `Internal fault, set aside after ${TRIES} tries: ${reason.slice(0, 200)}`,
    cause: "fault",
  });
}

/** What fails may be the very row of the device: then it is told without a name. */
function deviceOf({ sql }: EngineContext, { key }: Timer): DeviceRow | null {
  return readable(() => plan.device(sql, key));
}

type Handler = (context: EngineContext, key: string) => void;

/** Who serves each kind of timer; each gets the timer's key. */
const HANDLERS: Record<TimerKind, Handler> = {
  wake: (context, device_id) => void reconcileDevice(context, device_id),
  recheck: (context, device_id) => void reconcileOrThrow(context, device_id),
  call: (context, id) => settleLost(context, Number(id)),
  hub_check: checkHub,
  message: watchMessage,
  escalation: watchEscalation,
  digest: sendDigest,
  webhooks: watchWebhooks,
  agent_plan: planTurn,
  off_timer: renewOffTimer,
  watchdog: watch,
  sockets: watchSessions,
  outbox: (context) => {
    putTimer(context.sql, "outbox", "", context.now() + SEEN_TO_MS);
    context.flushSoon();
  },
};
