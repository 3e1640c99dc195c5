import { NO_CUT, type Instants } from "#domain/resolve/instants";
import { earliest } from "#domain/earliest";
import type { Step } from "#domain/forecast/forecast";
import type { Resolved } from "#domain/resolve/rungs";
import type { EngineContext } from "#durable/state/context";
import { isWantedAsTold, noteDesired } from "#durable/reporting/state-log";
import type { DeviceMemory } from "#durable/state/device-memory";
import { limitsCameAt, limitsKnownAt } from "#durable/state/limits";
import { evaluateAt, firstOfSeveral, plannedSince, type Evaluation, type View } from "./evaluation";
import type { DeviceSchedule } from "./planned-for";
import { CLAIMS_KEPT_MS, noteMissedCuts } from "./windows";

/** So many evaluations are made up for at once; only a device with hundreds of windows a day misses more in two days. */
const MOST_EVALUATIONS = 500;
/** What was missed by less is logged as of now: a night is told in minutes, and most of a city is a second late at dusk. */
const MISSED_MS = 60_000;

/** What the evaluations that nobody made have left; `cut`: why the last of them switched the light off, if it did. */
type MadeUp = { memory: DeviceMemory; cut: Resolved["reason"] | null };

/**
 * Makes up, in their order, for the evaluations that nobody made between the last one and now: what a window took over, a
 * guardrail ended or the longest time on cut during the gap must not come back after it. It is recorded and remembered,
 * and nothing is sent: only the evaluation of now, which follows, decides about that. What was wanted then is logged, since a
 * light that burned on through the gap was not wanted all the while. Answers the memory for that evaluation.
 *
 * Evaluations go by the plan as it is known now, from when it was planned so. None is made up for from before the last toggle, or
 * its end: what people had asked for then is not known any more. Those older than two days, or too many, are left out, and the log
 * says so. Must run inside a transaction.
 */
export function makeUpEvaluations(context: EngineContext, view: View, before: DeviceMemory): MadeUp {
  const now = context.now();
  if (before.reconciled_at === null || before.reconciled_at >= now) return { memory: before, cut: null };
  const { id: device_id } = view.device;
  const oldest = now - CLAIMS_KEPT_MS;
  if (before.reconciled_at < oldest && before.lit_since !== null)
    noteCut(context, device_id, "nobody looked for more than two days");
  let memory = before;
  const { guardrails_since } = view.limits;
  // Under an emergency that is over, or that another replaced, nothing was cut; as nobody knows of it now, all would seem to be.
  let at = Math.max(before.reconciled_at, guardrails_since, oldest, before.asked_at ?? 0);
  // Where the last evaluation would find something else by now, the plan was changed, and nobody knows what was wanted since.
  let lastMade: Step | null = null;
  let isPlanSame: boolean | null = null;
  for (let made = 0; at < now; made += 1) {
    if (made === MOST_EVALUATIONS) {
      noteCut(context, device_id, `more than ${MOST_EVALUATIONS} evaluations were missed`);
      break;
    }
    const { evaluation, instants, next } = evaluateBack(view, memory, at);
    // What ended underneath an emergency stays ended, also where nothing has changed since.
    if (evaluation.resolved.reason.kind === "emergency") memory = { ...memory, ...instants };
    const step = { at, ...evaluation };
    if (at === before.reconciled_at) lastMade = step;
    else if (lastMade !== null && now - at >= MISSED_MS) {
      isPlanSame ??= isWantedAsTold(lastMade, before);
      if (isPlanSame) memory = noteDesired(context, memory, step);
    }
    // What holds since the last change is seen by the evaluation of now; but the longest time on was up then, and not now.
    const isLast = next === null || next > now;
    const { reason } = evaluation.resolved;
    if (isLast && reason.kind !== "max_on") {
      // Of a window that was cut then and is over by now, that evaluation knows nothing any more.
      noteMissedCuts(context, memory, { ...evaluation, claims: evaluation.claims.filter(({ end }) => end <= now) });
      break;
    }
    noteMissedCuts(context, memory, evaluation);
    memory = { ...memory, ...instants };
    if (isLast) return { memory, cut: reason };
    at = next;
  }
  return { memory, cut: null };
}

/**
 * The evaluation of now (epoch ms), after those that nobody made, and what is logged by then as wanted. Where the last of
 * those cut the light off and nothing has changed since, that is why it goes off now. Must run inside a transaction.
 */
export function evaluateNow(
  context: EngineContext,
  view: View,
  before: DeviceMemory,
  now: number,
): Evaluation & Pick<DeviceMemory, "desired_told"> {
  const { memory, cut } = makeUpEvaluations(context, view, before);
  const evaluation = { ...evaluateAt(view, memory, now), desired_told: memory.desired_told };
  const { resolved } = evaluation;
  if (cut === null || resolved.reason.kind !== "pending_off") return evaluation;
  return { ...evaluation, resolved: { ...resolved, reason: cut } };
}

/**
 * An evaluation at an instant that is past. What was planned or seen only after it is not known to it, and stays as it
 * is; `next` is when the answer could have changed.
 */
function evaluateBack(
  view: View,
  memory: DeviceMemory,
  at: number,
): { evaluation: Evaluation; instants: Instants; next: number | null } {
  const since = view.schedules.map((schedule) => plannedSince(view, schedule));
  const schedules = view.schedules.flatMap((schedule, n) =>
    (since[n] ?? 0) <= at ? schedule : (formerAt(view, schedule, at) ?? []),
  );
  const facts = factsOf(memory).filter((fact) => isLater(fact.at, at));
  const hidden = merge(facts.map((fact) => fact.hidden));
  const later = merge(facts.map((fact) => fact.known));
  const limits = limitsKnownAt(view.limits, at);
  const evaluation = evaluateAt({ ...view, schedules, limits }, { ...memory, ...hidden }, at);
  const events = [...since, ...limitsCameAt(view.limits), ...facts.map((fact) => fact.at)].filter((instant) =>
    isLater(instant, at),
  );
  const next = earliest(evaluation.resolved.until, evaluation.next_start, firstOfSeveral(evaluation), ...events);
  return { evaluation, instants: { ...evaluation.resolved.instants, ...later }, next };
}

/** What the schedule planned at an instant before it was changed; an edit does not undo that it held the light until then. */
function formerAt(view: View, { formers }: DeviceSchedule, at: number): DeviceSchedule | null {
  return formers.find((former) => plannedSince(view, former) <= at) ?? null;
}

/**
 * What can have come to be after an evaluation that is made up for (no toggle can: none is made up for from before one), each
 * with when it did (epoch ms), and how the memory was without it.
 */
function factsOf(memory: DeviceMemory): { at: number | null; known: Partial<Instants>; hidden: Partial<Instants> }[] {
  const { cut_at, cut_min, lit_since, lit_by } = memory;
  return [
    { at: cut_at, known: { cut_at, cut_min }, hidden: NO_CUT },
    { at: lit_since, known: { lit_since, lit_by }, hidden: { lit_since: null } },
  ];
}

function merge(parts: Partial<Instants>[]): Partial<Instants> {
  return parts.reduce((all, part) => ({ ...all, ...part }), {});
}

function isLater(instant: number | null, at: number): boolean {
  return instant !== null && instant > at;
}

function noteCut(context: EngineContext, device_id: string, reason: string): void {
  context.log({ level: "warn", event: "evaluations.cut", device_id, reason });
}
