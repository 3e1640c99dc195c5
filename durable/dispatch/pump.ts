import { isPing, type Call } from "#durable/commands/calls";
import type { ProviderResult } from "#durable/providers/provider";
import { noAnswer } from "#durable/providers/no-answer";
import { loadForEvaluation } from "#durable/reconcile/at-hand";
import { attempt, transact, type EngineContext, type Report } from "#durable/state/context";
import { callsLeft, noteCalls } from "./event";
import { nextCalls } from "./dispatch";
import { freeLanes, startErrands } from "./lanes";
import { settle } from "./settle";

/**
 * How much one transaction takes in and hands out: what costs the most is the transaction. It is a count and not a time,
 * since the platform's clock may stand still while code runs. A person who waits does so for several slices, one at each
 * step of a toggle, so these are small meanwhile.
 */
const SLICE = 128;
const SLICE_MEANWHILE = 32;
/** Who was answered loads a page or switches the next light, and waits elsewhere for this process. */
const STILL_THERE_MS = 1_000;
/** What a person waits for leaves, and is settled, before all else and alone. */
const ONE = 1;
/** So many answers are awaited one by one; where more are under way, those that come together are settled together. */
const SETTLED_SINGLY = 24;

/** Whether so much is being switched at once that everything else should wait a moment. */
export function isStorm({ hasMoreDue, calling, reports }: EngineContext): boolean {
  return hasMoreDue || calling + reports.length > SETTLED_SINGLY;
}

/** Whether somebody waits for an answer, or was given one a moment ago. */
export function isSomebodyHere({ watched, person_at, now }: EngineContext): boolean {
  return watched.size > 0 || now() - person_at < STILL_THERE_MS;
}

/** How much one transaction takes in or hands out now. */
export function sliceOf(context: EngineContext): number {
  return isSomebodyHere(context) ? SLICE_MEANWHILE : SLICE;
}

/** Asks for a pass of the pump; those who ask before it begins share it. */
export function pumpSoon(context: EngineContext): void {
  if (context.callOffPass) return;
  let isCalledOff = false;
  context.callOffPass = () => {
    isCalledOff = true;
  };
  queueMicrotask(() => {
    if (!isCalledOff) pump(context);
  });
}

/** A pass at once for somebody who waits, in place of one that was asked for: it takes in and hands out one. */
export function pumpNow(context: EngineContext): void {
  pump(context, ONE);
}

/**
 * The next batch of timers follows at once, and its pass settles what comes in until then: a pass of its own would cost a
 * second transaction for the same lights.
 */
export function passFollows(context: EngineContext): void {
  callOffNext(context);
  context.callOffPass = () => undefined;
}

function pump(context: EngineContext, slice = sliceOf(context)): void {
  try {
    pass(context, () => undefined, slice);
  } catch (error) {
    context.log({ level: "error", event: "runner.failed", reason: String(error) });
  }
}

/**
 * One pass: in one transaction, does what comes `first`, settles the answers that have come in and hands out calls for the
 * free lanes. Then the calls leave, each to come back with its answer and another pass. More than a slice waits for others
 * to have their turn.
 */
export function pass<T>(context: EngineContext, first: () => T, slice = sliceOf(context)): T {
  callOffNext(context);
  const reports = context.reports.splice(0, slice);
  startErrands(context);
  const free = Math.min(freeLanes(context), callsLeft(context), slice);
  const [done, calls] = transact(context, () => {
    const done = first();
    loadForEvaluation(
      context.sql,
      reports.flatMap(({ device_id }) => device_id ?? []),
    );
    for (const report of reports) settleAlone(context, report);
    callOffNext(context); // whoever asked until now is served here; what handing out itself asks for is not
    const next = nextCalls(context, free);
    noteCalls(context, next.length);
    context.tally.calls += next.length;
    return [done, next] as const;
  });
  for (const call of calls) void carry(context, call);
  if (context.reports.length > 0 || calls.length === slice) yieldThenPump(context);
  return done;
}

/** A report that cannot be settled holds up no other; its call is taken for lost when its lease runs out. */
function settleAlone(context: EngineContext, report: Report): void {
  const failed = (error: unknown) => context.log({ level: "error", event: "runner.failed", reason: String(error) });
  attempt(context, () => settle(context, report), failed);
}

/**
 * A pass that comes in between takes the place of the one that was asked for. Both would ask for their next: each toggle
 * would add one pass to every turn, for as long as the storm lasts, and nobody else would have theirs.
 */
function callOffNext(context: EngineContext): void {
  context.callOffPass?.();
  context.callOffPass = null;
}

function yieldThenPump(context: EngineContext): void {
  context.callOffPass ??= context.after(0, () => pump(context));
}

/** Makes the call and reports it. Never throws: a call that breaks is a time-out. */
async function carry(context: EngineContext, call: Call): Promise<void> {
  context.calling += 1;
  const answer = await make(context, call);
  context.calling -= 1;
  const report = { call_id: call.id, device_id: call.device_id, answer };
  if (isWatched(context, call)) {
    context.reports.unshift(report);
    queueMicrotask(() => pumpNow(context));
    return;
  }
  context.reports.push(report);
  if (context.calling > SETTLED_SINGLY) yieldThenPump(context);
  else pumpSoon(context);
}

/** Whether a person waits for what becomes of the device. */
function isWatched({ watched }: EngineContext, { device_id }: Call): boolean {
  for (const person of watched) if (person.device_id === device_id) return true;
  return false;
}

async function make(context: EngineContext, call: Call): Promise<ProviderResult> {
  const { address, action, how, timeout_ms } = call;
  if (context.now() > call.not_after) {
    return { ...noAnswer(address, "throttled", "too late to send"), retry_after_ms: 0 };
  }
  try {
    const provider = context.providers(address.mode);
    if (isPing(call) && address.hub) return await provider.ping(address.hub, address.mode, timeout_ms, how);
    if (action !== null) return await provider.switch(address, action, timeout_ms, how);
    return await provider.read(address, timeout_ms, how);
  } catch (error) {
    context.log({ level: "error", event: "provider.threw", reason: String(error) });
    return noAnswer(address, "timeout", "the call broke off");
  }
}
