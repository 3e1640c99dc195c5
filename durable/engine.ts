import type { SchedulerReport } from "#domain/alarms/scheduler-health";
import { flush, flushPosted, hasMuchToTell } from "./state/outbox";
import { clockOf } from "./state/meta";
import { CLOCK_NOTED_EVERY_MS, transact, type EngineContext, type Ports } from "./state/context";
import { idle } from "./state/one-more";
import { newTally } from "./state/tally";
import { partOutbox } from "./state/other-release";
import { releaseTimers } from "./state/timers";
import { LONGEST_STANDSTILL_MS } from "./state/plan-instants";
import { followClock } from "./sync/clock-set-back";
import { beginEvent, MOST_CALLS } from "./dispatch/event";
import { isStorm, pumpSoon } from "./dispatch/pump";
import { timeLostCalls } from "./commands/calls";
import { Backlog } from "./state/backlog";
import { keptStore } from "./state/kept";
import { noteDelivered } from "./live/note";
import { noteLateness, schedulerReport } from "./monitoring/lateness";
import { noteArrival, noteUndelivered } from "./monitoring/undelivered";
import { tellTick } from "./reporting/tick-line";
import { freshen, tick } from "./tick";

const FLUSH_BEFORE_ANSWER_MS = 1_000;
/** In a storm the outbox is looked at so often, and waits so long at most: for lights still to be looked at, or for calls. */
const HELD_BACK_MS = 50;
const LONGEST_HELD_BACK_MS = { looks: 5_000, calls: 2_000 };
/** The browser gives up at 10 s. */
const PERSON_WAITS_MS = 9_000;

/** The engine on its ports: the same for the object, and for the tests' simulated world. */
export type Engine = {
  context: EngineContext;
  /** Takes up what the last process left; called once, when the process starts. */
  start: () => void;
  /** Serves what is due and sets the next alarm. Never rejects: the runtime drops a handler that keeps throwing. */
  ring: () => Promise<void>;
  /** The sweep: as `ring`, after it has looked how late it is and told people. Answers how it was found. */
  ensure: () => Promise<SchedulerReport>;
  /**
   * What a person asks for: done by the plan as it is now, and written to D1 before it is answered. While a city is being
   * switched, what concerns `device_id` is written first, and the answer waits for no more.
   */
  serve: <T>(act: (since: number) => Promise<T>, device_id?: string) => Promise<T>;
};

/** Makes an engine of its ports; nothing happens before `start`. */
export function runEngine(ports: Ports): Engine {
  const clock = followed(ports.now, clockOf(ports.sql));
  const backlog = new Backlog(lastChange(ports));
  const context: EngineContext = {
    ...ports,
    sql: keptStore(ports.sql),
    now: clock.now,
    takeSetBack: clock.takeSetBack,
    platformNow: ports.now,
    waiting: new Map(),
    probes: [],
    hasMoreDue: false,
    calling: 0,
    calls_left: MOST_CALLS,
    reports: [],
    errands: [],
    callOffPass: null,
    flush_asked_at: null,
    watched: new Set(),
    person_at: Number.NEGATIVE_INFINITY,
    asked_for_ready: 0,
    pulls: idle(),
    flushes: idle(),
    put_off_at: null,
    paging: { hasDevices: false, waiting: new Map() },
    failed_flushes: 0,
    armed_at: null,
    backlog,
    push: { isAsked: false, at: 0, since: backlog.version, newcomers: new Map() },
    checks: idle(),
    tally: newTally(clockOf(ports.sql)),
    startRunners: () => pumpSoon(context),
    flushSoon: () => flushSoon(context),
    recordsRefused: () => transact(context, () => noteUndelivered(context)),
    recordsDelivered: (rows) => {
      context.tally.delivered += rows.length;
      noteArrival(context);
      noteDelivered(context, rows);
    },
  };
  return {
    context,
    start: () => {
      followClock(context);
      loseAllCalls(context);
    },
    ring: () => ring(context),
    ensure: async () => {
      const report = schedulerReport(context);
      noteLateness(context, report);
      await ring(context);
      return report;
    },
    serve: (act, device_id) => serve(context, act, device_id),
  };
}

