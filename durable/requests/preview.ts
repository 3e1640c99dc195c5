import { foresee, type Outlook, type Step } from "#domain/forecast/forecast";
import { previewWindow, type LightWindow } from "#domain/forecast/preview-window";
import { MOST_CONFLICTS, type Conflict, type Preview, type PreviewRequest } from "#domain/forecast/preview-request";
import { NO_INSTANTS } from "#domain/resolve/instants";
import { comingOccurrences, occurrences } from "#domain/schedule/recurrence";
import type { Occurrence } from "#domain/schedule/schedule";
import { outlookOf, viewOf } from "#durable/reconcile/evaluation";
import type { EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";
import { plan } from "#durable/state/plan";

const WINDOWS = 10;
/** As many steps as take about half a second. */
const MOST_STEPS = 50_000;

/** What becomes of the schedule's next ten windows, as if it were saved now. Changes nothing. */
export function preview(context: EngineContext, { schedule, lights }: PreviewRequest): Preview {
  const now = context.now();
  const ids = "device_ids" in lights ? lights.device_ids : plan.deviceIdsOf(context.sql, lights);
  const views = ids.flatMap((id) => {
    const device = plan.device(context.sql, id);
    return device ? viewOf(context.sql, device) : [];
  });
  const windows = comingOccurrences(schedule, now, WINDOWS);
  const known = new Map<string, LightWindow[]>();
  const conflicts = new Map<string, Conflict>();
  const lit: LightWindow[][] = windows.map(() => []);
  let steps = 0;
  let looked_at = 0;
  for (const view of views) {
    if (steps >= MOST_STEPS) break;
    looked_at += 1;
    const others = view.schedules.filter(({ id }) => id !== schedule.id);
    const isLive = view.isServed && view.area?.active === true;
    const outlook = outlookOf({ ...view, schedules: [] }, memoryOf(context.sql, view.device.id));
    // An edit keeps since when the light has been in its target.
    const since = schedule.since ?? view.schedules.find(({ id }) => id === schedule.id)?.since ?? 0;
    const planned = isLive ? [...others, { ...schedule, since }] : [];
    // Most lights of a field have the same plan, the same limits and nothing that anybody toggled.
    const remembered = JSON.stringify(outlook.instants, Object.keys(NO_INSTANTS));
    const key = JSON.stringify([remembered, outlook.limits, planned.map((one) => [one.id, one.since ?? 0])]);
    const same =
      known.get(key) ?? windows.map((window) => lightWindow({ ...outlook, schedules: planned }, window, now));
    if (!known.has(key)) {
      steps += same.reduce((sum, { steps: { length } }) => sum + length, 0);
      // What overlapped a window that runs, and is over, lights nothing beside it any more.
      for (const { start, end } of windows) {
        const coming = { start: Math.max(start, now), end };
        for (const found of conflictsIn(others, coming)) conflicts.set(keyOf(found), found);
      }
    }
    known.set(key, same);
    for (const [n, one] of same.entries()) lit[n]?.push(one);
  }
  return {
    windows: windows.map((window, n) => previewWindow(window, lit[n] ?? [], schedule.id)),
    conflicts: [...conflicts.values()].toSorted((a, b) => a.start - b.start).slice(0, MOST_CONFLICTS),
    devices: views.length,
    looked_at,
    isActive: views.length === 0 || views.some(({ area }) => area?.active === true),
  };
}

/**
 * One light in one window. A window that is still to come begins as a dark light does: of what is remembered now, only a
 * person's hold and an emergency can reach into it. Where no schedule lights it, so can an ON without an end, as long as it lasts.
 */
function lightWindow(outlook: Outlook, { start, end }: Occurrence, now: number): LightWindow {
  const { zone } = outlook.limits.guardrails;
  const from = Math.max(start, now);
  if (outlook.schedules.length === 0) return { steps: stepsFrom(from, [...foresee(outlook, now, end)]), zone };
  const instants = start > now ? { ...outlook.instants, lit_since: null } : outlook.instants;
  return { steps: [...foresee({ ...outlook, instants }, from, end)], zone };
}

/** The steps from an instant (epoch ms) on, of which the first one holds then. */
function stepsFrom(from: number, steps: readonly Step[]): Step[] {
  const [later, earlier] = [steps.filter(({ at }) => at > from), steps.filter(({ at }) => at <= from)];
  return [...earlier.slice(-1).map((step) => ({ ...step, at: from })), ...later];
}

function conflictsIn(schedules: Outlook["schedules"], { start, end }: Pick<Occurrence, "start" | "end">): Conflict[] {
  return schedules.flatMap((schedule) =>
    occurrences(schedule, start, end).map((window) => ({
      schedule_id: schedule.id,
      title: schedule.title,
      start: window.start,
      end: window.end,
    })),
  );
}

function keyOf({ schedule_id, start }: Conflict): string {
  return `${schedule_id}@${start}`;
}
