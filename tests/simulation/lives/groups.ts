import { sql } from "#tests/support/light";
import type { City, CityTarget } from "#tests/simulation/oracle/city";
import type { Town } from "./town";

const MOST_GROUPS = 4;

/** Groups are made and deleted, and lights join and leave them. */
export async function regroup(town: Town): Promise<void> {
  const { chance, city } = town;
  const id = town.anyGroup();
  const group = city.groups.get(id ?? "");
  if (id === undefined || !group || (city.groups.size < MOST_GROUPS && chance.is(0.3))) return makeGroup(town);
  if (chance.is(0.1)) return deleteGroup(town, id);
  const there = town.lightsOf({ kind: "area", id: group.area });
  const device = there[chance.int(0, Math.max(0, there.length - 1))];
  if (device === undefined) return;
  if (group.members.has(device)) return leave(town, id, device);
  const members = new Map(group.members).set(device, town.world.now);
  const groups = new Map(city.groups).set(id, { ...group, members });
  return town.change([insertMember(town, id, device)], { groups });
}

/** A light leaves a group, rather one that has a policy. */
export async function leaveGroup(town: Town): Promise<void> {
  const { policies, groups } = town.city;
  const limited = [...groups.keys()].filter((id) => policies.has(`group:${id}`));
  const id = limited[town.chance.int(0, Math.max(0, limited.length - 1))] ?? town.anyGroup() ?? "";
  const [device] = groups.get(id)?.members.keys() ?? [];
  if (device !== undefined) await leave(town, id, device);
}

async function leave(town: Town, id: string, device: string): Promise<void> {
  const { groups } = town.city;
  const group = groups.get(id);
  if (!group) return;
  const gone = sql("DELETE FROM group_devices WHERE group_id = ? AND device_id = ?", id, device);
  await town.change([gone], { groups: new Map(groups).set(id, { ...group, members: without(group.members, device) }) });
}

/** The groups without a light. */
export function withoutLight(groups: City["groups"], device: string): City["groups"] {
  return new Map([...groups].map(([id, group]) => [id, { ...group, members: without(group.members, device) }]));
}

function without(members: ReadonlyMap<string, number>, device: string): ReadonlyMap<string, number> {
  return new Map([...members].filter(([id]) => id !== device));
}

async function makeGroup(town: Town): Promise<void> {
  const id = town.name("g");
  const area = town.anyArea();
  const there = town.lightsOf({ kind: "area", id: area });
  if (there.length === 0) return;
  const picked = Array.from({ length: town.chance.int(2, 4) }, () => there[town.chance.int(0, there.length - 1)] ?? "");
  const members = new Map(picked.map((device) => [device, town.world.now]));
  const group = insertGroup(town, id, area);
  const groups = new Map(town.city.groups).set(id, { area, members });
  await town.change([group, ...[...members.keys()].map((device) => insertMember(town, id, device))], { groups });
}

/** Those that are for other targets than the one that goes: D1 deletes its own with it. */
export function targetingOthers<T extends { target: CityTarget }>(
  id: string,
  all: ReadonlyMap<string, T>,
): Map<string, T> {
  return new Map([...all].filter(([, { target }]) => target.id !== id));
}

/** With it go its schedules, its limits and its policy. */
async function deleteGroup(town: Town, id: string): Promise<void> {
  const { city } = town;
  const groups = new Map(city.groups);
  groups.delete(id);
  const policies = new Map(city.policies);
  policies.delete(`group:${id}`);
  const { plans, permits, closures } = city;
  const left = {
    plans: targetingOthers(id, plans),
    permits: targetingOthers(id, permits),
    closures: targetingOthers(id, closures),
  };
  await town.change([sql("DELETE FROM device_groups WHERE id = ?", id)], { groups, policies, ...left });
}

/** Another group takes its place: its lights and its schedules are of that one now. */
export async function swapGroup(town: Town, id: string): Promise<void> {
  const { city, world } = town;
  const group = city.groups.get(id);
  if (!group) return;
  const other = town.name("g");
  const members = new Map([...group.members.keys()].map((device) => [device, world.now]));
  const groups = new Map(city.groups).set(other, { ...group, members });
  groups.delete(id);
  const policies = new Map(city.policies);
  policies.delete(`group:${id}`);
  const plans = [...city.plans].map(([key, plan]) =>
    plan.target.id === id
      ? ([key, { ...plan, target: { kind: "group", id: other }, made_at: world.now, changed_at: world.now }] as const)
      : ([key, plan] as const),
  );
  await town.change(
    [
      insertGroup(town, other, group.area),
      ...[...members.keys()].map((device) => insertMember(town, other, device)),
      sql(
        "UPDATE schedules SET group_id = ?1, target_since = ?2, updated_at = ?2 WHERE group_id = ?3",
        other,
        town.iso(),
        id,
      ),
      sql("DELETE FROM device_groups WHERE id = ?", id),
    ],
    {
      groups,
      policies,
      plans: new Map(plans),
      permits: targetingOthers(id, city.permits),
      closures: targetingOthers(id, city.closures),
    },
  );
}

function insertGroup(town: Town, id: string, area: string): D1PreparedStatement {
  return sql(
    "INSERT INTO device_groups (id, org_id, area_id, name) VALUES (?, ?, ?, 'Pitch')",
    id,
    town.world.org_id,
    area,
  );
}

function insertMember(town: Town, group: string, device: string): D1PreparedStatement {
  return sql(
    "INSERT INTO group_devices (org_id, group_id, device_id, added_at) VALUES (?, ?, ?, ?)",
    town.world.org_id,
    group,
    device,
    town.iso(),
  );
}