/** Until when the process before this one may have changed something (epoch ms). */
function lastChange({ sql, now }: Ports): number {
  const last = clockOf(sql) + CLOCK_NOTED_EVERY_MS;
  return last - now() > LONGEST_STANDSTILL_MS ? now() : last;
}

/**
 * A clock that never goes back, lest what was done a moment ago counts as still to come: it stands still until the real
 * one has caught up. One that was hours ahead is followed, and how far it was is told once. `last` is where the process
 * before this one had got to.
 */
function followed(real: () => number, last: number): Pick<EngineContext, "now" | "takeSetBack"> {
  let by_ms = 0;
  const now = () => {
    const instant = real();
    if (last - instant > LONGEST_STANDSTILL_MS) by_ms += last - instant;
    if (instant > last || last - instant > LONGEST_STANDSTILL_MS) last = instant;
    return last;
  };
  return {
    now,
    takeSetBack: () => {
      now();
      const taken = by_ms;
      by_ms = 0;
      return taken;
    },
  };
}

/**
 * What the last process had under way died with it, leases and calls. The calls are settled by the next tick, which looks
 * at the plan first: nothing is done on what was true when it died.
 */
function loseAllCalls(context: EngineContext): void {
  transact(context, () => {
    releaseTimers(context.sql);
    partOutbox(context.sql, context.now());
    timeLostCalls(context, { all: true });
  });
}

async function ring(context: EngineContext): Promise<void> {
  context.armed_at = null;
  beginEvent(context);
  try {
    await tick(context);
  } catch (error) {
    context.log({ level: "error", event: "tick.failed", reason: String(error) });
  } finally {
    context.armed_at = null;
    transact(context, () => undefined);
    tellTick(context);
  }
}

async function serve<T>(context: EngineContext, act: (since: number) => Promise<T>, device_id?: string): Promise<T> {
  const since = context.now();
  beginEvent(context);
  const mine = { device_id: device_id ?? "", keys: new Set<string>() };
  context.watched.add(mine);
  context.person_at = since;
  try {
    await freshen(context, device_id === undefined ? "all" : [device_id]);
    const result = await act(since);
    await toldWithin(context, since + PERSON_WAITS_MS - context.now(), () =>
      device_id !== undefined && (isStorm(context) || hasMuchToTell(context))
        ? flushPosted(context, mine.keys)
        : flush(context),
    );
    return result;
  } finally {
    context.watched.delete(mine);
    context.person_at = context.now();
  }
}

/** Waits until D1 is told, for a second or, if that is less, as long as a person still waits. */
async function toldWithin(context: EngineContext, left_ms: number, tell: () => Promise<void>): Promise<void> {
  let callOff = (): void => {};
  const patience = new Promise<void>((done) => {
    callOff = context.after(Math.min(FLUSH_BEFORE_ANSWER_MS, Math.max(0, left_ms)), done);
  });
  await Promise.race([quietly(context, tell()), patience]);
  callOff();
}

/**
 * Writes the outbox to D1 once what runs now has ended; all who ask meanwhile share it. While a city is being switched it
 * waits: sets of rows cost D1 a seventh of what rows cost, and lights come before records.
 */
function flushSoon(context: EngineContext): void {
  if (context.flush_asked_at !== null) return;
  context.flush_asked_at = context.now();
  queueMicrotask(() => flushAfterStorm(context));
}

function flushAfterStorm(context: EngineContext): void {
  const longest = context.hasMoreDue ? LONGEST_HELD_BACK_MS.looks : LONGEST_HELD_BACK_MS.calls;
  const isHeldBack = context.now() - (context.flush_asked_at ?? 0) < longest;
  if (isHeldBack && isStorm(context)) return void context.after(HELD_BACK_MS, () => flushAfterStorm(context));
  context.flush_asked_at = null;
  void quietly(context, flush(context));
}

function quietly(context: EngineContext, told: Promise<void>): Promise<void> {
  return told.catch((error: unknown) => context.log({ level: "error", event: "outbox.failed", reason: String(error) }));
}
