import { endCall } from "./commands/calls";
import { commandFor } from "./commands/command";
import { checkHub } from "./monitoring/hub-health";
import { sendMessage, watchMessage } from "./reporting/notify";
import { plan } from "./state/plan";
import { recordEvent } from "./reporting/events";
import { reconcileDevice, reconcileOrThrow } from "./reconcile/reconcile";
import { nextSeq, transact, type EngineContext } from "./state/context";
import { settleLost } from "./dispatch/settle";
import { sync } from "./sync";
import { watch } from "./monitoring/watchdog";
import { finishTimer, postponeTimer, putTimer, releaseTimers, takeDueTimers, type Timer } from "./state/timers";

const BATCH = 200;
const FRESHEN_MS = 1_000;
const TRIES = 5;
const SET_ASIDE_MS = 3_600_000;
const SEEN_TO_MS = 30_000;

/**
 * One pass over the due timers. Looks at the plan's version first, for at most a second, so that a lost hint cannot light
 * a canceled booking; then serves each timer by itself: one that throws holds up no other. Never rejects.
 */
export async function tick(context: EngineContext): Promise<void> {
  await freshen(context);
  for (;;) {
    const due = transact(context, () => takeDueTimers(context.sql, context.now(), BATCH));
    for (const timer of due) serve(context, timer);
    if (due.length < BATCH) break;
    await breath(context);
  }
  context.startRunners();
}

/** Asks D1 for a newer plan, for at most a second; where D1 does not answer, the copy is acted from. */
export async function freshen(context: EngineContext): Promise<void> {
  const pulled = sync(context).catch((error: unknown) =>
    context.log({ level: "warn", event: "sync.failed", reason: String(error) }),
  );
  let callOff = (): void => {};
  const patience = new Promise<void>((done) => {
    callOff = context.after(FRESHEN_MS, done);
  });
  await Promise.race([pulled, patience]);
  callOff();
}

/** Between two batches others have their turn: people, and answers from the field. */
function breath(context: EngineContext): Promise<void> {
  context.startRunners();
  return new Promise((done) => {
    context.after(0, done);
  });
}

function serve(context: EngineContext, timer: Timer): void {
  try {
    transact(context, () => {
      wake(context, timer);
      finishTimer(context.sql, timer);
    });
    if (timer.id.startsWith("sms:")) void send(context, timer.id.slice("sms:".length));
  } catch (error) {
    context.log({ level: "error", event: "timer.failed", timer: timer.id, tries: timer.tries, reason: String(error) });
    transact(context, () => postpone(context, timer, String(error)));
  }
}

/** Texts take seconds each, and the alarm waits for nobody. */
async function send(context: EngineContext, message_id: string): Promise<void> {
  try {
    await sendMessage(context, message_id);
  } catch (error) {
    context.log({ level: "error", event: "sms.failed", reason: String(error) });
  }
}

/** Poison is set aside after five tries, with one event; it is tried again every hour, in case the cause has gone. */
function postpone(context: EngineContext, timer: Timer, reason: string): void {
  const now = context.now();
  if (timer.tries < TRIES) return postponeTimer(context.sql, timer, now + 1_000 * 2 ** timer.tries);
  postponeTimer(context.sql, timer, now + SET_ASIDE_MS);
  if (timer.tries > TRIES) return;
  if (timer.id.startsWith("call:")) endCall(context, Number(timer.id.slice("call:".length))); // its hub is free again
  const device = plan.device(context.sql, timer.id.slice(timer.id.indexOf(":") + 1));
  recordEvent(context, `poison:${timer.id}:${nextSeq(context)}`, {
    device_id: device?.id ?? null,
    device_name: device?.name ?? null,
    dept_id: device?.dept_id ?? null,
    source: "scheduler",
    action: "off",
    result: "fail",
    attempts: 0,
    note: `Internal fault, set aside after ${TRIES} tries: ${reason.slice(0, 200)}`,
  });
}

function wake(context: EngineContext, timer: Timer): void {
  const separator = timer.id.indexOf(":");
  const kind = separator < 0 ? timer.id : timer.id.slice(0, separator);
  const of = timer.id.slice(separator + 1);
  switch (kind) {
    case "wake":
      reconcileDevice(context, of);
      return;
    case "look":
      reconcileOrThrow(context, of);
      return;
    case "command":
      // Runners are kicked after the pass; should all of them be busy or die, the command is seen to again.
      if (commandFor(context.sql, of)) putTimer(context.sql, timer.id, context.now() + SEEN_TO_MS);
      return;
    case "call":
      return settleLost(context, Number(of));
    case "hub":
      return checkHub(context, of);
    case "watchdog":
      return watch(context);
    case "outbox":
      putTimer(context.sql, timer.id, context.now() + SEEN_TO_MS);
      return context.flushSoon();
    case "sms":
      return watchMessage(context, of);
    default:
      throw new Error(`no one serves the timer ${timer.id}`);
  }
}

/**
 * What the last incarnation had under way died with it, leases and calls; called once, when the object starts. The calls
 * are settled by the next tick, which has looked at the plan before: on what was true when it died, nothing is done.
 */
export function loseAllCalls(context: EngineContext): void {
  transact(context, () => releaseTimers(context.sql, context.now()));
}
