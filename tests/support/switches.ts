import type { World } from "./engine";

/** Each switch of the lamps from now on, as '18:00 on', until the process dies. */
export function switches(world: World): string[] {
  const made: string[] = [];
  world.wrapProvider((real) => ({
    switch: (address, action, ...how) => {
      made.push(`${new Date(world.now).toISOString().slice(11, 16)} ${action}`);
      return real.switch(address, action, ...how);
    },
  }));
  return made;
}
