import { sql } from "#tests/support/light";
import { targetingOthers, withoutLight } from "./groups";
import { closeArea } from "./places";
import { LIGHTS_A_HUB, type Town } from "./town";

/** Hubs and devices come, go, and get another address. */
export function rebuild(town: Town): Promise<void> {
  return rebuildLight(town, town.anyDevice());
}

/** ... of which that light is one. */
export async function rebuildLight(town: Town, id: string): Promise<void> {
  const { chance, world } = town;
  const device = town.city.devices.get(id);
  if (!device) return;
  const devices = new Map(town.city.devices);
  const changed_at = world.now;
  const what = chance.int(0, 6);
  if (what === 0) {
    devices.delete(id);
    const fresh = town.name("d");
    // Now and then it is only the record that is made anew.
    const lamp = chance.is(0.4) ? device.lamp : town.newLamp();
    const made = { ...device, lamp, area_since: 0, changed_at };
    devices.set(fresh, made);
    const { plans, permits, closures } = town.city;
    const left = {
      plans: targetingOthers(id, plans),
      permits: targetingOthers(id, permits),
      closures: targetingOthers(id, closures),
    };
    const gone = sql("DELETE FROM devices WHERE id = ?", id);
    const groups = withoutLight(town.city.groups, id);
    return town.change([gone, town.insertDevice(fresh, made)], { devices, groups, ...left });
  }
  if (what === 1 && device.hub !== null) {
    const { hub } = device;
    const hubs = new Set(town.city.hubs);
    hubs.delete(hub);
    for (const [other, at] of devices) if (at.hub === hub) devices.set(other, { ...at, hub: null, changed_at });
    return town.change([sql("DELETE FROM hubs WHERE id = ?", hub)], { devices, hubs });
  }
  if (what === 2) {
    const hub = town.name("h");
    const homeless = [...devices].filter(([, at]) => at.hub === null).slice(0, LIGHTS_A_HUB);
    for (const [other, at] of homeless) devices.set(other, { ...at, hub, changed_at });
    return town.change(
      [
        town.insertHub(hub),
        ...homeless.map(([other]) =>
          sql("UPDATE devices SET hub_id = ?, updated_at = ? WHERE id = ?", hub, town.iso(), other),
        ),
      ],
      { devices, hubs: new Set(town.city.hubs).add(hub) },
    );
  }
  if (what === 3) {
    const lamp = town.newLamp();
    // Mostly the old one was broken and is taken down.
    if (chance.is(0.6)) town.oracle.heal(() => town.lamps.takeDown(device.lamp), `${device.lamp} is taken down`);
    devices.set(id, { ...device, lamp, changed_at });
    const statement = sql("UPDATE devices SET cloud_device_id = ?, updated_at = ? WHERE id = ?", lamp, town.iso(), id);
    return town.change([statement], { devices });
  }
  if (what === 4) {
    const [hub] = [...town.city.hubs].slice(chance.int(0, Math.max(0, town.city.hubs.size - 1)));
    if (hub === undefined) return;
    devices.set(id, { ...device, hub, changed_at });
    const statement = sql("UPDATE devices SET hub_id = ?, updated_at = ? WHERE id = ?", hub, town.iso(), id);
    return town.change([statement], { devices });
  }
  if (what === 5) {
    const dept = town.anyDepartment();
    devices.set(id, { ...device, dept, changed_at });
    const statement = sql("UPDATE devices SET dept_id = ?, updated_at = ? WHERE id = ?", dept, town.iso(), id);
    return town.change([statement], { devices });
  }
  return closeArea(town);
}
