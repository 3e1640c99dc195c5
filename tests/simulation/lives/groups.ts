import { sql } from "#tests/support/light";
import type { Town } from "./town";

const MOST_GROUPS = 4;

/** Groups are made and deleted, and lights join and leave them. */
export async function regroup(town: Town): Promise<void> {
  const { chance, city } = town;
  const id = town.anyGroup();
  if (id === undefined || (city.groups.size < MOST_GROUPS && chance.is(0.3))) return makeGroup(town);
  if (chance.is(0.1)) return deleteGroup(town, id);
  const device = town.anyDevice();
  const members = city.groups.get(id) ?? new Map<string, number>();
  const groups = new Map(city.groups);
  if (members.has(device)) {
    groups.set(id, without(members, device));
    const gone = sql("DELETE FROM group_devices WHERE group_id = ? AND device_id = ?", id, device);
    return town.change([gone], { groups });
  }
  groups.set(id, new Map(members).set(device, town.world.now));
  return town.change([insertMember(town, id, device)], { groups });
}

export function without(members: ReadonlyMap<string, number>, device: string): ReadonlyMap<string, number> {
  return new Map([...members].filter(([id]) => id !== device));
}

async function makeGroup(town: Town): Promise<void> {
  const id = town.name("g");
  const devices = new Set(Array.from({ length: town.chance.int(2, 4) }, () => town.anyDevice()));
  const groups = new Map(town.city.groups);
  groups.set(id, new Map([...devices].map((device) => [device, town.world.now])));
  const group = sql(
    "INSERT INTO device_groups (id, org_id, area_id, name) VALUES (?, ?, ?, 'Pitch')",
    id,
    town.world.org_id,
    town.area,
  );
  await town.change([group, ...[...devices].map((device) => insertMember(town, id, device))], { groups });
}

/** With it go its schedules. */
async function deleteGroup(town: Town, id: string): Promise<void> {
  const groups = new Map([...town.city.groups].filter(([other]) => other !== id));
  const plans = new Map([...town.city.plans].filter(([, plan]) => plan.group_id !== id));
  await town.change([sql("DELETE FROM device_groups WHERE id = ?", id)], { groups, plans });
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
