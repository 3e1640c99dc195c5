import { hurryOff } from "#durable/commands/command";
import { commandFor, hurryPendingOffs } from "#durable/commands/command-table";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import {
  closeIncident,
  incident,
  openIncident,
  openIncidents,
  updateIncident,
  type Incident,
} from "#durable/reporting/incidents";
import { plan } from "#durable/state/plan";
import type { EngineContext } from "#durable/state/context";

/** Between two looks at the lights of a hub, or a cloud, whose return has not been proved: ever longer, as it goes on. */
export const LOOK_EVERY_MS = 60_000;
export const MOST_APART_MS = 300_000;
/** A refusal costs one call, where silence costs all tries. */
const MOST_APART_REFUSED_MS = 120_000;
/** A hub that was quiet for so long since its return is well. */
const QUIET_MS = 600_000;
/** So long after its return the lights that failed have been tried again: longer than a hub's lamps take one after the other. */
export const TRIAL_MS = 60_000;

/** The name of the incident, of which nobody is told, that stays open while a hub's return is not proved. */
export function trialOf(hub_id: string): string {
  return `hub_trial:${hub_id}`;
}

/** The name of the incident of a hub that refuses us; `tries` says that it has done so since its lights were tried again. */
export function accessOf(hub_id: string): string {
  return `hub_access:${hub_id}`;
}

/**
 * Takes in that a hub answers: `isBack` from trouble, `isSwitched` for a light that it has switched. Its lights are made good
 * when it is back. A hub that answers readings and fails each switch is back with every reading: then one failed light is
 * tried, ever later, and all of them once it is switched, or each reading would be followed by another try of all. Must run
 * inside a transaction.
 */
export function noteReturn(
  context: EngineContext,
  hub_id: string,
  { isBack, isSwitched }: { isBack: boolean; isSwitched: boolean },
): void {
  const name = trialOf(hub_id);
  const trial = incident(context, name);
  const now = context.now();
  if (trial === null) return isBack ? lookAtAll(context, hub_id) : undefined;
  const isOwed = isBack || trial.tries > 0;
  // Of a light that was tried alone.
  if (isSwitched && trial.sends > 0) return lookAtAll(context, hub_id);
  if (isOwed && now >= trial.next_at) return lookAtOne(context, hub_id, trial);
  if (isBack) updateIncident(context, name, { tries: 1 });
  if (!isOwed && now - trial.since >= QUIET_MS) closeIncident(context, name);
}

function lookAtAll(context: EngineContext, hub_id: string): void {
  const name = trialOf(hub_id);
  closeIncident(context, name);
  // Where none has failed nothing is tried again.
  if (failedOf(context, hub_id).length > 0) openIncident(context, name);
  updateIncident(context, name, { next_at: context.now() + LOOK_EVERY_MS });
  updateIncident(context, accessOf(hub_id), { tries: 0, next_at: context.now() + TRIAL_MS });
  hurryPendingOffs(context, `hub:${hub_id}`);
  for (const device_id of plan.deviceIdsOfHub(context.sql, hub_id)) reconcileDevice(context, device_id, "hub_back");
}

/** Each time at another, since one may be broken for itself. */
function lookAtOne(context: EngineContext, hub_id: string, { since }: Incident): void {
  const now = context.now();
  const failed = failedOf(context, hub_id);
  const one = failed[Math.floor(now / LOOK_EVERY_MS) % failed.length];
  if (one === undefined) return lookAtAll(context, hub_id);
  const most_ms = incident(context, accessOf(hub_id)) === null ? MOST_APART_MS : MOST_APART_REFUSED_MS;
  const next_at = now + Math.min(Math.max(LOOK_EVERY_MS, now - since), most_ms);
  updateIncident(context, trialOf(hub_id), { tries: 1, sends: 1, next_at });
  // An OFF that was refused waits for its own next try, and until then would find nothing out.
  hurryOff(context, one);
  reconcileDevice(context, one, "hub_back");
  // One that is as it should be by now finds nothing out.
  if (commandFor(context.sql, one) === null) lookAtAll(context, hub_id);
}

function failedOf(context: EngineContext, hub_id: string): string[] {
  const failed = new Set(openIncidents(context, "device"));
  return plan.deviceIdsOfHub(context.sql, hub_id).filter((id) => failed.has(id));
}
