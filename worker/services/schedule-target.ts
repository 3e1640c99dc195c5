import { devices } from "#db/devices";
import { lightsAt } from "#db/lights-at";
import { groups } from "#db/groups";
import { Refusal } from "#domain/errors";
import type { Schedule } from "#domain/records/records";
import type { ScheduleInput } from "#domain/schedule/schedule-schema";
import type { NamedTarget } from "#domain/schedule/target-schema";
import type { Target } from "#domain/schedule/target";
import type { Ticked } from "#domain/schedule/ticked-schema";
import { ownDepts } from "#domain/records/visibility";
import { invalid } from "#worker/services/refuse";
import type { Scope, Statement } from "#worker/services/scope";
import { haveLeft } from "#worker/services/left-area";
import { findTarget, groupNameOf, permitLights, permitLightsOf } from "#worker/services/targets";

/** What a schedule is to be for, where that is, and the statements that make its group if it is a new one. */
export type ChosenTarget = { target: NamedTarget; area_id: string; isKept: boolean; made: Statement[] };

/** `wasRead`: the edited schedule was read before, so that what it is for may have left its area since. */
type Asked = Pick<ScheduleInput, "area_id" | "device_id" | "target"> & { wasRead?: boolean };

/**
 * Reads what a schedule is asked to be for. Refuses with `invalid` what is not there or not in the chosen area, and with
 * `forbidden` lights that the person may not write; with `conflict` what the edited schedule is for in an area that it is
 * no longer in, or a ticked light of it, since its form still offers that area and cannot say which light is wrong.
 */
export async function chooseTarget(scope: Scope, asked: Asked, before?: Schedule): Promise<ChosenTarget> {
  const target = targetAsked(asked, before);
  if ("device_ids" in target) return chooseTicked(scope, target, asked, before);
  const place = await findTarget(scope, target);
  const isKept = before !== undefined && isSame(before.target, target);
  const isElsewhere = Boolean(asked.area_id) && asked.area_id !== place?.area_id;
  if (place && isElsewhere && isKept && target.type !== "area" && (await isLeft(scope, [target.id], asked))) {
    throw new Refusal("conflict", movedMeanwhile(target.type));
  }
  if (place === undefined || isElsewhere) {
    throw invalid(asked.target ? "target" : "device_id", `Choose ${NAMES[target.type]} of the chosen area`);
  }
  const lights = await permitLightsOf(scope, target);
  return { target: { ...target, name: place.name, devices: lights }, area_id: place.area_id, isKept, made: [] };
}

const NAMES = { device: "a device", group: "a group", area: "the lights" } as const;

function movedMeanwhile(type: "device" | "group"): string {
  return `The ${type} of this schedule is in another area by now. Reload and try again.`;
}

const LEFT = "A device of this schedule is in another area by now, or deleted. Reload and try again.";

/** Whether one of the devices or groups has left the area that was asked for since the edited schedule was read. */
async function isLeft(scope: Scope, ids: string[], { area_id, wasRead }: Asked): Promise<boolean> {
  return wasRead === true && Boolean(area_id) && (await haveLeft(scope, ids, area_id ?? ""));
}

/** Without a target or a device, what it has been for; one ticked device is that device. */
function targetAsked({ device_id, target }: Asked, before?: Schedule): Target | Ticked {
  if (target && "device_ids" in target) {
    const [only, ...more] = target.device_ids;
    return only !== undefined && more.length === 0 ? { type: "device", id: only } : target;
  }
  if (target) return target;
  if (device_id) return { type: "device", id: device_id };
  if (before) return { type: before.target.type, id: before.target.id };
  throw invalid("device_id", "Title, area, and device are required");
}

/** Several ticked devices become a group without a name; those that the schedule was for before stay in it since then. */
async function chooseTicked(scope: Scope, ticked: Ticked, asked: Asked, before?: Schedule): Promise<ChosenTarget> {
  const { user, org_id, db } = scope;
  const { device_ids } = ticked;
  const own = ownDepts(user);
  const area_id =
    asked.area_id || before?.area_id || (await devices(db, org_id).find(device_ids[0] ?? "", own))?.area_id;
  const depts = area_id ? await lightsAt(db, org_id).deptsAmong(device_ids, area_id, own) : [];
  if (!area_id || depts.length < device_ids.length) {
    if (before && (await isLeft(scope, device_ids, asked))) throw new Refusal("conflict", LEFT);
    throw invalid("target", "Choose devices of the chosen area");
  }
  permitLights(scope, depts);
  const old = before?.target.type === "group" ? await groups(db, org_id).find(before.target.id, null) : undefined;
  const isUnnamed = old !== undefined && old.name === null;
  if (isUnnamed && old.area_id === area_id && hasSame(old.device_ids, device_ids)) {
    const name = await groupNameOf(scope, old.device_ids);
    return { target: { type: "group", id: old.id, name, devices: device_ids.length }, area_id, isKept: true, made: [] };
  }
  const id = scope.newId();
  const repository = groups(db, org_id);
  const made = repository.create(id, { area_id, name: null, device_ids });
  const kept = isUnnamed ? [repository.keepAdded(id, old.id)] : [];
  const name = await groupNameOf(scope, await devices(db, org_id).byName(device_ids));
  const target = { type: "group" as const, id, name, devices: device_ids.length };
  return { target, area_id, isKept: isUnnamed, made: [...made, ...kept] };
}

function isSame(a: Target, b: Target): boolean {
  return a.type === b.type && a.id === b.id;
}

function hasSame(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
