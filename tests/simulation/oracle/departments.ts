import { DAY } from "./wall-clock";
import type { Desk } from "./desk";

/** A command carries the department that its device had when it was made, and may outlive a night without a server. */
const CARRIED = DAY / 2;
/** ... and the OFF that an old lamp is owed is kept up for a day. */
const KEPT_UP = 1.5 * DAY;

type Fact = { id: string; device_id: string | null; dept_id: string | null };

/** What is told of a device is told to its department, and to no other. */
export function checkDepartment(desk: Desk, { id, device_id, dept_id }: Fact): void {
  if (device_id === null) return;
  const held = departmentsOf(desk, device_id);
  if (held.size === 0 || held.has(dept_id)) return;
  const names = [...held].map((dept) => dept ?? "none").join(" or ");
  desk.object(device_id, `${id} is told to department ${dept_id ?? "none"}, and the device's is ${names}`);
}

/** The departments that the device has had of late, as far as the engine could know. */
function departmentsOf(desk: Desk, device: string): Set<string | null> {
  const hasOldLamp = [...desk.orphans.values()].some((orphan) => orphan.device_id === device);
  const since = desk.world.now - (hasOldLamp ? KEPT_UP : CARRIED);
  const before = desk.learned.findLast(({ at }) => at <= since);
  const later = desk.learned.filter(({ at }) => at > since);
  const cities = [...(before ? [before] : []), ...later].map(({ city }) => city);
  return new Set(
    [...cities, desk.known].flatMap(({ devices }) => {
      const found = devices.get(device);
      return found ? [found.dept] : [];
    }),
  );
}
